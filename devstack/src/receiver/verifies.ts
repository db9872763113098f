import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/**
 * Whether a webhook was signed with this secret (`whsec_…`) within the last five minutes, by the Standard Webhooks
 * library. The library decodes a body as UTF-8, so once it has accepted the headers' time, the signature of any other
 * body is compared here.
 */
export function verifies(secret: string, body: Buffer, headers: IncomingHttpHeaders): boolean {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const webhook = new Webhook(secret);
  try {
    if (isUtf8(body)) {
      webhook.verify(body, named, { jsonParse: false });
      return true;
    }
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signature = '' } = named;
    // Throws unless the time is within the tolerance.
    webhook.verify('', { ...named, 'webhook-signature': webhook.sign(id, new Date(Number(timestamp) * 1000), '') });
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return signature.split(' ').some((one) => isSame(one, expected));
  } catch {
    return false; // The library throws if the signature is invalid.
  }
}

function isSame(signature: string, expected: Buffer): boolean {
  const [version, base64 = ''] = signature.split(',');
  const given = Buffer.from(base64, 'base64');
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
}
