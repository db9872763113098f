import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the value of a header of the request. */
type Headers = (name: string) => string | null | undefined;

/** The key in a secret `whsec_…`. Throws without one: anybody can sign with an empty key. */
export function keyOf(secret: string | undefined): Buffer {
  const key = Buffer.from((secret ?? '').replace('whsec_', ''), 'base64');
  if (key.length === 0) throw new Error('WEBHOOK_SECRET is empty');
  return key;
}

/** Whether a valid secret has signed these bytes, at most five minutes ago. Never throws. */
export function isGenuine(key: Buffer, headers: Headers, body: Uint8Array): boolean {
  const id = headers('webhook-id') ?? '';
  const timestamp = headers('webhook-timestamp') ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= 300)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers('webhook-signature') ?? '').split(' ').some((entry) => {
    const given = Buffer.from(entry.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
