import { RECOVERED_STATUSES, type recoverBody } from '@posthorn/contract/operations';
import type { z } from 'zod';
import { requireEndpointKey } from '../endpoints/endpoints.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid } from '../transport/error.ts';
import { keyRange, type StartOperation, startOperation } from './start-operation.ts';
import { tryOperation } from './try-operation.ts';

/**
 * Starts the recovery of the events that an endpoint did not receive in a time range, or only counts them
 * (docs/interface.md, Recovery).
 */
export async function recoverEndpoint(ctx: WorkspaceContext, id: string, body: z.output<typeof recoverBody>) {
  const { since = body.from, until = body.to, mode, eventTypes, statusClass, dryRun } = body;
  const names = { from: body.from === undefined ? 'since' : 'from', to: body.to === undefined ? 'until' : 'to' };
  const endpointId = await requireEndpointKey(ctx, id);
  const endpoint = await ctx.db.endpoint.findUniqueOrThrow({
    where: { id: endpointId },
    select: { isActive: true, environmentId: true },
  });
  if (!endpoint.isActive) throw invalid('isActive of the endpoint must be true for a recovery', 'path.id');
  const operation: StartOperation = {
    type: 'recovery',
    endpointId,
    filter: { since, until: until ?? null, mode, eventTypes: eventTypes ?? null, statusClass: statusClass ?? null },
    scope: {
      workspaceId: ctx.workspace.id,
      environmentId: endpoint.environmentId,
      eventTypes,
      statuses: RECOVERED_STATUSES[mode],
      responseClasses: statusClass,
      missed: mode !== 'failed',
      ...keyRange(ctx, { from: since, to: until }, names),
    },
  };
  return dryRun ? ctx.inListTurn(() => tryOperation(ctx, operation)) : startOperation(ctx, operation);
}
