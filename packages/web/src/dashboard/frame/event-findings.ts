import type { Event } from '../../client/resources.ts';
import type { Finding } from './finding.ts';

type Answer = { events: readonly Event[]; nextCursor: string | null };

/**
 * The events with an idempotency key. One request searches a limited number of events of earlier days. If it finds none
 * there, a finding leads to the list of events, which searches the rest.
 */
export function eventFindings({ events, nextCursor }: Answer, key: string): Finding[] {
  if (events.length > 0 || nextCursor === null) return events.map(findingOf);
  const rest = { name: 'Look through older events', note: `with the key ${key}`, to: { kind: 'key' as const, key } };
  return [{ id: 'older events', group: 'Events', icon: 'event', ...rest }];
}

/**
 * Moves offers to search further behind the findings. Enter opens the first entry: if a value of a payload was found,
 * Enter must not open the offer, which would put the value into an address as a key.
 */
export function offersLast(findings: readonly Finding[]): Finding[] {
  const isOffer = ({ to }: Finding) => to.kind === 'key';
  return [...findings.filter((one) => !isOffer(one)), ...findings.filter(isOffer)];
}

function findingOf({ id, eventTypeName, idempotencyKey }: Event): Finding {
  const name = eventTypeName ?? id;
  return { id, group: 'Events', icon: 'event', name, note: idempotencyKey, to: { kind: 'id', id } };
}
