import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { type KeyChanges, keyOf } from '../../../components/pull/key-changes.ts';
import { PullPanel } from '../../../components/pull/pull-panel.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { endpointWithStatsQuery } from '../endpoints/endpoint-queries.ts';

const KEYS = '/api/workspaces/{workspaceId}/endpoints/{id}/pull-keys';

/** The messages that wait at a pull endpoint, and the keys of the programs that fetch them. */
export function PullTab({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const isEditor = mayChange(place);
  const path = { workspaceId: place.workspace.id, id: endpoint.id };
  const current = endpointWithStatsQuery(place.workspace.id, endpoint.id);
  const { data } = useQuery(current);
  const keysQuery = api.queryOptions('get', KEYS, { params: { path } });
  const keys = useQuery({ ...keysQuery, enabled: isEditor });
  const readAgain = () =>
    Promise.all([current, keysQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
  const changes: KeyChanges = {
    create: (name) => client.POST(KEYS, { params: { path }, body: { name } }).then(keyOf).finally(readAgain),
    remove: (keyId) => client.DELETE(`${KEYS}/{keyId}`, { params: { path: { ...path, keyId } } }).finally(readAgain),
  };
  return (
    <PullPanel
      endpoint={data ?? { id: endpoint.id, pull: null }}
      keys={keys}
      changes={isEditor ? changes : undefined}
    />
  );
}
