import { client } from '../../client/api.ts';
import type { DryRun, Operation } from '../../client/resources.ts';
import type { RecoveryBody } from '../../components/recover/recovery-draft.ts';

const PATH = '/api/workspaces/{workspaceId}/endpoints/{id}/recover';

type Target = { workspaceId: string; id: string };

/** What a recovery would select now; nothing changes. */
export async function countRecovery(path: Target, body: RecoveryBody): Promise<DryRun> {
  const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: true } });
  if (data === undefined || !('oldest' in data)) throw new Error('The answer is not a dry run');
  return data;
}

/** Starts the recovery. */
export async function startRecovery(path: Target, body: RecoveryBody): Promise<Operation> {
  const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: false } });
  if (data === undefined || 'oldest' in data) throw new Error('The answer is not an operation');
  return data;
}
