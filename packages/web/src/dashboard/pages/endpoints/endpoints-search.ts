/** The filters of the list, as its address has them. */
export type EndpointsSearch = { search?: string; state?: 'active' | 'inactive'; customer?: string };

export function readEndpointsSearch({ search, state, customer }: Record<string, unknown>): EndpointsSearch {
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(typeof customer === 'string' && customer !== '' && { customer }),
    ...((state === 'active' || state === 'inactive') && { state }),
  };
}

/** Whether an endpoint matches the filters; the text is searched in its URL, its description and its id. */
export function matchesEndpoint(
  { search = '', state, customer }: EndpointsSearch,
  endpoint: { id: string; url: string; description: string; isActive: boolean; applicationId: string | null },
): boolean {
  if (state !== undefined && endpoint.isActive !== (state === 'active')) return false;
  if (customer !== undefined && endpoint.applicationId !== customer) return false;
  const wanted = search.toLowerCase();
  return [endpoint.url, endpoint.description, endpoint.id].some((text) => text.toLowerCase().includes(wanted));
}
