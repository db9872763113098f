<?php
declare(strict_types=1);

/** Whether a valid secret has signed these bytes, at most five minutes ago. Never throws. */
function isGenuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('WEBHOOK_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

/** In production: INSERT INTO inbox … ON CONFLICT DO NOTHING, and a worker reads the table. */
function keepOnce(string $id, string $contentType, string $body): void
{
    $folder = getenv('INBOX') ?: sys_get_temp_dir();
    if (@fopen("$folder/$id", 'x') === false) {
        return; // It was kept before.
    }
    // json_decode refuses a byte order mark.
    $isJson = str_contains($contentType, 'json') && $body !== '';
    $data = $isJson ? json_decode(preg_replace('/^\xEF\xBB\xBF/', '', $body), flags: JSON_THROW_ON_ERROR) : $body;
    $kind = $isJson ? 'json' : 'bytes';
    file_put_contents('php://stderr', "received $id $contentType " . strlen($body) . " $kind\n");
}

// In Laravel and Symfony: $request->getContent().
$body = (string) file_get_contents('php://input');
if (isGenuine($body)) {
    keepOnce($_SERVER['HTTP_WEBHOOK_ID'], $_SERVER['CONTENT_TYPE'] ?? '', $body);
    http_response_code(204);
} else {
    http_response_code(400);
}
