import { toId } from '@posthorn/contract/ids';
import { type SourceTest, sourceTest } from '@posthorn/contract/sources';
import { admitted, askDispatcher, noDispatcher } from '../endpoints/probe-endpoint.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { requireSource } from './sources.ts';

const TEST_MS = 30_000;
/** The least time between two tests of a source. */
const PAUSE_MS = 5_000;

/** Lets a dispatcher connect to the brokers and read one record. It moves nothing and stores nothing but its audit entry. */
export async function testSource(ctx: WorkspaceContext, id: string): Promise<SourceTest> {
  const { id: sourceId } = await requireSource(ctx, ctx.db, id);
  // For these limits, a source counts as an endpoint.
  const limits = { kind: 'source', mostOfEndpoint: 1, pauseMs: PAUSE_MS, endpointId: sourceId } as const;
  return admitted(ctx, limits, async (probe) => {
    await ctx.change('source.tested', async (transaction) => {
      const { environmentId } = await requireSource(ctx, transaction, id);
      return { result: undefined, entry: { resourceId: toId('src', sourceId), environmentId } };
    });
    const task = { kind: 'source', sourceId, workspaceId: ctx.workspace.id } as const;
    const outcome = await askDispatcher(ctx, probe, { ...task, endsWithinMs: TEST_MS });
    if (outcome === undefined || outcome.kind === 'not_begun') {
      throw noDispatcher(`No dispatcher has begun the test within ${ctx.timing.probeBeginsWithinMs / 1_000} seconds`);
    }
    // A source that was deleted meanwhile is not found.
    if (outcome.kind === 'replied' && outcome.reply === null) await requireSource(ctx, ctx.db, id);
    const answer = outcome.kind === 'replied' ? sourceTest.safeParse(outcome.reply) : undefined;
    if (answer?.success === true) return answer.data;
    throw new ApiError('unavailable', 'The dispatcher has not finished the test', { 'Retry-After': '10' });
  });
}
