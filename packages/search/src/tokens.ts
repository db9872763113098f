import { sealContext } from '@posthorn/crypto/contexts';
import { createMac } from '@posthorn/crypto/mac';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { LRUCache } from 'lru-cache';
import { type SearchKey, type SearchValue, valuesOf } from './values.ts';

/** The search key of a workspace as it is stored: 32 random bytes, sealed. */
export type SealedSearchKey = { id: string; sealed: Uint8Array };

/** An opened search key, which makes the token of a text. It is a function, so no log and no JSON can show the key. */
export type TokenKey = (text: string) => bigint;

/** Opens the search key of a workspace; undefined when no key of `SEALING_KEYS` opens it. Caches the keys used last. */
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

/** The token of a text is the first 8 bytes of its HMAC under the secret, as a signed number. */
export function tokenKey(secret: Uint8Array): TokenKey {
  const mac = createMac(secret);
  return (text) => mac(text).readBigInt64BE();
}

/**
 * The token by which a search for this value finds an event of the environment. Without the key nobody can learn the
 * value, not even by guessing.
 */
export function tokenOf(key: TokenKey, environmentId: string, { name, type, text }: SearchValue): bigint {
  return key(`${environmentId}\0${name}\0${type}\0${text}`);
}

/** The tokens of the values, without duplicates. */
export function tokensOf(key: TokenKey, environmentId: string, values: readonly SearchValue[]): bigint[] {
  return [...new Set(values.map((value) => tokenOf(key, environmentId, value)))];
}

/** Stored instead of a count: the payload is too large, so all of its values are left out. */
export const ALL_LEFT_OUT = -1;

/** `searchLeftOut` is null when no value was left out, so that the row needs no byte for it. */
export type FoundBy = { tokens: readonly bigint[]; searchLeftOut: number | null };

/** The tokens of an event with this payload. `text` is the payload's source, read only when it has large numbers. */
export function tokensOfPayload(
  key: TokenKey,
  environmentId: string,
  { keys, payload, text }: { keys: readonly SearchKey[]; payload: unknown; text: () => string },
): FoundBy {
  const { values, leftOut } = valuesOf(keys, payload, text);
  const searchLeftOut = leftOut === 0 ? null : Math.min(leftOut, MOST_COUNTED);
  return { tokens: tokensOf(key, environmentId, values), searchLeftOut };
}

/** The largest number that the column `search_left_out` can hold. */
const MOST_COUNTED = 32_767;
