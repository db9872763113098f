import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../place.ts';
import { endpointTypesQuery } from '../endpoints/endpoint-queries.ts';

/** The defaults for settings that an endpoint's config leaves out; undefined until they are known. */
export function useEndpointDefaults() {
  const { workspace } = usePlace();
  const { data: kinds } = useQuery(endpointTypesQuery(workspace.id));
  // All types have the same defaults.
  return kinds?.[0]?.defaults;
}
