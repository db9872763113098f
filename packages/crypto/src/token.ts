import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type TokenKind = 'management' | 'apiKey' | 'session' | 'portal' | 'pullKey' | 'agentKey';

/**
 * A new secret token: the prefix of its kind, 40 random characters and a checksum of 7. The random part has 200 bits,
 * so that more than 160 stay unknown after the preview is shown. The checksum allows a mistyped or truncated token to
 * be refused without a look-up.
 */
export function newToken(kind: TokenKind): string {
  const random = Array.from(randomBytes(randomCharacters), (byte) => alphabet.charAt(byte % 32)).join('');
  const unchecked = `${prefixes[kind]}_${random}`;
  return unchecked + checksum(unchecked);
}

/** The token and its kind if it is well formed, checksum included. The token may never have been issued. */
export function parseToken(text: string): { kind: TokenKind; token: string } | undefined {
  const kind = kindOfToken(text);
  if (kind === undefined || !shape.test(text)) return undefined;
  const unchecked = text.slice(0, -checksumCharacters);
  return checksum(unchecked) === text.slice(-checksumCharacters) ? { kind, token: text } : undefined;
}

/** The kind that a text's prefix names, even if the text is malformed. */
export function kindOfToken(text: string): TokenKind | undefined {
  return kindByPrefix.get(text.slice(0, Math.max(0, text.indexOf('_'))));
}

/** The prefix of every token of the kind, such as `phm_`. */
export function tokenPrefix(kind: TokenKind): string {
  return `${prefixes[kind]}_`;
}

/**
 * The SHA-256 of a token, 32 bytes, which is what the database stores. A token is random, so no slow hash is needed.
 */
export function digestToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** The part of a token that may be shown after its creation: the prefix and the last four characters, `phk_…a1b2`. */
export function tokenPreview(token: string): string {
  return `${token.slice(0, token.indexOf('_') + 1)}…${token.slice(-4)}`;
}

const prefixes: Record<TokenKind, string> = {
  management: 'phm',
  apiKey: 'phk',
  session: 'phs',
  portal: 'php',
  pullKey: 'phpl',
  agentKey: 'pha',
};
const kindByPrefix: ReadonlyMap<string, TokenKind> = new Map([
  [prefixes.management, 'management'],
  [prefixes.apiKey, 'apiKey'],
  [prefixes.session, 'session'],
  [prefixes.portal, 'portal'],
  [prefixes.pullKey, 'pullKey'],
  [prefixes.agentKey, 'agentKey'],
]);

/** Crockford's base32: no two characters look alike. 32 divides 256, so a byte modulo 32 has no bias. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const randomCharacters = 40;
const checksumCharacters = 7;
const shape = new RegExp(`^[a-z]{3,4}_[${alphabet}]{${randomCharacters + checksumCharacters}}$`);

/** CRC-32 detects every change of a single character, the prefix included. */
function checksum(text: string): string {
  const value = crc32(text);
  let characters = '';
  for (let index = 0; index < checksumCharacters; index += 1) characters += alphabet[(value >>> (5 * index)) & 31];
  return characters;
}
