import type { SchemaMode } from '@posthorn/contract/environments';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { SourcePlace } from '@posthorn/contract/sources';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { SOURCE_TYPE } from '@posthorn/destinations/source-kind';
import type { Changes } from '../audit/change.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import { holdRoomInWorkspace } from '../endpoints/room-for-endpoints.ts';
import { changeEndpoint, type EndpointDraft, insertEndpoint } from '../endpoints/write-endpoint.ts';
import { setSchemaMode } from '../event-types/visibility.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { changeRow, requireRoomForSources } from '../sources/sources.ts';
import { ApiError, invalid } from '../transport/error.ts';
import type { EndpointChange, Plan, SourceChange, SubscriptionChanges } from './compare.ts';

/** The place of a new endpoint: its URL, or the `config.destination` of a kind without one. */
export type Place = { url: string | undefined; destination: Record<string, unknown> | undefined };

/** The places of new endpoints, by the key of the promoted endpoint. */
export type Places = ReadonlyMap<string, Place>;

export type Target = {
  environmentId: string;
  places: Places;
  /** The places from which new sources read, by the key of the promoted source. */
  sourcePlaces: ReadonlyMap<string, SourcePlace>;
};

/**
 * Applies a plan to an environment, in the caller's transaction. Returns the plan with the keys of created endpoints,
 * and the parts of an audit entry about the subscriptions of deleted ones.
 */
export async function applyPlan(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  plan: Plan,
  target: Target,
): Promise<{ applied: Plan; cascade: Changes }> {
  await applySettings(ctx, transaction, plan, target);
  await applyEventTypes(transaction, plan, target);
  // Delete endpoints first, so that there is room for new ones.
  const ids = plan.endpoints
    .filter(({ change }) => change === 'delete')
    .flatMap(({ targetEndpointId }) => targetEndpointId ?? []);
  const deleted: Changes =
    ids.length === 0 ? {} : await deleteEndpoints(transaction, { id: { in: ids } }, ctx.clock.now());
  const created = plan.endpoints.filter(({ change }) => change === 'create').length;
  if (created > 0) await holdRoomInWorkspace(ctx, transaction, created);
  const endpoints: EndpointChange[] = [];
  for (const change of plan.endpoints) endpoints.push(await applyEndpoint(ctx, transaction, change, target));
  await applySubscriptions(ctx, transaction, endpoints);
  const sources = await applySources(ctx, transaction, plan, target);
  // Leave out the deleted endpoints, which the plan names.
  const { endpoints: _named, ...cascade } = deleted;
  return { applied: { ...plan, endpoints, sources }, cascade };
}

/** A new source is inactive and has no credentials: somebody must give them, and activate it. */
async function applySources(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { sources }: Plan,
  { environmentId, sourcePlaces }: Target,
): Promise<SourceChange[]> {
  const created = sources.filter(({ change }) => change === 'create').length;
  if (created > 0) await requireRoomForSources(ctx, transaction, created);
  const applied: SourceChange[] = [];
  for (const change of sources) {
    const { targetSourceId: target, sourceId, fields } = change;
    const [name, config] = [fields.name?.to, fields.config?.to];
    if (target !== null) {
      await changeRow(ctx, transaction, target, { ...(name && { name }), ...(config && { config }) });
      applied.push(change);
      continue;
    }
    const now = ctx.clock.now();
    const id = newUuid(now);
    await transaction.source.create({
      data: {
        ...{ id, workspaceId: ctx.workspace.id, environmentId, promotedFrom: sourceId, type: SOURCE_TYPE },
        ...{ name: name ?? '', config: { ...sourcePlaces.get(sourceId), ...config } },
        ...{ isActive: false, createdAt: now, updatedAt: now },
      },
    });
    applied.push({ ...change, targetSourceId: id });
  }
  return applied;
}

async function applySettings(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { settings: { requireApplication } }: Plan,
  { environmentId }: Target,
) {
  if (requireApplication === undefined) return;
  await transaction.environment.update({
    where: { id: environmentId },
    data: { requireApplication: requireApplication.to, updatedAt: ctx.clock.now() },
  });
}

async function applyEventTypes(transaction: DbTransaction, { eventTypes }: Plan, { environmentId }: Target) {
  const idsOf = (wanted: string) =>
    eventTypes.filter(({ change }) => change === wanted).map(({ eventTypeId }) => eventTypeId);
  const published = idsOf('publish').map((eventTypeId) => ({ environmentId, eventTypeId }));
  await transaction.publishedEventType.createMany({ data: published, skipDuplicates: true });
  await transaction.publishedEventType.deleteMany({
    where: { environmentId, eventTypeId: { in: idsOf('unpublish') } },
  });
  for (const { eventTypeId, change, to } of eventTypes) {
    // A change of this kind has a mode.
    if (change === 'schema_mode') await setSchemaMode(transaction, { environmentId, eventTypeId }, to as SchemaMode);
  }
}

async function applyEndpoint(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  change: EndpointChange,
  { environmentId, places }: Target,
): Promise<EndpointChange> {
  const { endpointId, targetEndpointId: target, type, fields } = change;
  const draft = draftOf(fields);
  if (change.change === 'create') {
    const { url, destination } = places.get(endpointId) ?? {};
    const config = { ...draft.config, ...(destination && { destination }) };
    const id = newUuid(ctx.clock.now());
    const place = { environmentId, applicationId: null, promotedFrom: endpointId };
    await insertEndpoint(ctx, transaction, { id, type, draft: { ...draft, url, config }, ...place }, OWN_CREDENTIALS);
    return { ...change, targetEndpointId: id };
  }
  if (change.change === 'delete' || target === null || Object.keys(fields).length === 0) return change;
  const before = await transaction.endpoint.findUniqueOrThrow({ where: { id: target }, include: { secrets: true } });
  try {
    await changeEndpoint(ctx, transaction, before, draft, OWN_CREDENTIALS);
  } catch (error) {
    // Its own headers and secrets may not fit the promoted config.
    if (!(error instanceof ApiError)) throw error;
    throw invalid(`The endpoint ${toId('ep', target)}: ${error.message}`, 'endpoints');
  }
  return change;
}

/** The target has credentials of its own, or gets them later. */
const OWN_CREDENTIALS = { checksCredentials: false };

/** The config and the metadata of the source were checked when they were stored. */
function draftOf({ description, config, metadata, eventTypePatterns }: EndpointChange['fields']): EndpointDraft {
  return {
    description: description?.to,
    config: config?.to as EndpointDraft['config'],
    metadata: metadata?.to as EndpointDraft['metadata'],
    patterns: eventTypePatterns?.to,
  };
}

/**
 * Three statements, however many subscriptions: each raises the routing version of the environment once. A subscription
 * that a pattern made in the source belongs to that pattern in the target, too. So a subscription that was left out
 * there is left out here.
 */
async function applySubscriptions(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  changes: readonly EndpointChange[],
) {
  const rowsOf = (kind: keyof SubscriptionChanges) =>
    changes
      .filter(({ change }) => change !== 'delete')
      .flatMap(({ targetEndpointId, subscriptions }) =>
        subscriptions[kind].map((one) => ({
          id: newUuid(ctx.clock.now()),
          endpointId: targetEndpointId,
          eventTypeId: one.eventTypeId,
          filter: 'to' in one ? one.to : one.filter,
          pattern: one.pattern,
        })),
      );
  const [added, removed, changed] = [rowsOf('add'), rowsOf('remove'), [...rowsOf('change'), ...rowsOf('move')]];
  if (added.length > 0) {
    await transaction.$executeRaw`insert into subscription (id, endpoint_id, event_type_id, filter, pattern)
      select id, endpoint_id, event_type_id, filter::json, pattern from ${listsOf(added)}
      on conflict (endpoint_id, event_type_id) do nothing`;
  }
  if (removed.length > 0) {
    await transaction.$executeRaw`delete from subscription s using ${listsOf(removed)}
      where s.endpoint_id = w.endpoint_id and s.event_type_id = w.event_type_id`;
  }
  if (changed.length > 0) {
    await transaction.$executeRaw`update subscription s set filter = w.filter::json, pattern = w.pattern from ${listsOf(changed)}
      where s.endpoint_id = w.endpoint_id and s.event_type_id = w.event_type_id`;
  }
}

type SubscriptionRow = {
  id: string;
  endpointId: string | null;
  eventTypeId: string;
  filter: unknown;
  pattern: string | null;
};

/** Filters are texts here: a JSON column keeps U+0000 in a filter, but Postgres' functions that read JSON refuse it. */
function listsOf(rows: readonly SubscriptionRow[]): Prisma.Sql {
  return Prisma.sql`unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.endpointId)}::uuid[],
      ${rows.map((row) => row.eventTypeId)}::uuid[],
      ${rows.map(({ filter }) => (filter === null ? null : JSON.stringify(filter)))}::text[],
      ${rows.map(({ pattern }) => pattern)}::text[]
    ) as w(id, endpoint_id, event_type_id, filter, pattern)`;
}
