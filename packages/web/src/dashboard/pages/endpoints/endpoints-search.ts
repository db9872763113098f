import { isText, searchOf } from '../../search-of.ts';

export const readEndpointsSearch = searchOf({ search: isText, state: isState, customer: isText });

type EndpointsSearch = ReturnType<typeof readEndpointsSearch>;

function isState(value: unknown): value is 'active' | 'inactive' {
  return value === 'active' || value === 'inactive';
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
