import type { createEventTypeBody, updateEventTypeBody } from '@posthorn/contract/event-types';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { uniqueViolation } from '@posthorn/db/violations';
import type { z } from 'zod';
import { type Changes, diff } from '../audit/change.ts';
import { requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/error.ts';
import { listRows } from '../http/list-rows.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** All event types of the workspace, oldest first. */
export async function listEventTypes(ctx: WorkspaceContext, query: PageQuery) {
  return listRows(ctx, query, {
    name: ['event types'],
    read: ({ after, take }) =>
      ctx.db.eventType.findMany({
        where: { workspaceId: ctx.workspace.id, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentEventType,
  });
}

/** Published only in the environments of `publishIn`; if one of them is unknown, nothing is created. */
export async function createEventType(ctx: WorkspaceContext, body: z.output<typeof createEventTypeBody>) {
  return ctx
    .change('event_type.created', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const count = await transaction.eventType.count({ where: { workspaceId: ctx.workspace.id } });
      if (count >= LIMITS.eventTypesPerWorkspace) {
        throw new ApiError('limit_reached', `A workspace has at most ${LIMITS.eventTypesPerWorkspace} event types`);
      }
      const publishIn = [...new Set(body.publishIn ?? [])];
      const environments = await Promise.all(publishIn.map((id) => requireEnvironment(ctx, transaction, id)));
      const row = await transaction.eventType.create({
        data: {
          id: newUuid(ctx.clock.now()),
          workspaceId: ctx.workspace.id,
          name: body.name,
          description: body.description ?? null,
          example: storedExample(body.example),
          published: { create: environments.map((environment) => ({ environmentId: environment.id })) },
        },
      });
      const changes = {
        name: { from: null, to: row.name },
        description: { from: null, to: row.description },
        ...(row.example === null ? {} : { example: { from: null, to: shownExample(row.example) } }),
        ...(publishIn.length > 0 ? { publishIn: { from: [], to: publishIn } } : {}),
      };
      return { result: presentEventType(row), entry: { resourceId: toId('evt', row.id), changes } };
    })
    .catch((error: unknown) => {
      if (uniqueViolation(error) === undefined) throw error;
      throw new ApiError('event_type_exists', `An event type named ${body.name} exists already`);
    });
}

export async function getEventType(ctx: WorkspaceContext, id: string) {
  return presentEventType(await requireEventType(ctx, ctx.db, id));
}

/** Changes the description and the example: a name never changes. */
export async function updateEventType(ctx: WorkspaceContext, id: string, body: z.output<typeof updateEventTypeBody>) {
  return ctx.change('event_type.updated', async (transaction) => {
    const before = await lockEventType(ctx, transaction, id);
    const description = body.description === undefined ? before.description : body.description;
    const example = body.example === undefined ? before.example : body.example;
    const changes = changesOf({ description: before.description, example: before.example }, { description, example });
    if (Object.keys(changes).length === 0) return { result: presentEventType(before), entry: null };
    const row = await transaction.eventType.update({
      where: { id: before.id },
      data: { description, example: storedExample(example), updatedAt: ctx.clock.now() },
    });
    return { result: presentEventType(row), entry: { resourceId: toId('evt', row.id), changes } };
  });
}

/** Refused while any endpoint that is not deleted subscribes to it, active or not. */
export async function deleteEventType(ctx: WorkspaceContext, id: string) {
  return ctx.change('event_type.deleted', async (transaction) => {
    const before = await lockEventType(ctx, transaction, id);
    const subscribers = await transaction.subscription.count({
      where: { eventTypeId: before.id, endpoint: { deletedAt: null } },
    });
    if (subscribers > 0) {
      throw new ApiError('event_type_in_use', 'Endpoints subscribe to this event type; remove the subscriptions first');
    }
    await transaction.subscription.deleteMany({ where: { eventTypeId: before.id } });
    await transaction.eventType.delete({ where: { id: before.id } });
    const changes = { name: { from: before.name, to: null }, description: { from: before.description, to: null } };
    return { result: undefined, entry: { resourceId: toId('evt', before.id), changes } };
  });
}

/** The event type by its public id; `not_found` when it is missing or another workspace's. */
export async function requireEventType(
  ctx: Pick<WorkspaceContext, 'workspace'>,
  db: Pick<Db | DbTransaction, 'eventType'>,
  id: string,
) {
  const uuid = fromId('evt', id);
  const row =
    uuid === undefined ? null : await db.eventType.findUnique({ where: { id: uuid, workspaceId: ctx.workspace.id } });
  if (row === null) throw notFound('Event type');
  return row;
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

/** A column of JSON tells a JSON null from no value: an example of null is no example. */
function storedExample(example: unknown) {
  return example === undefined || example === null ? Prisma.DbNull : JSON.parse(JSON.stringify(example));
}

const SHOWN_CHARACTERS = 1_000;

/** The example in an audit entry, which must stay small. */
function shownExample(example: unknown): unknown {
  const characters = JSON.stringify(example).length;
  return characters <= SHOWN_CHARACTERS ? example : `[${characters} characters of JSON]`;
}

/** The fields of an update that differ, as the audit entry shows them. */
function changesOf(before: EventTypeFacts, after: EventTypeFacts): Changes {
  const { example, ...changes } = diff(before, after);
  if (example === undefined) return changes;
  return { ...changes, example: { from: shownExample(example.from), to: shownExample(example.to) } };
}

type EventTypeFacts = { description: string | null; example: unknown };

type EventTypeRow = { id: string; name: string; description: string | null; example: unknown; createdAt: Date };

export function presentEventType(row: EventTypeRow) {
  return {
    id: toId('evt', row.id),
    name: row.name,
    description: row.description,
    schema: null,
    example: row.example,
    createdAt: row.createdAt.toISOString(),
  };
}
