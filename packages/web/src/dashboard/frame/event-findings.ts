import type { Event } from '../../client/resources.ts';
import type { Finding } from './finding.ts';

type Answer = { events: readonly Event[]; nextCursor: string | null };

/**
 * The events with an idempotency key. A request looks through so many events of earlier days; where it found none, the list
 * of events looks through the rest.
 */
export function eventFindings({ events, nextCursor }: Answer, key: string): Finding[] {
  if (events.length > 0 || nextCursor === null) return events.map(findingOf);
  const rest = { name: 'Look through older events', note: `with the key ${key}`, to: { kind: 'key' as const, key } };
  return [{ id: 'older events', group: 'Events', icon: 'event', ...rest }];
}

/**
 * Findings come before offers to look on: Enter opens the first, and a value of a payload that was found must not be taken for a
 * key, which stands in the address of the list.
 */
export function offersLast(findings: readonly Finding[]): Finding[] {
  const isOffer = ({ to }: Finding) => to.kind === 'key';
  return [...findings.filter((one) => !isOffer(one)), ...findings.filter(isOffer)];
}

function findingOf({ id, eventTypeName, idempotencyKey }: Event): Finding {
  const name = eventTypeName ?? id;
  return { id, group: 'Events', icon: 'event', name, note: idempotencyKey, to: { kind: 'id', id } };
}
