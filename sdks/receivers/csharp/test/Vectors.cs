using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Web.Script.Serialization;
using Posthorn.Webhooks;

/// <summary>
/// Tests every case of sdks/conformance/signature.json, whose path is the argument. Public keys are refused: .NET has
/// no Ed25519.
/// </summary>
public static class Vectors
{
    public static int Main(string[] args)
    {
        var json = new JavaScriptSerializer { MaxJsonLength = int.MaxValue };
        var file = json.Deserialize<Dictionary<string, object>>(File.ReadAllText(args[0], Encoding.UTF8));
        var failed = 0;
        var passed = 0;
        Action<string, string, string> check = (name, found, expected) =>
        {
            if (found == expected) passed++;
            else Console.Error.WriteLine(name + ": " + found + ", not " + expected + " (failure " + ++failed + ")");
        };
        foreach (Dictionary<string, object> one in (ArrayList)file["cases"])
        {
            var expect = (Dictionary<string, object>)one["expect"];
            var isPublic = Texts(one["secrets"]).Any(secret => secret.StartsWith("whpk_", StringComparison.Ordinal));
            var expected = isPublic ? "invalid_secret"
                : expect.ContainsKey("reason") ? (string)expect["reason"] : expect["id"] + " " + expect["timestamp"];
            check((string)one["name"], Outcome(one), expected);
        }
        foreach (Dictionary<string, object> one in (ArrayList)file["signs"])
        {
            var signed = Verifier.Sign(Bytes(one["payload"]), (string)one["secret"], (string)one["id"], Convert.ToInt64(one["timestamp"]));
            check((string)one["name"], json.Serialize(signed), json.Serialize(one["headers"]));
        }
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static string Outcome(Dictionary<string, object> one)
    {
        var secrets = Texts(one["secrets"]);
        var headers = (Dictionary<string, object>)one["headers"];
        var tolerance = TimeSpan.FromSeconds(one.ContainsKey("toleranceSeconds") ? Convert.ToInt64(one["toleranceSeconds"]) : 300);
        var now = DateTimeOffset.FromUnixTimeSeconds(Convert.ToInt64(one["now"]));
        Func<string, string> header = name => headers
            .Where(given => given.Key.Equals(name, StringComparison.OrdinalIgnoreCase))
            .Select(given => given.Value as string ?? Texts(given.Value)[0])
            .FirstOrDefault();
        try
        {
            var webhook = new Verifier(tolerance, secrets).Verify(Bytes(one["payload"]), header, now);
            return webhook.Id + " " + webhook.Timestamp.ToUnixTimeSeconds();
        }
        catch (WebhookVerificationException error)
        {
            var shows = secrets.Any(secret => secret.Length > 8 && error.Message.Contains(secret));
            return shows ? "a secret in a message" : error.Reason;
        }
    }

    private static byte[] Bytes(object given)
    {
        var payload = (Dictionary<string, object>)given;
        if (payload.ContainsKey("base64")) return Convert.FromBase64String((string)payload["base64"]);
        var times = payload.ContainsKey("repeat") ? (int)payload["repeat"] : 1;
        return Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat((string)payload["text"], times)));
    }

    private static string[] Texts(object list)
    {
        return ((ArrayList)list).Cast<string>().ToArray();
    }
}
