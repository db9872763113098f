import type { SchemaMode, VisibilityQuery } from '@posthorn/contract/environments';
import { namedEventType } from '@posthorn/contract/event-types';
import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { lockEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { presentAudience, setAudience } from './audience.ts';
import { refuseDeletedType, requireEventType } from './event-types.ts';

/** Every event type of the workspace, and whether it is published in the environment. */
export async function listVisibility(ctx: WorkspaceContext, environmentId: string, query: VisibilityQuery) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  return listRows(ctx, query, {
    name: ['visibility', environment.id],
    read: async ({ after, take }): Promise<VisibilityRow[]> => {
      const rows = await ctx.db.eventType.findMany({
        where: { workspaceId: ctx.workspace.id, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        select: {
          id: true,
          name: true,
          published: { where: { environmentId: environment.id } },
          schemaModes: { where: { environmentId: environment.id } },
          audiences: { where: { environmentId: environment.id } },
        },
        take,
      });
      if (query.include === undefined) return rows;
      const counts = await ctx.inPageTurn(() => countSubscribed(ctx, environment.id, rows));
      return rows.map((row) => ({ ...row, endpoints: counts.get(row.id) ?? 0 }));
    },
    present: (row) => ({
      eventTypeId: toId('evt', row.id),
      ...namedEventType(row.name),
      published: row.published.length > 0,
      schemaMode: row.schemaModes[0]?.mode ?? ('off' as const),
      applications: presentAudience(row.audiences[0]),
      ...(row.endpoints !== undefined && { endpoints: row.endpoints }),
    }),
  });
}

type VisibilityRow = {
  id: string;
  name: string;
  published: readonly unknown[];
  schemaModes: readonly { mode: SchemaMode }[];
  audiences: readonly { applicationIds: string[] }[];
  endpoints?: number;
};

/** The number of the environment's endpoints that subscribe to each of the event types. Those of agents do not count. */
async function countSubscribed(ctx: WorkspaceContext, environmentId: string, eventTypes: readonly { id: string }[]) {
  const groups = await ctx.listDb.subscription.groupBy({
    by: ['eventTypeId'],
    where: {
      eventTypeId: { in: eventTypes.map(({ id }) => id) },
      endpoint: { environmentId, deletedAt: null, isTemporary: false },
    },
    _count: true,
  });
  return new Map(groups.map(({ eventTypeId, _count }) => [eventTypeId, _count]));
}

export type SetVisibility = {
  environmentId: string;
  eventTypeId: string;
  published: boolean;
  /** Undefined leaves the mode as it is. */
  schemaMode?: SchemaMode | undefined;
  applications?: readonly string[] | null | undefined;
};

/** The fields of a visibility entry that never change. */
export async function getVisibilityKey(ctx: WorkspaceContext, { eventTypeId }: { eventTypeId: string }) {
  const { id, name } = await requireEventType(ctx, ctx.db, eventTypeId);
  return { eventTypeId: toId('evt', id), ...namedEventType(name) };
}

/**
 * Publishes or unpublishes a type in an environment, sets how payloads are checked, and whose portals show the type. A value
 * that does not change makes no audit entry.
 */
export async function setVisibility(ctx: WorkspaceContext, input: SetVisibility) {
  const { published } = input;
  return ctx
    .change(published ? 'event_type.published' : 'event_type.unpublished', async (transaction) => {
      if (input.applications !== undefined) await lockWorkspace(transaction, ctx.workspace.id);
      const environment = await requireEnvironment(ctx, transaction, input.environmentId);
      await lockEnvironment(transaction, environment.id);
      const eventType = await requireEventType(ctx, transaction, input.eventTypeId);
      const key = { environmentId: environment.id, eventTypeId: eventType.id };
      const { count } = published
        ? await transaction.publishedEventType.createMany({ data: [key], skipDuplicates: true })
        : await transaction.publishedEventType.deleteMany({ where: key });
      const { from, to } = await setSchemaMode(transaction, key, input.schemaMode);
      const audience = await setAudience(
        ctx,
        transaction,
        { environmentId: environment.id, eventType },
        input.applications,
      );
      const resourceId = toId('evt', eventType.id);
      const environmentId = toId('env', environment.id);
      const changes = {
        ...(count > 0 ? { published: { from: !published, to: published } } : {}),
        ...(from === to ? {} : { schemaMode: { from, to } }),
        ...audience.changes,
        environmentId: { from: environmentId, to: environmentId },
      };
      const isNoOp = count === 0 && from === to && Object.keys(audience.changes).length === 0;
      const entry = { resourceId, changes, ...(count === 0 ? { action: 'event_type.updated' } : {}) };
      return {
        result: {
          eventTypeId: resourceId,
          ...namedEventType(eventType.name),
          published,
          schemaMode: to,
          applications: audience.to,
        },
        entry: isNoOp ? null : entry,
      };
    })
    .catch(refuseDeletedType);
}

/** Sets the schema mode, and returns it before and after; undefined leaves it. No row means `off`. */
export async function setSchemaMode(
  transaction: DbTransaction,
  key: { environmentId: string; eventTypeId: string },
  mode: SchemaMode | undefined,
): Promise<{ from: SchemaMode; to: SchemaMode }> {
  const row = await transaction.eventTypeSchemaMode.findUnique({ where: { environmentId_eventTypeId: key } });
  const from = row?.mode ?? 'off';
  if (mode === undefined || mode === from) return { from, to: from };
  if (mode === 'off') await transaction.eventTypeSchemaMode.deleteMany({ where: key });
  else {
    const create = { ...key, mode };
    await transaction.eventTypeSchemaMode.upsert({
      where: { environmentId_eventTypeId: key },
      create,
      update: { mode },
    });
  }
  return { from, to: mode };
}
