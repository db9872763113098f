import { fromString, fromUUID, toUUID } from 'typeid-js';
import { v7 } from 'uuid';

/** The prefix of each kind of id (docs/interface.md, Identifiers). An audit entry's id is a plain UUID. */
export const ID_PREFIXES = {
  workspace: 'ws',
  environment: 'env',
  application: 'app',
  endpoint: 'ep',
  eventType: 'evt',
  event: 'msg',
  delivery: 'dlv',
  attempt: 'att',
  subscription: 'sub',
  apiKey: 'key',
  managementToken: 'tok',
  user: 'usr',
  session: 'ses',
  portalSession: 'prt',
  operation: 'op',
  pullKey: 'plk',
  agentKey: 'agk',
  alertRule: 'alr',
  passkey: 'psk',
  source: 'src',
} as const;

export type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

/**
 * A new UUIDv7 for an instant. Ids sort by time, and within one process and millisecond in the order of the calls. The
 * instant comes from the product's clock (ctx.clock.now()). The library's own state is not used because it never goes
 * back: a single reading from a clock that is ahead would put every later id ahead.
 */
export function newUuid(at: Date): string {
  const msecs = at.getTime();
  const behindMs = latest.msecs - msecs;
  if (behindMs >= 0 && behindMs <= KEEPS_ORDER_MS) latest.seq += 1;
  else Object.assign(latest, { msecs, seq: randomSequence() });
  return v7({ msecs: latest.msecs, seq: latest.seq, random: drawRandom() });
}

/** A random sequence start of 31 bits. */
function randomSequence(): number {
  const [a = 0, b = 0, c = 0, d = 0] = drawRandom();
  return ((a & 0x7f) << 24) | (b << 16) | (c << 8) | d;
}

const UUID_BYTES = 16;
const drawn = new Uint8Array(256 * UUID_BYTES);
let usedBytes = drawn.length;

/** Random bytes for one UUID, drawn for 256 UUIDs at a time. Single draws took longer than the rest of an id. */
function drawRandom(): Uint8Array {
  if (usedBytes === drawn.length) {
    crypto.getRandomValues(drawn);
    usedBytes = 0;
  }
  usedBytes += UUID_BYTES;
  return drawn.subarray(usedBytes - UUID_BYTES, usedBytes);
}

/** The order of ids is kept when a clock is corrected by up to this time. */
const KEEPS_ORDER_MS = 10;
/** The time and sequence of the last id. The sequence leaves room for two thousand million ids in a millisecond. */
const latest = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };

/** The public form of a key: the prefix, `_`, and the 26-character TypeID suffix. */
export function toId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${fromUUID(uuid).toString()}`;
}

/** The key behind a public id; undefined if the id is malformed or has another prefix. */
export function fromId(prefix: IdPrefix, id: string): string | undefined {
  if (!ID_SHAPE.test(id) || !id.startsWith(`${prefix}_`)) return undefined;
  try {
    return toUUID(fromString(id));
  } catch {
    // The library throws for 128 bits that are not a UUID.
    return undefined;
  }
}

/** The instant that a UUIDv7 contains. */
export function uuidTime(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

// The first suffix character has three bits, so it is at most 7; the alphabet omits i, l, o and u.
const ID_SHAPE = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
