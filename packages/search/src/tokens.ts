import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { LRUCache } from 'lru-cache';
import { type SearchKey, type SearchValue, valuesOf } from './values.ts';

/** The search key of a workspace as it is stored: 32 random bytes, sealed. */
export type SealedSearchKey = { id: string; sealed: Uint8Array };

/** Opens the search key of a workspace; undefined when no key of `SEALING_KEYS` opens it. It keeps those that were used last. */
export type OpenSearchKey = (key: SealedSearchKey) => KeyObject | undefined;

type Warns = { warn(message: string, fields: { searchKeyId: string }): void };

const MOST_OPEN = 10_000;

/** Each key that cannot be opened is logged once. */
export function createOpenSearchKey(keys: SealingKeys, logger: Warns): OpenSearchKey {
  const opened = new LRUCache<string, KeyObject>({ max: MOST_OPEN });
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
export function openSearchKey(keys: SealingKeys, { id, sealed }: SealedSearchKey): KeyObject | undefined {
  const result = open(keys, sealed, sealContext.searchKey(id));
  return result.kind === 'opened' ? createSecretKey(result.plaintext) : undefined;
}

/**
 * The token under which an event of the environment is found by this value: the first 8 bytes of an HMAC-SHA-256, as a
 * signed number. Without the key nobody learns the value, also not by guessing.
 */
export function tokenOf(key: KeyObject, environmentId: string, { name, type, text }: SearchValue): bigint {
  const input = `${environmentId}\0${name}\0${type}\0${text}`;
  return createHmac('sha256', key).update(input).digest().readBigInt64BE();
}

/** The tokens of values, each once. */
export function tokensOf(key: KeyObject, environmentId: string, values: readonly SearchValue[]): bigint[] {
  return [...new Set(values.map((value) => tokenOf(key, environmentId, value)))];
}

/** Instead of a number of values: the payload is too large, so all of them are left out. */
export const ALL_LEFT_OUT = -1;

/** `searchLeftOut` is null when no value was left out, and then a row needs no byte for it. */
export type FoundBy = { tokens: readonly bigint[]; searchLeftOut: number | null };

/** The tokens of an event with this payload. `text` is its source, read only where numbers are large. */
export function tokensOfPayload(
  key: KeyObject,
  environmentId: string,
  { keys, payload, text }: { keys: readonly SearchKey[]; payload: unknown; text: () => string },
): FoundBy {
  const { values, leftOut } = valuesOf(keys, payload, text);
  const searchLeftOut = leftOut === 0 ? null : Math.min(leftOut, MOST_COUNTED);
  return { tokens: tokensOf(key, environmentId, values), searchLeftOut };
}

/** The largest number of its column. */
const MOST_COUNTED = 32_767;
