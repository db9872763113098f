using System;
using System.Collections.Concurrent;
using System.IO;
using System.Net;
using System.Threading;
using Posthorn.Webhooks;

public static class Kit
{
    static readonly ConcurrentDictionary<string, bool> Seen = new ConcurrentDictionary<string, bool>();
    static readonly Verifier Verifier = new Verifier(Environment.GetEnvironmentVariable("WEBHOOK_SECRET"));

    /// <summary>Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table.</summary>
    static void KeepOnce(Webhook webhook)
    {
        if (!Seen.TryAdd(webhook.Id, true)) return;
        Console.WriteLine("received " + webhook.Id + " " + webhook.ContentType + " " + webhook.Payload.Length + " bytes");
    }

    static int Answer(HttpListenerRequest request)
    {
        if (request.HttpMethod != "POST") return 405;
        if (request.ContentLength64 > Verifier.MostBytes) return 413;
        var body = new MemoryStream();
        request.InputStream.CopyTo(body);
        try
        {
            // In ASP.NET Core: name => request.Headers[name].FirstOrDefault(), and the bytes of Request.Body.
            KeepOnce(Verifier.Verify(body.ToArray(), name => request.Headers[name]));
            return 204;
        }
        catch (WebhookVerificationException)
        {
            return 400;
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error);
            return 500; // Posthorn sends the webhook again.
        }
    }

    public static void Main()
    {
        var listener = new HttpListener();
        foreach (var host in new[] { "127.0.0.1", "localhost" })
        {
            listener.Prefixes.Add("http://" + host + ":" + Environment.GetEnvironmentVariable("PORT") + "/");
        }
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            ThreadPool.QueueUserWorkItem(_ =>
            {
                context.Response.StatusCode = Answer(context.Request);
                context.Response.Close();
            });
        }
    }
}
