export type OperationalEventsSearch = { endpoint?: string };

/** Reads which endpoint an address is about. */
export function readOperationalEventsSearch({ endpoint }: Record<string, unknown>): OperationalEventsSearch {
  return typeof endpoint === 'string' && endpoint !== '' ? { endpoint } : {};
}
