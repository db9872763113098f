import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { FilterEditor } from '../../../components/filter/filter-editor.tsx';
import { usePlace } from '../../place.ts';
import { subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import type { SubscriptionRow } from './subscription-columns.tsx';
import { useSamples } from './use-samples.ts';

type Props = { endpointId: string; row: SubscriptionRow; onSaved: () => void };

/** Edits the filter of one subscription. */
export function EditFilter({ endpointId, row, onSaved }: Props) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const samples = useSamples(row);
  const path = { workspaceId: workspace.id, id: endpointId, eventTypeId: row.id };
  const save = async (filter: string) => {
    await client.PATCH('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions/{eventTypeId}', {
      params: { path },
      body: { filter: {} },
      bodySerializer: () => `{"filter":${filter}}`,
    });
    await queryClient.invalidateQueries({ queryKey: subscriptionsQuery(workspace.id, endpointId).queryKey });
    onSaved();
  };
  const test = async (filter: string, payload: string) => {
    const { data } = await client.POST('/api/workspaces/{workspaceId}/filters/test', {
      params: { path: { workspaceId: workspace.id } },
      body: { filter: {}, payload: null },
      bodySerializer: () => `{"filter":${filter},"payload":${payload}}`,
    });
    if (data === undefined) throw new Error('The answer is not a result');
    return data;
  };
  return <FilterEditor filter={row.subscription?.filter ?? null} samples={samples} test={test} save={save} />;
}
