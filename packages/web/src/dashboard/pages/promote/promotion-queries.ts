import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import { readAgain } from '../../../client/by-pages.ts';
import type { Endpoint, Environment, EnvironmentDiff, PromoteEnvironmentBody } from '../../../client/resources.ts';

export type Pair = { from: Environment; to: Environment };

export const diffQuery = (workspaceId: string, { from, to }: Pair) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/environments/{environmentId}/diff/{targetId}',
    { params: { path: { workspaceId, environmentId: from.id, targetId: to.id } } },
    { staleTime: 0 },
  );

/** The endpoints by id. */
export function endpointsById(endpoints: readonly Endpoint[]): Map<string, Endpoint> {
  return new Map(endpoints.map((one) => [one.id, one]));
}

export type Wanted = {
  settings: boolean;
  eventTypes: string[];
  endpoints: { endpointId: string; url?: string }[];
  sources: { sourceId: string; place?: { brokers: string[]; topics: string[] } }[];
  prune: boolean;
};

/** Applies a part of the plan. Afterwards everything on the page may be out of date. */
export function usePromote(workspaceId: string, { from, to }: Pair, onDone: (applied: EnvironmentDiff) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: Wanted) => {
      const { data } = await client.POST(
        '/api/workspaces/{workspaceId}/environments/{environmentId}/promote/{targetId}',
        {
          params: { path: { workspaceId, environmentId: from.id, targetId: to.id } },
          // The other fields of a place have defaults.
          body: { ...wanted, dryRun: false } as PromoteEnvironmentBody,
        },
      );
      if (data === undefined) throw new Error('The answer was empty.');
      return data.applied;
    },
    onSuccess: async (applied) => {
      await readAgain(queryClient);
      onDone(applied);
    },
  });
}
