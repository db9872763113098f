import type { EventType } from '../../../client/resources.ts';

/** The filter of a list by a payload value. */
export const CONTAINS = { kind: 'text', name: 'value', label: 'Contains (order_id:1002)' } as const;

/** The events that one request of a list reads at most, and reads where it finds too few. */
export const SEARCHED_PER_PAGE = 10_000;

/** Whether events can be found by a value: a type of the workspace has a search key. */
export function hasSearchKeys(types: readonly EventType[] | undefined): boolean {
  return types?.some(({ searchKeys }) => searchKeys !== null) ?? false;
}
