import { OPERATIONAL_PREFIX } from '@posthorn/contract/operational-events';
import type { PageQuery } from '@posthorn/contract/primitives';
import { Prisma } from '@posthorn/db/generated/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { listSizedRows } from '../operation/list-rows.ts';
import type { SizedKey } from '../transport/pages.ts';
import { presentEventType } from './event-types.ts';

/** The environment in which the listed types are published; undefined for all types of the workspace. */
type TypesOf = { environmentId: string | undefined };

/** A list of event types, oldest first. Each may hold 128 KiB of JSON, so sizes are read before types. */
export function listTypes(ctx: WorkspaceContext, query: PageQuery, list: TypesOf & { name: readonly unknown[] }) {
  return listSizedRows(ctx, query, {
    name: list.name,
    readKeys: (page) => ctx.inPageTurn(() => readTypeKeys(ctx, { ...list, ...page })),
    readRows: (ids) => ctx.inPageTurn(() => readTypes(ctx, ids)),
    present: presentEventType,
  });
}

/** The types by their ids, oldest first. Those that were deleted meanwhile are missing. */
export function readTypes({ listDb, workspace }: WorkspaceContext, ids: readonly string[]) {
  return listDb.eventType.findMany({
    where: { workspaceId: workspace.id, id: { in: [...ids] } },
    orderBy: { id: 'asc' },
  });
}

/** The keys of types and the sizes of their schemas and examples, oldest first. */
export function readTypeKeys(
  { listDb, workspace, bounds }: WorkspaceContext,
  { environmentId, after, take }: TypesOf & { after: string | undefined; take: number },
): Promise<SizedKey[]> {
  const published = Prisma.sql`and exists (
    select from published_event_type p where p.environment_id = ${environmentId}::uuid and p.event_type_id = t.id)`;
  const visible = Prisma.sql`and not starts_with(t.name, ${OPERATIONAL_PREFIX}) and not exists (
    select from event_type_audience a where a.environment_id = ${environmentId}::uuid and a.event_type_id = t.id
      and not ${bounds.applicationId}::uuid = any(a.application_ids))`;
  // Measures only the chosen rows: to measure a document, Postgres decompresses it.
  return listDb.$queryRaw<SizedKey[]>`
    select id, coalesce(octet_length(schema::text), 0) + coalesce(octet_length(example::text), 0) as bytes
    from (
      select t.id, t.schema, t.example from event_type t
      where t.workspace_id = ${workspace.id}::uuid
        ${after === undefined ? Prisma.empty : Prisma.sql`and t.id > ${after}::uuid`}
        ${environmentId === undefined ? Prisma.empty : published}
        ${bounds.applicationId === undefined ? Prisma.empty : visible}
      order by t.id limit ${take}::int
    ) t
    order by id`;
}
