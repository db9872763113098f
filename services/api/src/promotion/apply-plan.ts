import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import type { SchemaMode } from '@posthorn/contract/environments';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { hasDestination, isPulled, requireKind, urlWithoutServer } from '@posthorn/destinations/kinds';
import type { Changes } from '../audit/change.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import { endpointColumns } from '../endpoints/endpoint-columns.ts';
import { holdRoomForKind, holdRoomInWorkspace } from '../endpoints/room-for-endpoints.ts';
import { refuseHeadersTwice, type SecretHeaders } from '../endpoints/secret-headers.ts';
import { chooseSecret, createKeyPair, refuseSecretsForStandard, storeSecret } from '../endpoints/secrets.ts';
import { setSchemaMode } from '../event-types/visibility.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { patternColumn } from '../subscriptions/patterns.ts';
import { ApiError, invalid } from '../transport/error.ts';
import type { EndpointChange, Plan, SubscriptionChanges } from './compare.ts';

export type Target = {
  environmentId: string;
  /** By the key of the promoted endpoint, the URL of the endpoint to create. */
  urls: ReadonlyMap<string, string>;
  /** By the same key, the `config.destination` of an endpoint to create whose kind has no URL. */
  destinations: ReadonlyMap<string, Record<string, unknown>>;
};

/**
 * Applies a plan to an environment, in the caller's transaction. Returns the plan with the keys of created endpoints, and
 * the parts of an audit entry that tell of the subscriptions of deleted ones.
 */
export async function applyPlan(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  plan: Plan,
  target: Target,
): Promise<{ applied: Plan; cascade: Changes }> {
  await applySettings(ctx, transaction, plan, target);
  await applyEventTypes(transaction, plan, target);
  // First, so that deleted endpoints leave room.
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
  // The plan names the deleted endpoints.
  const { endpoints: _named, ...cascade } = deleted;
  return { applied: { ...plan, endpoints }, cascade };
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
  target: Target,
): Promise<EndpointChange> {
  switch (change.change) {
    case 'create':
      return { ...change, targetEndpointId: await createTarget(ctx, transaction, change, target) };
    case 'update':
      await updateTarget(ctx, transaction, change);
      return change;
    case 'delete':
      return change;
  }
}

async function createTarget(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { endpointId, type, fields }: EndpointChange,
  { environmentId, urls, destinations }: Target,
): Promise<string> {
  const id = newUuid(ctx.clock.now());
  const kind = requireKind(type);
  await holdRoomForKind(ctx, transaction, { kind, environmentId });
  await transaction.endpoint.create({
    data: {
      id,
      workspaceId: ctx.workspace.id,
      environmentId,
      promotedFrom: endpointId,
      url: urls.get(endpointId) ?? urlWithoutServer(kind, toId('ep', id)),
      type,
      isPulled: isPulled(kind),
      ...fieldColumns(fields),
      ...endpointColumns({
        ...configOf(fields),
        ...(kind.section !== null && hasDestination(kind) && { [kind.section.key]: destinations.get(endpointId) }),
      }),
    },
  });
  await storeSecret(transaction, ctx, {
    endpointId: id,
    secret: chooseSecret(undefined, configOf(fields)),
    config: configOf(fields),
  });
  return id;
}

async function updateTarget(ctx: WorkspaceContext, transaction: DbTransaction, change: EndpointChange): Promise<void> {
  const { targetEndpointId: id, fields } = change;
  if (id === null || Object.keys(fields).length === 0) return;
  const config = configOf(fields);
  const now = ctx.clock.now();
  let columns = {};
  if (config !== undefined) {
    const endpoint = await transaction.endpoint.findUniqueOrThrow({ where: { id }, include: { secrets: true } });
    refuseConfig(ctx, endpoint, config);
    await createKeyPair(transaction, ctx, { endpoint, config });
    columns = endpointColumns(config, { isFifo: endpoint.isFifo, now });
  }
  await transaction.endpoint.update({
    where: { id },
    data: { ...fieldColumns(fields), ...columns, version: { increment: 1 }, updatedAt: now },
  });
}

/**
 * The target has its own secret headers, credentials and secrets: the promoted config must not name the same headers, nor a
 * signature for which the secrets have the wrong form.
 */
function refuseConfig(
  ctx: WorkspaceContext,
  target: { id: string; secretHeaders: unknown; authUsername: string | null } & Parameters<
    typeof refuseSecretsForStandard
  >[1],
  config: EndpointConfig,
) {
  try {
    refuseHeadersTwice(config, target.secretHeaders as SecretHeaders, { hasAuth: target.authUsername !== null });
    refuseSecretsForStandard(ctx, target, config);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw invalid(`The endpoint ${toId('ep', target.id)}: ${error.message}`, 'endpoints');
  }
}

/** The config of an endpoint was checked when it was stored. */
function configOf({ config }: EndpointChange['fields']): EndpointConfig | undefined {
  return config?.to as EndpointConfig | undefined;
}

function fieldColumns({ description, metadata, eventTypePatterns }: EndpointChange['fields']) {
  return {
    ...(description === undefined ? {} : { description: description.to }),
    ...(metadata === undefined ? {} : { metadata: asJson(metadata.to) }),
    ...(eventTypePatterns === undefined ? {} : { eventTypePatterns: patternColumn(eventTypePatterns.to) }),
  };
}

function asJson(value: unknown) {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Three statements, however many subscriptions: each raises the routing version of the environment once. What a pattern
 * made in the source belongs to that pattern here, too, so a subscription that was left out there is left out here.
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
