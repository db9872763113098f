import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import type { DryRun, Operation } from '../../client/resources.ts';
import type { RecoveryBody } from './recovery-draft.ts';

const PATH = '/api/workspaces/{workspaceId}/endpoints/{id}/recover';

type Target = { workspaceId: string; id: string };

/** What a recovery would select now; nothing changes. */
export const recoveryDryRunQuery = (path: Target, body: RecoveryBody | undefined) =>
  queryOptions({
    queryKey: ['recovery dry run', path, body],
    queryFn: async (): Promise<DryRun> => {
      if (body === undefined) throw new Error('The range is incomplete');
      const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: true } });
      if (data === undefined || !('oldest' in data)) throw new Error('The answer is no dry run');
      return data;
    },
    enabled: body !== undefined,
    gcTime: 0,
  });

/** Starts the recovery. */
export async function startRecovery(path: Target, body: RecoveryBody): Promise<Operation> {
  const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: false } });
  if (data === undefined || 'oldest' in data) throw new Error('The answer is no operation');
  return data;
}
