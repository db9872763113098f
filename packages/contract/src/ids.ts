import { fromString, fromUUID, toUUID } from 'typeid-js';
import { v7 } from 'uuid';

/** What each kind of identifier begins with (decisions: conventions). The audit log's id is a plain UUID. */
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
} as const;

export type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

/** A new UUIDv7: sortable by time, and within one process also in the order of the calls. */
export function newUuid(): string {
  return v7();
}

/** The public form of a key: the prefix, `_`, and the 26-character TypeID suffix. */
export function toId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${fromUUID(uuid).toString()}`;
}

/** The key behind a public id, or undefined when it is malformed or has another prefix. */
export function fromId(prefix: IdPrefix, id: string): string | undefined {
  if (!ID_SHAPE.test(id) || !id.startsWith(`${prefix}_`)) return undefined;
  return toUUID(fromString(id));
}

/** The instant in a UUIDv7. */
export function uuidTime(uuid: string): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16));
}

// The first suffix character holds three bits, so it is at most 7; the alphabet leaves out i, l, o and u.
const ID_SHAPE = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
