import { toId } from '@posthorn/contract/ids';
import { type DoctorReport, doctorReport } from '@posthorn/contract/probes';
import { requireKind } from '@posthorn/destinations/kinds';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { lockEndpoint, requireEndpointKey } from './endpoints.ts';
import { admitted, askDispatcher, noDispatcher } from './probe-endpoint.ts';

/** The dispatcher ends this much earlier, so that its reply arrives in time. */
const REPLY_MS = 2_000;
/** The least time between two examinations of an endpoint. */
const PAUSE_MS = 10_000;

/** Examines an endpoint by a dispatcher and returns its report (docs/interface.md, Doctor). The report is not stored. */
export async function examineEndpoint(ctx: WorkspaceContext, id: string): Promise<DoctorReport> {
  const endpointId = await requireEndpointKey(ctx, id);
  const limits = { kind: 'doctor', mostOfEndpoint: 1, pauseMs: PAUSE_MS, endpointId } as const;
  await refuseUnexaminable(ctx, endpointId);
  return admitted(ctx, limits, async (probe) => {
    await enterExamination(ctx, id);
    const task = { kind: 'doctor', endpointId, workspaceId: ctx.workspace.id } as const;
    const outcome = await askDispatcher(ctx, probe, { ...task, endsWithinMs: ctx.timing.examinationMs - REPLY_MS });
    if (outcome === undefined || outcome.kind === 'not_begun') {
      throw noDispatcher(
        `No dispatcher has begun the examination within ${ctx.timing.probeBeginsWithinMs / 1_000} seconds`,
      );
    }
    if (outcome.kind === 'replied' && outcome.reply === null) {
      // An endpoint that was deleted meanwhile is `not_found`.
      await requireEndpointKey(ctx, id);
      throw new ApiError('unavailable', UNREADABLE, { 'Retry-After': '10' });
    }
    const report = outcome.kind === 'replied' ? doctorReport.safeParse(outcome.reply) : undefined;
    if (report?.success !== true) {
      throw new ApiError('unavailable', 'The dispatcher has not finished the examination', { 'Retry-After': '10' });
    }
    return report.data;
  });
}

const UNREADABLE = 'No request can be made to the endpoint: its secrets cannot be decrypted with SEALING_KEYS';

async function refuseUnexaminable({ db }: WorkspaceContext, endpointId: string): Promise<void> {
  const { type } = await db.endpoint.findUniqueOrThrow({ where: { id: endpointId }, select: { type: true } });
  const { whyNotExamined } = requireKind(type);
  if (whyNotExamined !== null) throw invalid(whyNotExamined, 'path.id');
}

function enterExamination(ctx: WorkspaceContext, id: string): Promise<void> {
  return ctx.change('endpoint.examined', async (transaction) => {
    const { id: endpointId, applicationId, environmentId } = await lockEndpoint(ctx, transaction, id);
    return { result: undefined, entry: { resourceId: toId('ep', endpointId), applicationId, environmentId } };
  });
}
