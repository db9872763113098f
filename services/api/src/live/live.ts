import { LIMITS } from '@posthorn/contract/limits';
import type { liveQuery } from '@posthorn/contract/live';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { environmentsAsked, requireEverEndpoint } from '../operation/history-filters.ts';
import { ApiError } from '../transport/error.ts';
import type { LiveStream } from './stream.ts';

/**
 * Streams the changes of a workspace's deliveries, and its accepted events, from now on (docs/interface.md, Live view).
 */
export async function openLive(ctx: WorkspaceContext, query: z.output<typeof liveQuery>): Promise<LiveStream> {
  const { environment_id: environment, endpoint_id: endpoint, status } = query;
  const filter = {
    environmentIds: await environmentsAsked(ctx, environment),
    endpointId: endpoint === undefined ? undefined : (await requireEverEndpoint(ctx, endpoint, environment)).id,
    applicationId: ctx.bounds.applicationId,
    status,
  };
  const stream = await ctx.live.open(ctx.workspace.id, filter).catch(() => {
    throw new ApiError('unavailable', 'The live view cannot be reached right now; try again', { 'Retry-After': '1' });
  });
  if (stream === undefined) {
    throw new ApiError(
      'limit_reached',
      `A workspace has at most ${LIMITS.liveStreamsPerWorkspace} live streams, all its portals ${LIMITS.liveStreamsOfPortals}, the portal of an application ${LIMITS.liveStreamsPerApplication}`,
    );
  }
  return stream;
}
