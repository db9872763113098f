<?php
declare(strict_types=1);

/** Whether a valid secret has signed these bytes, at most five minutes ago. Throws without a secret. */
function isGenuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('WEBHOOK_SECRET')));
    if ($key === '') {
        throw new RuntimeException('WEBHOOK_SECRET is empty: anybody could sign');
    }
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
    if (file_exists("$folder/$id")) {
        return; // It was kept before.
    }
    // Other types that contain the word, such as x-ndjson, are not JSON. json_decode refuses a byte order mark.
    $type = strtolower(trim(explode(';', $contentType)[0]));
    $isJson = ($type === 'application/json' || str_ends_with($type, '+json')) && $body !== '';
    $data = $isJson ? json_decode(preg_replace('/^\xEF\xBB\xBF/', '', $body), flags: JSON_THROW_ON_ERROR) : $body;
    $kind = $isJson ? 'json' : 'bytes';
    file_put_contents('php://stderr', "received $id $contentType " . strlen($body) . " $kind\n");
    touch("$folder/$id"); // Only now: if the work fails, Posthorn sends the webhook again.
}

// In Laravel and Symfony: $request->getContent().
$body = (string) file_get_contents('php://input');
http_response_code(500); // Stays if something fails.
if ($body === '' && (int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 0) {
    exit('PHP has read the body of a form: set enable_post_data_reading = Off');
}
if (isGenuine($body)) {
    keepOnce($_SERVER['HTTP_WEBHOOK_ID'], $_SERVER['CONTENT_TYPE'] ?? '', $body);
    http_response_code(204);
} else {
    http_response_code(400);
}
