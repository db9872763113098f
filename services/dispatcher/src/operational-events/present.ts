import { type IdPrefix, toId } from '@posthorn/contract/ids';
import type { RaisedEvent } from './take-raised.ts';

/** The facts that are keys, with the prefix of their public ids. */
const PREFIXES: Record<string, IdPrefix> = {
  deliveryId: 'dlv',
  eventId: 'msg',
  endpointId: 'ep',
  applicationId: 'app',
  environmentId: 'env',
  operationId: 'op',
  apiKeyId: 'key',
  sourceId: 'src',
};
/** The facts that are times. */
const TIMES = new Set(['disabledAt', 'failingSince', 'finishedAt', 'expiresAt', 'endedAt']);

/** The payload of an operational event (docs/interface.md, Operational events). */
export function presentOperationalEvent({ eventType, raisedAt, facts }: Presented) {
  const data = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, presentFact(name, value)]));
  return { type: eventType, timestamp: raisedAt.toISOString(), data };
}

type Presented = Pick<RaisedEvent, 'eventType' | 'raisedAt' | 'facts'>;

function presentFact(name: string, value: unknown): unknown {
  const prefix = PREFIXES[name];
  if (typeof value !== 'string') return value;
  if (prefix !== undefined) return toId(prefix, value);
  return TIMES.has(name) ? new Date(value).toISOString() : value;
}
