import { createHmac, type KeyObject, sign } from 'node:crypto';

export type WebhookToSign = {
  /** The `webhook-id` header. */
  id: string;
  /** The `webhook-timestamp` header: whole seconds since 1970. */
  timestampSeconds: number;
  /** The bytes as sent. They need not be UTF-8. */
  body: Uint8Array;
  /** Every live secret of the endpoint, newest first. Each one signs, so a receiver may verify with any of them. */
  secrets: readonly Buffer[];
  /** The live Ed25519 private keys of an endpoint with asymmetric signatures, newest first. */
  privateKeys?: readonly KeyObject[];
};

/**
 * The `webhook-signature` header of Standard Webhooks, over `id.timestamp.body`: `v1,<base64>` for each secret
 * (HMAC-SHA256), then `v1a,<base64>` for each private key (Ed25519).
 */
export function signWebhook({ id, timestampSeconds, body, secrets, privateKeys = [] }: WebhookToSign): string {
  if (secrets.length === 0) throw new Error('a webhook cannot be signed without a secret');
  const start = `${id}.${timestampSeconds}.`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(start).update(body).digest('base64')}`,
  );
  if (privateKeys.length > 0) {
    const content = Buffer.concat([Buffer.from(start), body]);
    for (const key of privateKeys) signatures.push(`v1a,${sign(null, content, key).toString('base64')}`);
  }
  return signatures.join(' ');
}
