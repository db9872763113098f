import { namedEventType } from '@posthorn/contract/event-types';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { isOperational } from '@posthorn/contract/operational-events';
import type { PageQuery } from '@posthorn/contract/primitives';
import { type subscribeBody, subscription } from '@posthorn/contract/subscriptions';
import { Prisma } from '@posthorn/db/generated/client';
import type { z } from 'zod';
import { diff } from '../audit/change.ts';
import { lockEndpoint, requireEndpointKey } from '../endpoints/endpoints.ts';
import { publishedWithin, refuseDeletedType, requireEventType, visibleTypes } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { invalid, notFound } from '../transport/error.ts';
import { type FilterColumn, requireFilter } from './filters.ts';

/** An endpoint's subscriptions, oldest first. */
export async function listSubscriptions(ctx: WorkspaceContext, endpointId: string, query: PageQuery) {
  const endpointKey = await requireEndpointKey(ctx, endpointId);
  return listRows(ctx, query, {
    name: ['subscriptions', endpointKey],
    read: ({ after, take }) =>
      ctx.db.subscription.findMany({
        where: { endpointId: endpointKey, ...shownIn(ctx), ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        include: { eventType: { select: { name: true } } },
        take,
      }),
    present: presentSubscription,
  });
}

type SubscriptionRow = {
  id: string;
  eventTypeId: string;
  eventType: { name: string };
  filter: unknown;
  pattern: string | null;
  createdAt: Date;
};

function presentSubscription(row: SubscriptionRow) {
  return {
    id: toId('sub', row.id),
    eventTypeId: toId('evt', row.eventTypeId),
    ...namedEventType(row.eventType.name),
    filter: storedFilter.parse(row.filter),
    pattern: row.pattern,
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * The condition for subscriptions that the caller may see. A pattern also subscribes to types that are not published,
 * whose names a customer must not learn.
 */
function shownIn(ctx: WorkspaceContext): Prisma.SubscriptionWhereInput {
  if (ctx.bounds.applicationId === undefined) return {};
  return { OR: [{ pattern: null }, { eventType: publishedWithin(ctx) }] };
}

const storedFilter = subscription.shape.filter;

/**
 * Subscribes an endpoint to event types, with the filter. Types that it already subscribes to are skipped and not counted. If
 * one id is unknown, nothing is subscribed. The portal knows only the types that are published in its environment.
 */
export async function subscribe(
  ctx: WorkspaceContext,
  endpointId: string,
  { eventTypeIds, filter: given }: z.output<typeof subscribeBody>,
) {
  const filter = requireFilter(given ?? null);
  const wanted = [...new Set(eventTypeIds)];
  const uuids = wanted.map((id) => fromId('evt', id)).filter((uuid) => uuid !== undefined);
  if (uuids.length < wanted.length) {
    await requireEndpointKey(ctx, endpointId);
    throw notFound('Event type');
  }
  return ctx
    .change('subscription.created', async (transaction) => {
      const endpoint = await lockEndpoint(ctx, transaction, endpointId);
      const found = await transaction.eventType.findMany({
        where: { id: { in: uuids }, workspaceId: ctx.workspace.id, ...publishedWithin(ctx) },
        select: { name: true },
      });
      if (found.length < uuids.length) throw notFound('Event type');
      if (endpoint.applicationId !== null) refuseOperational(found);
      // Subscriptions that a pattern made are now the endpoint's own.
      const byPattern = await transaction.subscription.findMany({
        where: { endpointId: endpoint.id, eventTypeId: { in: uuids }, pattern: { not: null } },
        select: { id: true, eventTypeId: true, pattern: true },
      });
      await transaction.subscription.updateMany({
        where: { id: { in: byPattern.map(({ id }) => id) } },
        data: { pattern: null },
      });
      const created = await transaction.subscription.createManyAndReturn({
        data: uuids.map((eventTypeId) => ({
          id: newUuid(ctx.clock.now()),
          endpointId: endpoint.id,
          eventTypeId,
          filter: toColumn(filter),
        })),
        skipDuplicates: true,
        select: { eventTypeId: true },
      });
      const eventTypeIds = { from: [], to: created.map((row) => toId('evt', row.eventTypeId)) };
      const made = byPattern.map(({ eventTypeId, pattern }) => [toId('evt', eventTypeId), pattern] as const);
      const patterns = { from: Object.fromEntries(made), to: Object.fromEntries(made.map(([id]) => [id, null])) };
      const changes = { ...(created.length > 0 && { eventTypeIds }), ...(made.length > 0 && { patterns }) };
      const { applicationId, environmentId } = endpoint;
      const note = { resourceId: toId('ep', endpoint.id), changes, applicationId, environmentId };
      const action = created.length > 0 ? 'subscription.created' : 'subscription.updated';
      const isNoop = created.length + made.length === 0;
      return { result: { subscribed: created.length }, entry: isNoop ? null : { action, ...note } };
    })
    .catch(refuseDeletedType);
}

/** Operational events are about the whole workspace, so no customer gets them. */
function refuseOperational(eventTypes: readonly { name: string }[]): void {
  const operational = eventTypes.find(({ name }) => isOperational(name));
  if (operational === undefined) return;
  throw invalid(
    `eventTypeIds must not name ${operational.name}: an endpoint of an application gets no operational events`,
    'eventTypeIds',
  );
}

export async function getSubscription(ctx: WorkspaceContext, endpointId: string, eventTypeId: string) {
  const endpointKey = await requireEndpointKey(ctx, endpointId);
  const eventType = await requireEventType(ctx, ctx.db, eventTypeId, knownAt(ctx, endpointKey));
  const row = await ctx.db.subscription.findUnique({
    where: { endpointId_eventTypeId: { endpointId: endpointKey, eventTypeId: eventType.id } },
    include: { eventType: { select: { name: true } } },
  });
  if (row === null) throw notFound('Subscription');
  return presentSubscription(row);
}

/** Replaces a subscription's filter; null removes it. It applies to the events that are fanned out from now on. */
export async function updateSubscription(
  ctx: WorkspaceContext,
  { endpointId, eventTypeId }: { endpointId: string; eventTypeId: string },
  given: unknown,
) {
  const filter = requireFilter(given);
  return ctx.change('subscription.updated', async (transaction) => {
    const endpoint = await lockEndpoint(ctx, transaction, endpointId);
    const eventType = await requireEventType(ctx, transaction, eventTypeId, knownAt(ctx, endpoint.id));
    const key = { endpointId: endpoint.id, eventTypeId: eventType.id };
    const include = { eventType: { select: { name: true } } };
    const before = await transaction.subscription.findUnique({ where: { endpointId_eventTypeId: key }, include });
    if (before === null) throw notFound('Subscription');
    const changes = diff({ filter: before.filter }, { filter });
    // If the same filter was sent back, the subscription still belongs to its pattern.
    if (Object.keys(changes).length === 0) return { result: presentSubscription(before), entry: null };
    const data = { filter: toColumn(filter), pattern: null };
    const row = await transaction.subscription.update({ where: { id: before.id }, data, include });
    const { applicationId, environmentId } = endpoint;
    const entry = { resourceId: toId('ep', endpoint.id), changes, applicationId, environmentId };
    return { result: presentSubscription(row), entry };
  });
}

/** The types that the caller may know, with those to which the endpoint subscribes. */
function knownAt(ctx: WorkspaceContext, endpointId: string): Prisma.EventTypeWhereInput {
  if (ctx.bounds.applicationId === undefined) return {};
  return { OR: [visibleTypes(ctx), { subscriptions: { some: { endpointId, pattern: null } } }] };
}

/** Ends a subscription; `not_found` when the endpoint does not subscribe to the type. */
export async function unsubscribe(ctx: WorkspaceContext, endpointId: string, eventTypeId: string) {
  return ctx.change('subscription.deleted', async (transaction) => {
    const endpoint = await lockEndpoint(ctx, transaction, endpointId);
    const eventType = await requireEventType(ctx, transaction, eventTypeId, knownAt(ctx, endpoint.id));
    const { count } = await transaction.subscription.deleteMany({
      where: { endpointId: endpoint.id, eventTypeId: eventType.id },
    });
    if (count === 0) throw notFound('Subscription');
    const changes = { eventTypeIds: { from: [toId('evt', eventType.id)], to: [] } };
    const { applicationId, environmentId } = endpoint;
    return {
      result: undefined,
      entry: { resourceId: toId('ep', endpoint.id), changes, applicationId, environmentId },
    };
  });
}

function toColumn(filter: FilterColumn | null) {
  return filter ?? Prisma.DbNull;
}
