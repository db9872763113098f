import { DELIVERY_STATUSES } from '@posthorn/contract/deliveries';
import type { bulkBody } from '@posthorn/contract/operations';
import type { z } from 'zod';
import type { WorkspaceContext } from '../http/context.ts';
import { requireEverEndpoint, requireEverEnvironment } from '../http/history-filters.ts';
import { keyRange, startOperation } from './start-operation.ts';
import { tryOperation } from './try-operation.ts';

/** The deliveries that each type can act on. */
const ACTS_ON = {
  retry: DELIVERY_STATUSES.filter((status) => status !== 'delivering'),
  cancel: ['pending', 'scheduled_retry'],
} as const;

/** Starts a retry or a cancel of every delivery that the filter matches, or only counts them (docs/interface.md, Bulk). */
export async function startBulk(
  ctx: WorkspaceContext,
  type: keyof typeof ACTS_ON,
  { filter, dryRun }: z.output<typeof bulkBody>,
) {
  const { endpoint_id, environment_id, event_type: eventType, status, from, to } = filter;
  const endpointId = endpoint_id === undefined ? undefined : (await requireEverEndpoint(ctx, endpoint_id)).id;
  const environmentId = environment_id === undefined ? undefined : await requireEverEnvironment(ctx, environment_id);
  const operation = {
    type,
    endpointId,
    filter,
    scope: {
      workspaceId: ctx.workspace.id,
      environmentId,
      eventTypes: eventType === undefined ? undefined : [eventType],
      statuses: ACTS_ON[type].filter((one) => status === undefined || one === status),
      missed: false,
      ...keyRange(ctx, { from, to }, { from: 'filter.from', to: 'filter.to' }),
    },
  };
  return dryRun ? ctx.inListTurn(() => tryOperation(ctx, operation)) : startOperation(ctx, operation);
}
