import type { Endpoint } from '../../../client/resources.ts';
import { isText, searchOf } from '../../search-of.ts';

export const readEndpointsSearch = searchOf({ search: isText, state: isState, customer: isText });

type EndpointsSearch = ReturnType<typeof readEndpointsSearch>;

function isState(value: unknown): value is 'active' | 'inactive' {
  return value === 'active' || value === 'inactive';
}

/** True if an endpoint matches the filters. The text is searched in its URL or target, its description and its id. */
export function matchesEndpoint(
  { search = '', state, customer }: EndpointsSearch,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'target' | 'description' | 'isActive' | 'applicationId'>,
): boolean {
  if (state !== undefined && endpoint.isActive !== (state === 'active')) return false;
  if (customer !== undefined && endpoint.applicationId !== customer) return false;
  const wanted = search.toLowerCase();
  const texts = [endpoint.url, endpoint.target, endpoint.description, endpoint.id];
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
