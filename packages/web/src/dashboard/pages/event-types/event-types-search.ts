/** The filter of the list, as its address has it. */
export type EventTypesSearch = { search?: string };

export function readEventTypesSearch({ search }: Record<string, unknown>): EventTypesSearch {
  return typeof search === 'string' && search !== '' ? { search } : {};
}
