/** How to install an official Standard Webhooks library, and code that verifies with it. */
export type LibraryCode = { install: string; code: string };

const TYPESCRIPT = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');

// body: the bytes as they came, such as express.raw({ type: () => true }) gives.
try {
  webhook.verify(body, headers, { jsonParse: false });
} catch {
  // Answer 400: not from us, or too old.
}`;

const PYTHON = `import os
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

# body: the bytes as they came, such as request.get_data() of Flask.
try:
    event = webhook.verify(body, dict(headers))
except WebhookVerificationError:
    ...  # Answer 400: not from us, or too old.`;

const GO = `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

secret := os.Getenv("WEBHOOK_SECRET")
if secret == "" {
	log.Fatal("WEBHOOK_SECRET is empty: anybody could sign")
}
webhook, err := standardwebhooks.NewWebhook(secret)

// body: the bytes as they came: io.ReadAll(request.Body).
if err := webhook.Verify(body, request.Header); err != nil {
	// Answer 400: not from us, or too old.
}`;

const JAVA = `import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;

Webhook webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));

// body: the text as it came; headers: java.net.http.HttpHeaders.
try {
  webhook.verify(body, headers);
} catch (WebhookVerificationException notGenuine) {
  // Answer 400: not from us, or too old.
}`;

const RUBY = `require "standardwebhooks"

secret = ENV.fetch("WEBHOOK_SECRET")
raise "WEBHOOK_SECRET is empty: anybody could sign" if secret.empty?
webhook = StandardWebhooks::Webhook.new(secret)

# body: the text as it came: request.body.read; headers: with names in lower case.
begin
  event = webhook.verify(body, headers)
rescue StandardWebhooks::WebhookVerificationError
  # Answer 400: not from us, or too old.
end`;

const PHP = `<?php
use StandardWebhooks\\Webhook;
use StandardWebhooks\\Exception\\WebhookVerificationException;

$secret = getenv('WEBHOOK_SECRET') ?: throw new RuntimeException('WEBHOOK_SECRET is empty: anybody could sign');
$webhook = new Webhook($secret);

// The text as it came, and the headers with names in lower case.
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders());
try {
    $event = $webhook->verify($body, $headers);
} catch (WebhookVerificationException $notGenuine) {
    http_response_code(400); // Not from us, or too old.
}`;

/** The official libraries (https://github.com/standard-webhooks/standard-webhooks). All verify the v1 signatures. */
export const LIBRARIES: Readonly<Record<string, LibraryCode>> = {
  TypeScript: { install: 'npm install standardwebhooks', code: TYPESCRIPT },
  Python: { install: 'pip install standardwebhooks', code: PYTHON },
  Go: { install: 'go get github.com/standard-webhooks/standard-webhooks/libraries', code: GO },
  Java: { install: 'implementation "com.standardwebhooks:standardwebhooks:1.2.0"', code: JAVA },
  Ruby: { install: 'gem install standardwebhooks', code: RUBY },
  PHP: { install: 'composer require standard-webhooks/standard-webhooks', code: PHP },
};
