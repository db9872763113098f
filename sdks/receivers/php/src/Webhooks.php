<?php

declare(strict_types=1);

namespace Posthorn\Webhooks;

/** A genuine webhook. The signature does not cover `type`, `deliveryId`, `contentType` and `attempt`. */
final class Webhook
{
    /**
     * `id` is the event's id, the same in every attempt. If you have seen an id before, the webhook is a repetition.
     * `timestamp` is the time of this attempt in unix seconds. `payload` has the signed bytes. `type` is null for an
     * event that was sent to this endpoint alone. `attempt` counts from 1.
     */
    public function __construct(
        public readonly string $id,
        public readonly int $timestamp,
        public readonly string $payload,
        public readonly ?string $type,
        public readonly ?string $deliveryId,
        public readonly ?string $contentType,
        public readonly int $attempt,
    ) {
    }
}

/** The reason why a webhook is refused. */
enum Reason: string
{
    case MissingHeader = 'missing_header';
    case InvalidTimestamp = 'invalid_timestamp';
    case TooOld = 'too_old';
    case TooNew = 'too_new';
    case NoMatchingSignature = 'no_matching_signature';
    /** The secret of the receiver cannot be used. */
    case InvalidSecret = 'invalid_secret';
}

/** The webhook is not genuine, or (InvalidSecret) the receiver's secret cannot be used. No message shows a secret. */
final class VerificationException extends \RuntimeException
{
    public function __construct(public readonly Reason $reason, string $message)
    {
        parent::__construct($message);
    }
}

/** Verifies webhooks with secrets that are read once. */
final class Verifier
{
    /** The largest body that is read: an event of 1 MiB in an envelope, with base64. */
    public const MOST_BYTES = 3 << 19;
    /** How many signatures of a header are read: anybody can send a request with very many. */
    private const MOST_SIGNATURES = 100;

    /** @var list<array{string, string}> The signature version and the bytes of each key. */
    private readonly array $keys;

    /**
     * Takes the secrets (`whsec_…`) and public keys (`whpk_…`) of an endpoint. During a rotation, give both. Throws a
     * VerificationException for a secret that cannot be used.
     *
     * @param string|list<string> $secrets
     */
    public function __construct(string|array $secrets, private readonly int $toleranceSeconds = 300)
    {
        $this->keys = array_map(self::readKey(...), array_values((array) $secrets));
        if ($this->keys === []) {
            throw new VerificationException(Reason::InvalidSecret, 'no secret is given');
        }
    }

    /**
     * Returns the webhook if a signature matches one of the secrets, and the timestamp is within the tolerance.
     * Otherwise throws a VerificationException. `body` is the body as it arrived. Header names are case-insensitive; of
     * a list, the first value counts. `now` is in unix seconds, for tests.
     *
     * @param array<string, string|list<string>> $headers as from getallheaders() or getHeaders() of PSR-7
     */
    public function verify(string $body, array $headers, ?int $now = null): Webhook
    {
        $read = [];
        foreach ($headers as $name => $value) {
            $read[strtolower((string) $name)] ??= (string) (is_array($value) ? ($value[0] ?? '') : $value);
        }
        [$id, $time, $signatures] = array_map(
            fn (string $name) => ($read["webhook-$name"] ?? '') !== ''
                ? $read["webhook-$name"]
                : throw new VerificationException(Reason::MissingHeader, "webhook-$name is missing"),
            ['id', 'timestamp', 'signature'],
        );
        if (preg_match('/\A[0-9]{1,12}\z/', $time) !== 1) {
            throw new VerificationException(Reason::InvalidTimestamp, 'webhook-timestamp is not a number of seconds');
        }
        $age = ($now ?? time()) - (int) $time;
        if ($age > $this->toleranceSeconds) {
            throw new VerificationException(Reason::TooOld, 'webhook-timestamp is too old');
        }
        if (-$age > $this->toleranceSeconds) {
            throw new VerificationException(Reason::TooNew, 'webhook-timestamp is in the future');
        }
        if (!$this->isSigned("$id.$time.$body", $signatures)) {
            $message = 'no signature matches: the body was changed, or the secret is another';
            throw new VerificationException(Reason::NoMatchingSignature, $message);
        }
        $attempt = $read['webhook-attempt'] ?? '';
        return new Webhook(
            $id,
            (int) $time,
            $body,
            $read['webhook-event-type'] ?? null,
            $read['webhook-delivery-id'] ?? null,
            $read['content-type'] ?? null,
            preg_match('/\A[0-9]{1,9}\z/', $attempt) === 1 ? (int) $attempt : 1,
        );
    }

    /**
     * Handles the current request in plain PHP, on any server: passes a genuine webhook to `$handler` and responds with
     * 204. Other requests get 400, 405 or 413. If the handler throws, the response is 500, and Posthorn sends the
     * webhook again. A form (multipart/form-data) gets 500, too, until you set enable_post_data_reading = Off: otherwise
     * PHP keeps none of its bytes.
     *
     * @param callable(Webhook): void $handler
     */
    public function receive(callable $handler): void
    {
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
            self::answer(405, 'a webhook is a POST');
            return;
        }
        $body = (string) file_get_contents('php://input', length: self::MOST_BYTES + 1);
        if (strlen($body) > self::MOST_BYTES) {
            self::answer(413, 'The body is larger than ' . self::MOST_BYTES . ' bytes');
            return;
        }
        if ($body === '' && (int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 0) {
            self::answer(500, 'PHP has read the body of a form: set enable_post_data_reading = Off');
            return;
        }
        try {
            $webhook = $this->verify($body, self::headersOf($_SERVER));
        } catch (VerificationException $error) {
            self::answer(400, $error->getMessage());
            return;
        }
        http_response_code(500); // This is the response if the handler throws.
        $handler($webhook);
        http_response_code(204);
    }

    /**
     * Returns the headers that Posthorn would send with the body, for the tests of a receiver.
     *
     * @return array<string, string>
     */
    public static function sign(string $body, string $secret, ?string $id = null, ?int $timestamp = null): array
    {
        [$version, $key] = self::readKey($secret);
        if ($version !== 'v1') {
            throw new VerificationException(Reason::InvalidSecret, 'a public key cannot sign');
        }
        $id ??= 'msg_' . bin2hex(random_bytes(16));
        $timestamp ??= time();
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $timestamp,
            'webhook-signature' => 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true)),
        ];
    }

    /**
     * Returns the headers in $_SERVER, which every server fills. Not every server has `getallheaders`.
     *
     * @param array<string, mixed> $server
     * @return array<string, string>
     */
    public static function headersOf(array $server): array
    {
        $headers = [];
        foreach ($server as $name => $value) {
            if (str_starts_with((string) $name, 'HTTP_WEBHOOK_') || $name === 'CONTENT_TYPE') {
                $headers[strtr(preg_replace('/^HTTP_/', '', (string) $name), '_', '-')] = (string) $value;
            }
        }
        return $headers;
    }

    private static function answer(int $status, string $text): void
    {
        http_response_code($status);
        header('content-type: text/plain');
        echo $text;
    }

    /** @return array{string, string} */
    private static function readKey(string $given): array
    {
        // A secret from a file or the clipboard often ends with a line break.
        $secret = trim($given);
        $isPublic = str_starts_with($secret, 'whpk_');
        $key = self::fromBase64($isPublic ? substr($secret, 5) : preg_replace('/^whsec_/', '', $secret));
        if ($key === null || $key === '' || ($isPublic && strlen($key) !== 32)) {
            throw new VerificationException(Reason::InvalidSecret, 'a secret is not whsec_ or whpk_ and base64');
        }
        if ($isPublic && !function_exists('sodium_crypto_sign_verify_detached')) {
            throw new VerificationException(Reason::InvalidSecret, 'a public key (whpk_…) needs the extension sodium');
        }
        return [$isPublic ? 'v1a' : 'v1', $key];
    }

    /** Decodes base64 with or without its padding. Returns null for anything else. */
    private static function fromBase64(string $text): ?string
    {
        if (preg_match('~\A[A-Za-z0-9+/]*={0,2}\z~', $text) !== 1) {
            return null;
        }
        $decoded = base64_decode($text, true);
        return $decoded === false ? null : $decoded;
    }

    private function isSigned(string $content, string $signatures): bool
    {
        foreach (array_slice(explode(' ', $signatures), 0, self::MOST_SIGNATURES) as $entry) {
            [$version, $text] = [...explode(',', $entry, 2), null];
            $signature = $text === null ? null : self::fromBase64($text);
            foreach ($signature === null ? [] : $this->keys as [$kind, $key]) {
                if ($kind === $version && self::matches($kind, $key, $content, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function matches(string $kind, string $key, string $content, string $signature): bool
    {
        if ($kind === 'v1') {
            return hash_equals(hash_hmac('sha256', $content, $key, true), $signature);
        }
        return strlen($signature) === SODIUM_CRYPTO_SIGN_BYTES
            && sodium_crypto_sign_verify_detached($signature, $content, $key);
    }
}
