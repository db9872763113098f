/** The filters of the list, as its address has them. */
export type EndpointsSearch = { search?: string; state?: 'active' | 'inactive' };

export function readEndpointsSearch({ search, state }: Record<string, unknown>): EndpointsSearch {
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...((state === 'active' || state === 'inactive') && { state }),
  };
}

/** Whether an endpoint matches the filters; the text is searched in its URL, its description and its id. */
export function matchesEndpoint(
  { search = '', state }: EndpointsSearch,
  endpoint: { id: string; url: string; description: string; isActive: boolean },
): boolean {
  if (state !== undefined && endpoint.isActive !== (state === 'active')) return false;
  const wanted = search.toLowerCase();
  return [endpoint.url, endpoint.description, endpoint.id].some((text) => text.toLowerCase().includes(wanted));
}
