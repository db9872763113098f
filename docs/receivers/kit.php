<?php
declare(strict_types=1);

use Posthorn\Webhooks\Verifier;
use Posthorn\Webhooks\Webhook;

require __DIR__ . '/Webhooks.php';

/** In production: INSERT INTO inbox … ON CONFLICT DO NOTHING, and a worker reads the table. */
function keepOnce(Webhook $webhook): void
{
    $seen = (getenv('INBOX') ?: sys_get_temp_dir()) . "/$webhook->id";
    if (file_exists($seen)) {
        return; // It was kept before.
    }
    // Other types that contain the word, such as x-ndjson, are not JSON. json_decode refuses a byte order mark.
    $type = strtolower(trim(explode(';', $webhook->contentType ?? '')[0]));
    $isJson = ($type === 'application/json' || str_ends_with($type, '+json')) && $webhook->payload !== '';
    if ($isJson) {
        json_decode(preg_replace('/^\xEF\xBB\xBF/', '', $webhook->payload), flags: JSON_THROW_ON_ERROR);
    }
    $kind = $isJson ? 'json' : 'bytes';
    file_put_contents('php://stderr', "received $webhook->id $webhook->contentType " . strlen($webhook->payload) . " $kind\n");
    touch($seen); // Only now: if the work fails, Posthorn sends the webhook again.
}

(new Verifier((string) getenv('WEBHOOK_SECRET')))->receive(keepOnce(...));
