<?php

declare(strict_types=1);

// Tests every case of sdks/conformance/signature.json: `php test/vectors.php`.

use Posthorn\Webhooks\VerificationException;
use Posthorn\Webhooks\Verifier;

require __DIR__ . '/../src/Webhooks.php';

function bytes(array $payload): string
{
    return isset($payload['base64']) ? base64_decode($payload['base64']) : str_repeat($payload['text'], $payload['repeat'] ?? 1);
}

function outcome(array $one): mixed
{
    $payload = bytes($one['payload']);
    try {
        $webhook = (new Verifier($one['secrets'], $one['toleranceSeconds'] ?? 300))->verify($payload, $one['headers'], $one['now']);
        return $webhook->payload === $payload ? ['id' => $webhook->id, 'timestamp' => $webhook->timestamp] : 'another payload';
    } catch (VerificationException $error) {
        foreach ($one['secrets'] as $secret) {
            if (strlen($secret) > 8 && str_contains($error->getMessage(), $secret)) {
                return 'a secret in a message';
            }
        }
        return ['reason' => $error->reason->value];
    }
}

$file = json_decode(file_get_contents(__DIR__ . '/../../../conformance/signature.json'), true);
$results = array_map(fn (array $one) => [$one['name'], outcome($one), $one['expect']], $file['cases']);
foreach ($file['signs'] as $one) {
    $signed = Verifier::sign(bytes($one['payload']), $one['secret'], $one['id'], $one['timestamp']);
    $results[] = [$one['name'], $signed, $one['headers']];
}
$server = ['HTTP_WEBHOOK_EVENT_TYPE' => 'order.paid', 'CONTENT_TYPE' => 'text/plain', 'HTTP_COOKIE' => 'a=b'];
$results[] = ['the headers of $_SERVER', Verifier::headersOf($server), ['WEBHOOK-EVENT-TYPE' => 'order.paid', 'CONTENT-TYPE' => 'text/plain']];

$failed = array_filter($results, fn (array $one) => $one[1] !== $one[2]);
foreach ($failed as [$name, $is, $should]) {
    fwrite(STDERR, "$name: " . json_encode($is) . ', not ' . json_encode($should) . "\n");
}
printf("%d passed, %d failed\n", count($results) - count($failed), count($failed));
exit($failed === [] ? 0 : 1);
