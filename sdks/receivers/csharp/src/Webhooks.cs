using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Text;

namespace Posthorn.Webhooks
{
    /// <summary>A genuine webhook: its signature was verified.</summary>
    public sealed class Webhook
    {
        internal Webhook(string id, DateTimeOffset timestamp, byte[] payload, Func<string, string> header)
        {
            Id = id;
            Timestamp = timestamp;
            Payload = payload;
            Type = header("webhook-event-type");
            DeliveryId = header("webhook-delivery-id");
            ContentType = header("content-type");
            Attempt = Verifier.ReadNumber(header("webhook-attempt"), 9) is long attempt ? (int)attempt : 1;
        }

        /// <summary>The event's id, the same in every attempt: an id that you have seen means a repetition.</summary>
        public string Id { get; }

        /// <summary>The time of this attempt.</summary>
        public DateTimeOffset Timestamp { get; }

        /// <summary>The signed bytes.</summary>
        public byte[] Payload { get; }

        /// <summary>
        /// The event type; null for an event that was sent to this endpoint alone. The signature does not cover Type
        /// and the properties below.
        /// </summary>
        public string Type { get; }

        public string DeliveryId { get; }

        /// <summary>The content type that the producer sent.</summary>
        public string ContentType { get; }

        /// <summary>Counts the attempts of this delivery from 1.</summary>
        public int Attempt { get; }
    }

    /// <summary>
    /// The webhook is not genuine. Reason is missing_header, invalid_timestamp, too_old, too_new or
    /// no_matching_signature. With invalid_secret, the secret of the receiver cannot be used. No message shows a
    /// secret.
    /// </summary>
    public sealed class WebhookVerificationException : Exception
    {
        internal WebhookVerificationException(string reason, string message) : base(message)
        {
            Reason = reason;
        }

        public string Reason { get; }
    }

    /// <summary>Verifies webhooks with secrets that are read once. Many threads may use it at the same time.</summary>
    public sealed class Verifier
    {
        /// <summary>The largest body that a receiver needs to read: an event of 1 MiB in an envelope, with base64.</summary>
        public const int MostBytes = 3 << 19;

        /// <summary>How many signatures of a header are read: anybody can send a request with very many.</summary>
        private const int MostSignatures = 100;

        private static readonly DateTimeOffset Epoch = new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero);

        private readonly byte[][] keys;
        private readonly TimeSpan tolerance;

        /// <summary>
        /// Takes the secrets (whsec_…) of an endpoint. During a rotation, give both. Throws a
        /// WebhookVerificationException for a secret that cannot be used.
        /// </summary>
        public Verifier(params string[] secrets) : this(TimeSpan.FromMinutes(5), secrets)
        {
        }

        /// <summary>Also sets how far the timestamp of a webhook may be in the past or in the future.</summary>
        public Verifier(TimeSpan tolerance, params string[] secrets)
        {
            if (secrets.Length == 0) throw new WebhookVerificationException("invalid_secret", "no secret is given");
            keys = secrets.Select(ReadKey).ToArray();
            this.tolerance = tolerance;
        }

        /// <summary>
        /// Returns the webhook if a signature matches one of the secrets, and the timestamp is within the tolerance.
        /// Otherwise throws a WebhookVerificationException. body is the body as it arrived. header returns the first
        /// value of a header by its name, or null: name => request.Headers[name]. now replaces the clock, for tests.
        /// </summary>
        public Webhook Verify(byte[] body, Func<string, string> header, DateTimeOffset? now = null)
        {
            var id = Require(header, "webhook-id");
            var time = Require(header, "webhook-timestamp");
            var signatures = Require(header, "webhook-signature");
            if (!(ReadNumber(time, 12) is long seconds))
            {
                throw new WebhookVerificationException("invalid_timestamp", "webhook-timestamp is not a number of seconds");
            }
            // Compare numbers of seconds: a DateTimeOffset cannot be after the year 9999.
            var age = ((now ?? DateTimeOffset.UtcNow) - Epoch).TotalSeconds - seconds;
            if (age > tolerance.TotalSeconds) throw new WebhookVerificationException("too_old", "webhook-timestamp is too old");
            if (-age > tolerance.TotalSeconds) throw new WebhookVerificationException("too_new", "webhook-timestamp is in the future");
            var content = SignedContent(id, time, body);
            foreach (var entry in signatures.Split(' ').Take(MostSignatures))
            {
                var signature = entry.StartsWith("v1,", StringComparison.Ordinal) ? FromBase64(entry.Substring(3)) : null;
                if (signature == null || !keys.Any(key => AreEqual(Hash(key, content), signature))) continue;
                return new Webhook(id, Epoch.AddSeconds(seconds), body, header);
            }
            throw new WebhookVerificationException(
                "no_matching_signature", "no signature matches: the body was changed, or the secret is another");
        }

        /// <summary>
        /// Returns the headers that Posthorn would send with the body, for tests of a receiver. timestamp is in unix
        /// seconds.
        /// </summary>
        public static IDictionary<string, string> Sign(byte[] body, string secret, string id, long timestamp)
        {
            var time = timestamp.ToString(CultureInfo.InvariantCulture);
            var signature = Convert.ToBase64String(Hash(ReadKey(secret), SignedContent(id, time, body)));
            return new Dictionary<string, string>
            {
                ["webhook-id"] = id,
                ["webhook-timestamp"] = time,
                ["webhook-signature"] = "v1," + signature,
            };
        }

        /// <summary>
        /// Reads a number of at most mostDigits digits. Returns null for anything else: Parse would also take a sign
        /// and spaces.
        /// </summary>
        internal static long? ReadNumber(string text, int mostDigits)
        {
            if (string.IsNullOrEmpty(text) || text.Length > mostDigits || !text.All(one => one >= '0' && one <= '9')) return null;
            return long.Parse(text, CultureInfo.InvariantCulture);
        }

        private static string Require(Func<string, string> header, string name)
        {
            var value = header(name);
            if (!string.IsNullOrEmpty(value)) return value;
            throw new WebhookVerificationException("missing_header", name + " is missing");
        }

        /// <summary>Reads a secret. A secret from a file or the clipboard often ends with a line break.</summary>
        private static byte[] ReadKey(string given)
        {
            var secret = given.Trim();
            if (secret.StartsWith("whpk_", StringComparison.Ordinal))
            {
                throw new WebhookVerificationException("invalid_secret", "a public key (whpk_…) needs Ed25519, which .NET does not have: use a secret (whsec_…)");
            }
            var key = FromBase64(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
            if (key != null && key.Length > 0) return key;
            throw new WebhookVerificationException("invalid_secret", "a secret is not whsec_ or whpk_ and base64");
        }

        /// <summary>
        /// Decodes base64 with or without its padding. Returns null for anything else: Convert would skip white space.
        /// </summary>
        private static byte[] FromBase64(string text)
        {
            var isPlain = text.All(one => one < 128 && (char.IsLetterOrDigit(one) || one == '+' || one == '/' || one == '='));
            if (!isPlain) return null;
            try
            {
                return Convert.FromBase64String(text + new string('=', (4 - text.Length % 4) % 4));
            }
            catch (FormatException)
            {
                return null;
            }
        }

        private static byte[] SignedContent(string id, string time, byte[] body)
        {
            var before = Encoding.UTF8.GetBytes(id + "." + time + ".");
            var content = new byte[before.Length + body.Length];
            Buffer.BlockCopy(before, 0, content, 0, before.Length);
            Buffer.BlockCopy(body, 0, content, before.Length, body.Length);
            return content;
        }

        private static byte[] Hash(byte[] key, byte[] content)
        {
            using (var hmac = new HMACSHA256(key)) return hmac.ComputeHash(content);
        }

        /// <summary>Compares in constant time. Mono has no CryptographicOperations.FixedTimeEquals.</summary>
        [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
        private static bool AreEqual(byte[] one, byte[] other)
        {
            if (one.Length != other.Length) return false;
            var difference = 0;
            for (var n = 0; n < one.Length; n++) difference |= one[n] ^ other[n];
            return difference == 0;
        }
    }
}
