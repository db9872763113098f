/** The filter of the list, as its address has it. */
export type CustomersSearch = { search?: string };

export function readCustomersSearch({ search }: Record<string, unknown>): CustomersSearch {
  return typeof search === 'string' && search !== '' ? { search } : {};
}
