import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { coversTime, isStandard, SIGNATURE_PRESETS, type Signature } from '@posthorn/contract/signature';
import { type LiveSecret, signatureHeaders } from '@posthorn/messages/signature-headers';
import { Webhook } from 'standardwebhooks';

/** A secret, and how it signs: the setting of its endpoint, or `unknown`. */
export type Signer = { secret: string; signature: Signature | 'unknown' | undefined };

const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook was signed in this way within the last five minutes. False for a signature that nobody can verify.
 */
export function verifies({ secret, signature }: Signer, body: Buffer, headers: IncomingHttpHeaders): boolean {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const ways = signature === 'unknown' ? [undefined, ...SIGNATURE_PRESETS] : [signature];
  return ways.some((way) => (isStandard(way) ? isStandardWebhook(secret, body, named) : isSigned(way)));

  function isSigned(way: Signature): boolean {
    return candidateTimes(named).some((timestampSeconds) => {
      const isRecent = Math.abs(Date.now() / 1_000 - timestampSeconds) <= TOLERANCE_SECONDS;
      if (coversTime(way) && !isRecent) return false;
      const id = named['webhook-id'] ?? named['svix-id'] ?? idOf(way, named);
      const message = {
        id,
        timestampSeconds,
        contentType: named['content-type'] ?? null,
        body,
        secrets: [live(secret)],
      };
      const expected = Object.entries(signatureHeaders(message, { signature: way, standardHeaders: false }));
      return expected.every(([name, value]) =>
        partsOf(value).every((part) => partsOf(named[name] ?? '').includes(part)),
      );
    });
  }
}

/**
 * Verifies a Standard Webhook with the library of the standard. The library decodes a body as UTF-8. So for any other
 * body, it only checks the time, and the signature is compared here.
 */
function isStandardWebhook(secret: string, body: Buffer, named: Record<string, string>): boolean {
  try {
    const webhook = new Webhook(secret);
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
    return false; // The library throws if the signature is invalid, and for a secret that is not one of its own.
  }
}

function isSame(signature: string, expected: Buffer): boolean {
  const [version, base64 = ''] = signature.split(',');
  const given = Buffer.from(base64, 'base64');
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
}

/** The times that any header names. A signature is made over one of them, or over none. */
function candidateTimes(named: Record<string, string>): number[] {
  const found = Object.values(named).flatMap((value) => value.match(/(?<!\w)\d{10}(?!\w)/g) ?? []);
  return [...new Set(['0', ...found])].slice(0, 20).map(Number);
}

function idOf(way: Signature, named: Record<string, string>): string {
  return (typeof way === 'object' && named[way.idHeader?.toLowerCase() ?? '']) || '';
}

/** Splits a header: while a secret is rotated, it can have a signature with each secret. */
function partsOf(value: string): string[] {
  return value.split(/[ ,]/);
}

function live(secret: string): LiveSecret {
  const text = Buffer.from(secret);
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : text;
  return { key, text, privateKey: null };
}
