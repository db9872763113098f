import type { WorkspaceContext } from '../operation/context.ts';

type Kept = Pick<WorkspaceContext, 'settings'> & {
  workspace: Pick<WorkspaceContext['workspace'], 'payloadRetentionHours' | 'retentionHours'>;
};

const HOUR_MS = 3_600_000;

/** How long the lists and statistics of the workspace go back: never longer than the installation's. */
export function retentionMs({ workspace, settings }: Kept): number {
  return Math.min(settings.retentionDays * 24, workspace.retentionHours ?? Number.POSITIVE_INFINITY) * HOUR_MS;
}

/** How long the payloads of the workspace are kept, and the bodies and headers that attempts sent and received. */
export function payloadRetentionMs(kept: Kept): number {
  return Math.min(retentionMs(kept), (kept.workspace.payloadRetentionHours ?? Number.POSITIVE_INFINITY) * HOUR_MS);
}
