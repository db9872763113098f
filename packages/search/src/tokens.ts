import { hash } from 'node:crypto';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { LRUCache } from 'lru-cache';
import { type SearchKey, type SearchValue, valuesOf } from './values.ts';

/** The search key of a workspace as it is stored: 32 random bytes, sealed. */
export type SealedSearchKey = { id: string; sealed: Uint8Array };

/** A search key, ready to use: makes the token of a text. It is a function, so no log and no JSON shows the key. */
export type TokenKey = (text: string) => bigint;

/** Opens the search key of a workspace; undefined when no key of `SEALING_KEYS` opens it. It keeps those that were used last. */
export type OpenSearchKey = (key: SealedSearchKey) => TokenKey | undefined;

type Warns = { warn(message: string, fields: { searchKeyId: string }): void };

const MOST_OPEN = 10_000;

/** Each key that cannot be opened is logged once. */
export function createOpenSearchKey(keys: SealingKeys, logger: Warns): OpenSearchKey {
  const opened = new LRUCache<string, TokenKey>({ max: MOST_OPEN });
  const told = new LRUCache<string, true>({ max: MOST_OPEN });
  return (stored) => {
    const known = opened.get(stored.id);
    if (known !== undefined) return known;
    const key = openSearchKey(keys, stored);
    if (key !== undefined) opened.set(stored.id, key);
    else if (!told.has(stored.id)) {
      told.set(stored.id, true);
      logger.warn('a search key cannot be opened: events are stored that no search finds', { searchKeyId: stored.id });
    }
    return key;
  };
}

/** The key, ready to use; undefined when no key of `SEALING_KEYS` opens it. */
export function openSearchKey(keys: SealingKeys, { id, sealed }: SealedSearchKey): TokenKey | undefined {
  const result = open(keys, sealed, sealContext.searchKey(id));
  return result.kind === 'opened' ? tokenKey(result.plaintext) : undefined;
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * The token of a text is the first 8 bytes of its HMAC-SHA-256 under the secret, which has at most 64 bytes, as a signed number.
 * The HMAC is made of two hashes, as RFC 2104 defines it, and their digests are texts: an object of `createHmac` and a buffer for
 * each value take more than twice the time.
 */
export function tokenKey(secret: Uint8Array): TokenKey {
  if (secret.length > BLOCK_BYTES) throw new Error('a secret of more than 64 bytes');
  const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (const [at, byte] of secret.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    const most = BLOCK_BYTES + MOST_BYTES_OF_A_UNIT * text.length;
    const message = most <= scratch.length ? scratch : Buffer.alloc(most);
    message.set(inner);
    const end = BLOCK_BYTES + message.write(text, BLOCK_BYTES);
    outer.write(hash('sha256', message.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    digest.write(hash('sha256', outer, 'binary'), 'binary');
    return digest.readBigInt64BE();
  };
}

/** Of UTF-8, for each unit of a text. */
const MOST_BYTES_OF_A_UNIT = 3;
/** Room for the longest value. Not from the pool of buffers: its beginning is as secret as a key. */
const scratch = Buffer.alloc(2_048);
const digest = Buffer.alloc(DIGEST_BYTES);

/**
 * The token under which an event of the environment is found by this value. Without the key nobody learns the value, also not
 * by guessing.
 */
export function tokenOf(key: TokenKey, environmentId: string, { name, type, text }: SearchValue): bigint {
  return key(`${environmentId}\0${name}\0${type}\0${text}`);
}

/** The tokens of values, each once. */
export function tokensOf(key: TokenKey, environmentId: string, values: readonly SearchValue[]): bigint[] {
  return [...new Set(values.map((value) => tokenOf(key, environmentId, value)))];
}

/** Instead of a number of values: the payload is too large, so all of them are left out. */
export const ALL_LEFT_OUT = -1;

/** `searchLeftOut` is null when no value was left out, and then a row needs no byte for it. */
export type FoundBy = { tokens: readonly bigint[]; searchLeftOut: number | null };

/** The tokens of an event with this payload. `text` is its source, read only where numbers are large. */
export function tokensOfPayload(
  key: TokenKey,
  environmentId: string,
  { keys, payload, text }: { keys: readonly SearchKey[]; payload: unknown; text: () => string },
): FoundBy {
  const { values, leftOut } = valuesOf(keys, payload, text);
  const searchLeftOut = leftOut === 0 ? null : Math.min(leftOut, MOST_COUNTED);
  return { tokens: tokensOf(key, environmentId, values), searchLeftOut };
}

/** The largest number of its column. */
const MOST_COUNTED = 32_767;
