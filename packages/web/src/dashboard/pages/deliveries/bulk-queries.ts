import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { DryRun, Operation } from '../../../client/resources.ts';
import { spanAround, startOf } from '../../../components/time-range.ts';
import type { Place } from '../../place.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';

const PATHS = {
  retry: '/api/workspaces/{workspaceId}/deliveries/retry',
  cancel: '/api/workspaces/{workspaceId}/deliveries/cancel',
} as const;

export type BulkAction = keyof typeof PATHS;
export type BulkFilter = ReturnType<typeof bulkFilter>;

/** The list's filters for a bulk action. They end now, so that the operation selects what the dry run counted. */
export function bulkFilter({ environment }: Place, search: DeliveriesSearch, nowMs: number) {
  const around = spanAround(search.at);
  const from = around?.from ?? startOf(search.since, nowMs);
  const now = new Date(nowMs).toISOString();
  return {
    environmentId: environment.id,
    ...(search.status && { statuses: [search.status] }),
    ...(search.endpoint && { endpointId: search.endpoint }),
    ...(search.customer && { applicationId: search.customer }),
    ...(search.type && { eventTypes: [search.type] }),
    ...(from && { from }),
    to: around !== undefined && around.to < now ? around.to : now,
  };
}

/** Counts what a bulk action would select now. Changes nothing. */
export const bulkDryRunQuery = (workspaceId: string, action: BulkAction, filter: BulkFilter) =>
  queryOptions({
    queryKey: ['bulk dry run', workspaceId, action, filter],
    queryFn: async (): Promise<DryRun> => {
      const body = { filter, dryRun: true };
      const { data } = await client.POST(PATHS[action], { params: { path: { workspaceId } }, body });
      if (data === undefined || !('oldest' in data)) throw new Error('The answer is not a dry run');
      return data;
    },
    gcTime: 0,
  });

/** Starts the bulk action. */
export async function startBulk(workspaceId: string, action: BulkAction, filter: BulkFilter): Promise<Operation> {
  const body = { filter, dryRun: false };
  const { data } = await client.POST(PATHS[action], { params: { path: { workspaceId } }, body });
  if (data === undefined || 'oldest' in data) throw new Error('The answer is not an operation');
  return data;
}
