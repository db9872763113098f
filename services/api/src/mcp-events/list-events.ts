import { eventTypeName } from '@posthorn/contract/event-types';
import { OPERATIONAL_PREFIX } from '@posthorn/contract/operational-events';
import type { DbTransaction } from '@posthorn/db/client';
import type { Prisma } from '@posthorn/db/generated/client';
import { AGENT_DELIVERY_MODE } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { visibleTypes } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { ApiError } from '../transport/error.ts';
import type { Agent } from './agent.ts';
import { invalidField } from './events-error.ts';
import { inputSchemaOf, type OfferingType } from './offered-arguments.ts';

const PAGE = 50;

const listParams = z.looseObject({ cursor: z.string().nullish() });

/** The event types to which the agent may subscribe, oldest first, in pages of 50. Throws an `EventsError`. */
export async function listEvents(ctx: WorkspaceContext, agent: Agent, params: unknown) {
  const given = listParams.safeParse(params ?? {});
  if (!given.success) throw invalidField('cursor', 'must be a string');
  const list = ['mcp events', agent.environmentId];
  const after = given.data.cursor == null ? undefined : openCursor(ctx, given.data.cursor, list);
  const rows = await ctx.inPageTurn(() =>
    ctx.listDb.eventType.findMany({
      where: { AND: [seenBy(ctx, agent), after === undefined ? {} : { id: { gt: after } }] },
      select: { id: true, name: true, description: true, schema: true, agentFilters: true },
      orderBy: { id: 'asc' },
      take: PAGE + 1,
    }),
  );
  const page = rows.slice(0, PAGE);
  const nextCursor = rows.length > PAGE ? sealPageCursor(ctx, page.at(-1)?.id, list) : null;
  return {
    events: page.filter(({ schema }) => takesObjects(schema)).map(describe),
    ...(nextCursor === null ? {} : { nextCursor }),
  };
}

/** The event type of this name, if the agent may subscribe to it. */
export async function findEvent(
  ctx: WorkspaceContext,
  agent: Agent,
  name: string,
  db: Pick<DbTransaction, 'eventType'> = ctx.db,
) {
  // Postgres refuses some texts that are no names.
  if (!eventTypeName.safeParse(name).success) return undefined;
  const row = await db.eventType.findFirst({
    where: { AND: [seenBy(ctx, agent), { name }] },
    select: { id: true, name: true, schema: true, agentFilters: true },
  });
  return row !== null && takesObjects(row.schema) ? row : undefined;
}

/**
 * The condition for types that an agent may see: published in the environment, and shown by its application's portal.
 * Operational events never are.
 */
function seenBy(ctx: WorkspaceContext, { environmentId }: Agent): Prisma.EventTypeWhereInput {
  return {
    AND: [visibleTypes(ctx), { name: { not: { startsWith: OPERATIONAL_PREFIX } } }],
    workspaceId: ctx.workspace.id,
    published: { some: { environmentId } },
  };
}

function openCursor(ctx: WorkspaceContext, cursor: string, list: readonly unknown[]): string {
  try {
    return openPageCursor(ctx, cursor, list);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_cursor') {
      throw invalidField('cursor', 'was altered, or belongs to another list');
    }
    throw error;
  }
}

type Row = OfferingType & { name: string; description: string | null };

function describe(type: Row) {
  const { name, description, schema } = type;
  return {
    name,
    ...(description === null ? {} : { description }),
    delivery: [AGENT_DELIVERY_MODE],
    inputSchema: inputSchemaOf(type),
    payloadSchema: typeof schema === 'object' && schema !== null ? schema : { type: 'object' },
  };
}

/** Whether a payload that fits the schema can be an object: nothing else is delivered to agents. */
function takesObjects(schema: unknown): boolean {
  if (schema === false) return false;
  const type: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'type') : undefined;
  return type === undefined || [type].flat().includes('object');
}
