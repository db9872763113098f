import { createHash } from 'node:crypto';

export type Identity = {
  environmentId: string;
  principal: string;
  url: string;
  name: string;
  arguments: Readonly<Record<string, unknown>>;
};

/** Crockford's base32, as in other ids. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 26;

/**
 * The id of a subscription: `mcs_` and 26 characters of a digest over all that identifies it. The same in every process and
 * for ever, so a repeated request means the same subscription. The URL is in its normalised form.
 */
export function identityOf({ environmentId, principal, url, name, arguments: given }: Identity): string {
  const text = canonicalJson([environmentId, principal, url, name, given]);
  let bits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let characters = '';
  for (let index = 0; index < CHARACTERS; index += 1) {
    characters += ALPHABET[Number(bits & 31n)];
    bits >>= 5n;
  }
  return `mcs_${characters}`;
}

/** A JSON value in the canonical form of RFC 8785: keys sorted by their UTF-16 units, numbers as ECMAScript writes them. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
