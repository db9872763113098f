import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../../place.ts';
import { endpointTypesQuery } from '../endpoints/endpoint-queries.ts';

/** What holds for an endpoint whose config sets nothing else; undefined until it is known. */
export function useEndpointDefaults() {
  const { workspace } = usePlace();
  const { data: kinds } = useQuery(endpointTypesQuery(workspace.id));
  // They are the same for every type.
  return kinds?.[0]?.defaults;
}
