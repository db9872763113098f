import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../client/api.ts';
import { type KeyChanges, keyOf } from '../../components/pull/key-changes.ts';
import { PullPanel } from '../../components/pull/pull-panel.tsx';
import { endpointQuery, type PortalEndpoint, useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';

const KEYS = '/api/portal/endpoints/{id}/pull-keys';
const EVERY_MS = 10_000;

/** The messages that wait at a pull endpoint, and the keys of the customer's programs. */
export function PullTab({ endpoint }: { endpoint: PortalEndpoint }) {
  const mayChange = useMay('endpoints:write');
  const readAgain = useReadAgain();
  const path = { id: endpoint.id };
  const { data } = useQuery({ ...endpointQuery(endpoint.id, false), refetchInterval: EVERY_MS });
  const keys = useQuery({ ...api.queryOptions('get', KEYS, { params: { path } }), enabled: mayChange });
  const changes: KeyChanges = {
    create: (name) => client.POST(KEYS, { params: { path }, body: { name } }).then(keyOf).finally(readAgain),
    remove: (keyId) => client.DELETE(`${KEYS}/{keyId}`, { params: { path: { ...path, keyId } } }).finally(readAgain),
  };
  return <PullPanel endpoint={data ?? endpoint} keys={keys} changes={mayChange ? changes : undefined} />;
}
