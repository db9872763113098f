import { createHmac } from 'node:crypto';

export type WebhookToSign = {
  /** The `webhook-id` header. */
  id: string;
  /** The `webhook-timestamp` header: whole seconds since 1970. */
  timestampSeconds: number;
  /** The bytes as they are sent; they need not be UTF-8. */
  body: Uint8Array;
  /** Every live secret of the endpoint, newest first. Each one signs, so a receiver may verify with any of them. */
  secrets: readonly Buffer[];
};

/** The `webhook-signature` header of Standard Webhooks: `v1,<base64> v1,<base64>`, HMAC-SHA256 of `id.timestamp.body`. */
export function signWebhook({ id, timestampSeconds, body, secrets }: WebhookToSign): string {
  if (secrets.length === 0) throw new Error('a webhook cannot be signed without a secret');
  const start = `${id}.${timestampSeconds}.`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(start).update(body).digest('base64')}`)
    .join(' ');
}
