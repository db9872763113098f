import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { AttemptCharts } from '../../../components/stats/attempt-charts.tsx';
import { usePlace } from '../../place.ts';

const EVERY_MS = 10_000;

/** The attempts of the last 24 hours, by hour. Without a range, the service returns these. */
const statsQuery = (workspaceId: string, endpointId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    { params: { path: { workspaceId }, query: { step: 'hour', endpoint_id: endpointId } } },
    { refetchInterval: EVERY_MS },
  );

/** Charts of attempts by outcome and of their durations. */
export function EndpointStats({ endpointId }: { endpointId: string }) {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(statsQuery(workspace.id, endpointId));
  return <AttemptCharts span="last 24 h" stats={data} error={error} onRetry={() => void refetch()} />;
}
