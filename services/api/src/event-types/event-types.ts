import type { createEventTypeBody, updateEventTypeBody } from '@posthorn/contract/event-types';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { OPERATIONAL_PREFIX } from '@posthorn/contract/operational-events';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { isForeignKeyViolation, uniqueViolation } from '@posthorn/db/violations';
import { checkValue } from '@posthorn/json-schema/run-schema';
import { type SchemaDocument, schemaChanges } from '@posthorn/json-schema/schema-changes';
import type { SearchKey } from '@posthorn/search/values';
import type { z } from 'zod';
import { type Changes, countsOf, diff } from '../audit/change.ts';
import { changesOfRows } from '../audit/changes-per-day.ts';
import { portalOf } from '../auth/bounds.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { type OfferingType, unofferedPath } from '../mcp-events/offered-arguments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ensureSearchKey } from '../search/search-key.ts';
import { subscribeToType } from '../subscriptions/patterns.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { checkChangedType, releaseChangedType, releaseDeletedType } from './agents-of-type.ts';
import { shownTo } from './audience.ts';
import { requireSchema, type TypeSchema } from './type-schema.ts';

/** The default retention of payloads: that of the workspace. */
export const KEPT_AS_WORKSPACE = 'workspace';

/** Creates an event type, published in `publishIn`. Nothing is created if one of these environments is unknown. */
export async function createEventType(ctx: WorkspaceContext, body: z.output<typeof createEventTypeBody>) {
  const schema = body.schema ?? null;
  const compiled = requireSchema(schema);
  const agentFilters = body.agentFilters ?? null;
  requireAgentFilters({ schema, agentFilters });
  return ctx
    .change('event_type.created', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const count = await transaction.eventType.count({ where: { workspaceId: ctx.workspace.id } });
      if (count >= LIMITS.eventTypesPerWorkspace) {
        throw new ApiError('limit_reached', `A workspace has at most ${LIMITS.eventTypesPerWorkspace} event types`);
      }
      const publishIn = [...new Set(body.publishIn ?? [])];
      const named = publishIn.find((id) => fromId('env', id) === undefined);
      if (named !== undefined)
        throw new ApiError('not_found', `Environment not found: ${named}; publishIn takes ids (env_…)`);
      const environments: { id: string }[] = [];
      // One after the other: a transaction has one connection.
      for (const id of publishIn) environments.push(await requireEnvironment(ctx, transaction, id));
      const row = await transaction.eventType.create({
        data: {
          id: newUuid(ctx.clock.now()),
          workspaceId: ctx.workspace.id,
          name: body.name,
          description: body.description ?? null,
          example: storedJson(body.example),
          schema: storedJson(schema),
          schemaVersion: schema === null ? 0 : 1,
          payloadRetention: body.payloadRetention ?? KEPT_AS_WORKSPACE,
          searchKeys: storedJson(searchKeysOf(body.searchKeys)),
          agentFilters: storedJson(agentFilters),
          published: { create: environments.map((environment) => ({ environmentId: environment.id })) },
        },
      });
      if (row.searchKeys !== null) await ensureSearchKey(ctx, transaction);
      const subscribed = await subscribeToType(ctx, transaction, row);
      const changes = { ...creationOf(row, publishIn), ...countsOf('subscriptions', { from: 0, to: subscribed }) };
      const result = { ...presentEventType(row), ...warningsOf(compiled) };
      return { result, entry: { resourceId: toId('evt', row.id), changes, countsAs: changesOfRows(subscribed) } };
    })
    .catch((error: unknown) => {
      if (uniqueViolation(error) === undefined) throw error;
      throw new ApiError('event_type_exists', `An event type named ${body.name} already exists`);
    });
}

/** The fields of a new event type, as its audit entry shows them. */
function creationOf(row: EventTypeRow, publishIn: readonly string[]): Changes {
  return {
    name: { from: null, to: row.name },
    description: { from: null, to: row.description },
    ...(row.example === null ? {} : { example: { from: null, to: shownJson(row.example) } }),
    ...(row.schema === null ? {} : { schema: { from: null, to: shownJson(row.schema) } }),
    ...(row.payloadRetention === KEPT_AS_WORKSPACE
      ? {}
      : { payloadRetention: { from: KEPT_AS_WORKSPACE, to: row.payloadRetention } }),
    ...(row.searchKeys === null ? {} : { searchKeys: { from: null, to: row.searchKeys } }),
    ...(row.agentFilters === null ? {} : { agentFilters: { from: null, to: row.agentFilters } }),
    ...(publishIn.length > 0 ? { publishIn: { from: [], to: publishIn } } : {}),
  };
}

export async function getEventType(ctx: WorkspaceContext, id: string) {
  return presentEventType(await requireEventType(ctx, ctx.db, id));
}

type Update = z.output<typeof updateEventTypeBody>;

type UpdateOptions = { dryRun: boolean; endAgents?: boolean };

/**
 * Changes everything but the name, which never changes. With `dryRun` it only tells, and refuses the same. `agents_subscribed` if the change breaks
 * what agents have subscribed to, unless `endAgents` ends these subscriptions.
 */
export async function updateEventType(
  ctx: WorkspaceContext,
  id: string,
  body: Update,
  { dryRun, endAgents = false }: UpdateOptions,
) {
  const schema = body.schema === undefined ? undefined : requireSchema(body.schema);
  if (dryRun) {
    return ctx.inListTurn(async () => {
      const before = await requireEventType(ctx, ctx.listDb, id);
      const after = updated(before, body);
      if (body.agentFilters != null) requireAgentFilters(after);
      const report = schemaReport(before, body, schema);
      if (report.schemaChanges.length > 0 || changesOf(before, after).agentFilters !== undefined) {
        const changed = { eventTypeId: before.id, changes: report.schemaChanges, type: after, endAgents };
        await checkChangedType(ctx.listDb, changed);
      }
      return { ...presentEventType(after), ...report };
    });
  }
  return ctx.change('event_type.updated', async (transaction) => {
    const before = await lockEventType(ctx, transaction, id);
    const report = schema === undefined ? undefined : schemaReport(before, body, schema);
    const after = updated(before, body);
    if (body.agentFilters != null) requireAgentFilters(after);
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return { result: { ...presentEventType(before), ...report }, entry: null };
    if (after.searchKeys !== null) await ensureSearchKey(ctx, transaction);
    const schemaChanged = report?.schemaChanges ?? [];
    if (schemaChanged.length > 0 || changes.agentFilters !== undefined) {
      const released = { eventTypeId: before.id, changes: schemaChanged, type: after, endAgents };
      Object.assign(changes, await releaseChangedType(transaction, released));
    }
    const row = await transaction.eventType.update({
      where: { id: before.id },
      data: {
        description: after.description,
        example: storedJson(after.example),
        schema: storedJson(after.schema),
        schemaVersion: after.schemaVersion,
        payloadRetention: after.payloadRetention,
        searchKeys: storedJson(after.searchKeys),
        agentFilters: storedJson(after.agentFilters),
        updatedAt: ctx.clock.now(),
      },
    });
    return { result: { ...presentEventType(row), ...report }, entry: { resourceId: toId('evt', row.id), changes } };
  });
}

/** The event type as it is after the update. */
function updated(before: EventTypeRow, body: Update): EventTypeRow {
  const schema = body.schema === undefined ? before.schema : body.schema;
  const isOther = JSON.stringify(schema) !== JSON.stringify(before.schema);
  return {
    ...before,
    description: body.description === undefined ? before.description : body.description,
    example: body.example === undefined ? before.example : body.example,
    schema,
    schemaVersion: before.schemaVersion + (isOther ? 1 : 0),
    payloadRetention: body.payloadRetention ?? before.payloadRetention,
    searchKeys: body.searchKeys === undefined ? before.searchKeys : searchKeysOf(body.searchKeys),
    agentFilters: body.agentFilters === undefined ? before.agentFilters : body.agentFilters,
  };
}

/** Refuses a path by which no agent could filter. A path that a later schema lacks is kept, but not offered. */
function requireAgentFilters(type: OfferingType): void {
  const at = unofferedPath(type);
  if (at === undefined) return;
  const field = `agentFilters[${at}]`;
  throw invalid(`${field} must lead to a string, number, boolean or enum of the schema`, field);
}

/** Search keys in the form in which they are stored and shown. */
export function searchKeysOf(given: Update['searchKeys']): SearchKey[] | null {
  return given?.map(({ name, path, fold = false }) => ({ name, path, fold })) ?? null;
}

/** The schema warnings, only if there are some. */
function warningsOf(compiled: TypeSchema) {
  return compiled === null || compiled.schemaWarnings.length === 0 ? {} : { schemaWarnings: compiled.schemaWarnings };
}

/** Reports what an update means for receivers, and whether the example fits. `given` is the compiled schema. */
function schemaReport(before: EventTypeRow, body: Update, given: TypeSchema | undefined) {
  const after = updated(before, body);
  const compiled = given === undefined ? requireSchema(documentOf(before)) : given;
  return {
    schemaChanges: schemaChanges(documentOf(before), documentOf(after)),
    ...warningsOf(compiled),
    exampleErrors: compiled === null || after.example === null ? null : checkValue(compiled.schema, after.example),
  };
}

/** Refused while any endpoint that is not deleted subscribes to it by name, active or not. `endAgents` ends subscriptions of agents. */
export async function deleteEventType(ctx: WorkspaceContext, id: string, { endAgents = false } = {}) {
  return ctx.change('event_type.deleted', async (transaction) => {
    const before = await lockEventType(ctx, transaction, id);
    const agents = await releaseDeletedType(transaction, { eventTypeId: before.id, endAgents });
    const live = { eventTypeId: before.id, endpoint: { deletedAt: null } };
    // Subscriptions that a pattern made go with the type.
    if ((await transaction.subscription.count({ where: { ...live, pattern: null } })) > 0) {
      throw new ApiError('event_type_in_use', 'Endpoints subscribe to this event type; remove the subscriptions first');
    }
    const subscribed = await transaction.subscription.count({ where: live });
    await transaction.subscription.deleteMany({ where: { eventTypeId: before.id } });
    const publications = await transaction.publishedEventType.deleteMany({ where: { eventTypeId: before.id } });
    await transaction.eventType.delete({ where: { id: before.id } });
    const changes = {
      name: { from: before.name, to: null },
      description: { from: before.description, to: null },
      ...countsOf('subscriptions', { from: subscribed }),
      ...countsOf('publications', { from: publications.count }),
      ...agents,
    };
    return { result: undefined, entry: { resourceId: toId('evt', before.id), changes } };
  });
}

/** The event type by its public id; `not_found` when it is missing, another workspace's, or not one of `within`. */
export async function requireEventType(
  ctx: WorkspaceContext,
  db: Pick<Db | DbTransaction, 'eventType'>,
  id: string,
  within: Prisma.EventTypeWhereInput = {},
) {
  const uuid = fromId('evt', id);
  const workspaceId = ctx.workspace.id;
  const row =
    uuid === undefined ? null : await db.eventType.findUnique({ where: { ...within, id: uuid, workspaceId } });
  if (row === null) throw notFound('Event type');
  return row;
}

/**
 * The condition for the types that the caller may read. In the portal: those published in its environment for its
 * application, operational events included. Elsewhere: all.
 */
export function publishedWithin({ bounds }: WorkspaceContext): Prisma.EventTypeWhereInput {
  const portal = portalOf(bounds);
  return portal === undefined
    ? {}
    : { published: { some: { environmentId: portal.environmentId } }, ...shownTo(portal) };
}

/** The types that the caller may know: in the portal those published in its environment without operational events. */
export function visibleTypes(ctx: WorkspaceContext): Prisma.EventTypeWhereInput {
  if (ctx.bounds.applicationId === undefined) return {};
  return { ...publishedWithin(ctx), name: { not: { startsWith: OPERATIONAL_PREFIX } } };
}

/** Translates the refusal of a row whose event type was deleted since it was read; throws any other error unchanged. */
export function refuseDeletedType(error: unknown): never {
  throw isForeignKeyViolation(error) ? notFound('Event type') : error;
}

/**
 * The event type, locked until the transaction ends: no subscription to it is inserted and no other request deletes it
 * meanwhile.
 */
async function lockEventType(ctx: WorkspaceContext, transaction: DbTransaction, id: string) {
  const { id: uuid } = await requireEventType(ctx, transaction, id);
  await transaction.$queryRaw`select 1 from event_type where id = ${uuid}::uuid for update`;
  return requireEventType(ctx, transaction, id);
}

/** `null` removes the example or the schema. A JSON column would otherwise store a JSON null as a value. */
function storedJson(value: unknown) {
  return value === undefined || value === null ? Prisma.DbNull : JSON.parse(JSON.stringify(value));
}

const SHOWN_CHARACTERS = 1_000;

/** The example or the schema in an audit entry, which must stay small. */
function shownJson(value: unknown): unknown {
  const characters = JSON.stringify(value).length;
  return characters <= SHOWN_CHARACTERS ? value : `[${characters} characters of JSON]`;
}

/** The fields of an update that differ, as the audit entry shows them. */
function changesOf(before: EventTypeRow, after: EventTypeRow): Changes {
  const { example, schema, ...changes } = diff(before, after);
  return {
    ...changes,
    ...(example === undefined ? {} : { example: { from: shownJson(example.from), to: shownJson(example.to) } }),
    ...(schema === undefined ? {} : { schema: { from: shownJson(schema.from), to: shownJson(schema.to) } }),
  };
}

type EventTypeRow = {
  id: string;
  name: string;
  description: string | null;
  example: unknown;
  /** Null, or a document that `requireSchema` has accepted. */
  schema: unknown;
  schemaVersion: number;
  payloadRetention: string;
  /** Null, or the result of `searchKeysOf`. */
  searchKeys: unknown;
  /** Null, or paths. */
  agentFilters: unknown;
  createdAt: Date;
};

export function presentEventType(row: EventTypeRow) {
  return {
    id: toId('evt', row.id),
    name: row.name,
    description: row.description,
    schema: documentOf(row),
    schemaVersion: row.schemaVersion,
    example: row.example,
    payloadRetention: row.payloadRetention as NonNullable<Update['payloadRetention']>,
    searchKeys: row.searchKeys as SearchKey[] | null,
    agentFilters: row.agentFilters as string[] | null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A stored schema is always an object. */
function documentOf({ schema }: EventTypeRow): SchemaDocument {
  return schema as SchemaDocument;
}
