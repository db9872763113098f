import { DELIVERY_STATUSES } from '@posthorn/contract/deliveries';
import { toId } from '@posthorn/contract/ids';
import type { bulkBody } from '@posthorn/contract/operations';
import type { z } from 'zod';
import { reachedEnvironments } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverApplication, requireEverEndpoint, requireEverEnvironment } from '../operation/history-filters.ts';
import { invalid } from '../transport/error.ts';
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
  const { endpoint, environment, application, eventTypes, statuses, from, to } = wantedBy(filter);
  const only =
    endpoint === undefined ? undefined : await requireEverEndpoint(ctx, endpoint, environment, 'filter.environmentId');
  const endpointId = only?.id;
  const environmentId =
    environment === undefined && only !== undefined ? only.environmentId : await environmentAsked(ctx, environment);
  const applicationId = application === undefined ? undefined : await requireEverApplication(ctx, application);
  const operation = {
    type,
    endpointId,
    filter: withIds(filter, { endpointId, applicationId }),
    scope: {
      workspaceId: ctx.workspace.id,
      environmentId,
      applicationId,
      eventTypes,
      statuses: ACTS_ON[type].filter((one) => statuses === undefined || statuses.includes(one)),
      missed: false,
      ...keyRange(ctx, { from, to }, { from: 'filter.from', to: 'filter.to' }),
    },
  };
  return dryRun ? ctx.inListTurn(() => tryOperation(ctx, operation)) : startOperation(ctx, operation);
}

/** The filter without external ids: they may name a customer, and the filter is kept for longer than the customer. */
function withIds(
  filter: z.output<typeof bulkBody>['filter'],
  ids: Record<'endpointId' | 'applicationId', string | undefined>,
) {
  const { endpointId, applicationId } = ids;
  return {
    ...filter,
    ...(filter.endpointId === undefined || endpointId === undefined ? {} : { endpointId: toId('ep', endpointId) }),
    ...(filter.endpoint_id === undefined || endpointId === undefined ? {} : { endpoint_id: toId('ep', endpointId) }),
    ...(applicationId === undefined ? {} : { applicationId: toId('app', applicationId) }),
  };
}

/** The one environment of the operation; undefined for all. A token that reaches several must name one of them. */
async function environmentAsked(ctx: WorkspaceContext, given: string | undefined): Promise<string | undefined> {
  if (given !== undefined) return requireEverEnvironment(ctx, given);
  const reached = reachedEnvironments(ctx.bounds);
  if (reached !== undefined && reached.length > 1) {
    const field = 'filter.environmentId';
    throw invalid(`${field} is required: this token is bound to several environments`, field);
  }
  return reached?.[0];
}

/** The filter, whether it has the older or the newer names: the two are never given together. */
function wantedBy(filter: z.output<typeof bulkBody>['filter']) {
  const { event_type: eventType, status, from, to } = filter;
  return {
    endpoint: filter.endpointId ?? filter.endpoint_id,
    environment: filter.environmentId ?? filter.environment_id,
    application: filter.applicationId,
    eventTypes: filter.eventTypes ?? (eventType === undefined ? undefined : [eventType]),
    statuses: filter.statuses ?? (status === undefined ? undefined : [status]),
    from,
    to,
  };
}
