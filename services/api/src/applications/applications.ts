import type {
  createApplicationBody,
  listApplicationsQuery,
  updateApplicationBody,
} from '@posthorn/contract/applications';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { uniqueViolation } from '@posthorn/db/violations';
import { z } from 'zod';
import { endAgents } from '../agent-keys/end-agents.ts';
import { deleteAlertRules } from '../alert-rules/delete-rules.ts';
import { countsOf, diff } from '../audit/change.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { leaveAudiences } from '../event-types/audience.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, openPosition, sealPageCursor } from '../operation/page-cursor.ts';
import { nameOfUpsert, noneIf, upsert } from '../operation/upsert.ts';
import { ApiError } from '../transport/error.ts';
import { readByTrouble, readHealth } from './application-health.ts';
import { requireApplication } from './require-application.ts';

/** A page of the workspace's applications, newest first. */
export async function listApplications(ctx: WorkspaceContext, query: z.output<typeof listApplicationsQuery>) {
  const { limit, cursor, external_id: externalId, search, include, sort } = query;
  const environmentIds =
    query.environment_id === undefined
      ? reachedEnvironments(ctx.bounds)
      : [(await requireEnvironment(ctx, ctx.db, query.environment_id)).id];
  if (sort === 'trouble') return listByTrouble(ctx, query, environmentIds);
  const list = ['applications', externalId ?? null, search ?? null];
  const before = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
  // A search may read every application of the workspace, whose number has no limit.
  const db = search === undefined ? ctx.db : ctx.listDb;
  const rows = await db.application.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      deletedAt: null,
      ...(before === undefined ? {} : { id: { lt: before } }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(search === undefined ? {} : { OR: [{ name: containing(search) }, { externalId: containing(search) }] }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    applications: await present(ctx, page, { include, environmentIds }),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
}

type Query = z.output<typeof listApplicationsQuery>;

/** A page of applications, those with the most failing endpoints first. It reads every application, like a search. */
async function listByTrouble(
  ctx: WorkspaceContext,
  { limit, cursor, external_id: externalId, search, include }: Query,
  environmentIds: string[] | undefined,
) {
  const list = ['applications by trouble', environmentIds ?? null, externalId ?? null, search ?? null];
  const position = cursor === undefined ? undefined : openPosition(ctx, cursor, list);
  const part = search === undefined ? undefined : `%${escaped(search)}%`;
  const places = await readByTrouble(ctx.listDb, {
    ...{ workspaceId: ctx.workspace.id, environmentIds, take: limit + 1 },
    matching: Prisma.sql`(${externalId ?? null}::text is null or a.external_id = ${externalId ?? null}::text)
      and (${part ?? null}::text is null or a.name ilike ${part ?? null}::text or a.external_id ilike ${part ?? null}::text)`,
    after: position && { id: position.before, trouble: Number(position.part) },
  });
  const shown = places.slice(0, limit);
  const last = shown.at(-1);
  const found = await ctx.listDb.application.findMany({ where: { id: { in: shown.map(({ id }) => id) } } });
  const rows = new Map(found.map((row) => [row.id, row]));
  return {
    applications: await present(
      ctx,
      shown.flatMap(({ id }) => rows.get(id) ?? []),
      { include, environmentIds },
    ),
    nextCursor: places.length > limit ? sealPageCursor(ctx, last?.id, list, String(last?.trouble)) : null,
  };
}

/** The rows of a page, with their health where it is asked for. */
async function present(
  ctx: WorkspaceContext,
  rows: readonly ApplicationRow[],
  { include, environmentIds }: { include: Query['include']; environmentIds: string[] | undefined },
) {
  if (include === undefined) return rows.map(presentApplication);
  const ids = rows.map(({ id }) => id);
  const healthOf = await ctx.inPageTurn(() =>
    readHealth(ctx.listDb, ids, { workspaceId: ctx.workspace.id, environmentIds }),
  );
  return rows.map((row) => ({ ...presentApplication(row), health: healthOf(row.id) }));
}

export async function createApplication(ctx: WorkspaceContext, body: z.output<typeof createApplicationBody>) {
  return ctx
    .change('application.created', async (transaction) => {
      const row = await transaction.application.create({
        data: {
          id: newUuid(ctx.clock.now()),
          workspaceId: ctx.workspace.id,
          name: body.name,
          externalId: body.externalId ?? null,
          metadata: body.metadata ?? {},
        },
      });
      return { result: presentApplication(row), entry: note(row, diff<object>({}, auditFields(row))) };
    })
    .catch(refuseTakenExternalId);
}

/** Creates the application that `ext:` names, or gives it the name and the metadata of the body. */
export async function upsertApplication(
  ctx: WorkspaceContext,
  reference: string,
  body: z.output<typeof createApplicationBody>,
) {
  const externalId = nameOfUpsert(reference, 'applicationId', body.externalId);
  const { name, metadata = {} } = body;
  return upsert({
    replace: () => updateApplication(ctx, reference, { name, metadata }).catch(noneIf('not_found')),
    create: () => createApplication(ctx, { ...body, externalId }),
  });
}

export async function getApplication(ctx: WorkspaceContext, id: string) {
  return presentApplication(await requireApplication(ctx, ctx.db, id));
}

export async function updateApplication(
  ctx: WorkspaceContext,
  id: string,
  body: z.output<typeof updateApplicationBody>,
) {
  return ctx
    .change('application.updated', async (transaction) => {
      const before = await lockApplication(ctx, transaction, id);
      const after = {
        name: body.name ?? before.name,
        externalId: body.externalId === undefined ? before.externalId : body.externalId,
        metadata: body.metadata === undefined ? metadataOf(before) : (body.metadata ?? {}),
      };
      const changes = diff(auditFields(before), after);
      if (Object.keys(changes).length === 0) return { result: presentApplication(before), entry: null };
      const row = await transaction.application.update({
        where: { id: before.id },
        data: { ...after, updatedAt: ctx.clock.now() },
      });
      return { result: presentApplication(row), entry: note(row, changes) };
    })
    .catch(refuseTakenExternalId);
}

/** Deletes the application with its endpoints and portal sessions. */
export async function deleteApplication(ctx: WorkspaceContext, id: string) {
  return ctx.change('application.deleted', async (transaction) => {
    const before = await lockApplication(ctx, transaction, id);
    const now = ctx.clock.now();
    await transaction.application.update({ where: { id: before.id }, data: { deletedAt: now, updatedAt: now } });
    const sessions = await transaction.portalSession.deleteMany({ where: { applicationId: before.id } });
    const agents = await endAgents(transaction, { applicationId: before.id });
    const rules = await deleteAlertRules(transaction, { applicationId: before.id });
    await leaveAudiences(transaction, before.id);
    const endpoints = await deleteEndpoints(transaction, { applicationId: before.id }, now);
    const changes = {
      name: { from: before.name, to: null },
      externalId: { from: before.externalId, to: null },
      ...endpoints,
      ...countsOf('portalSessions', { from: sessions.count }),
      ...agents,
      ...countsOf('alertRules', { from: rules.count }),
    };
    return { result: undefined, entry: note(before, changes) };
  });
}

/** Locks the application until the transaction ends: nothing is added to it, and no other change of it runs. */
async function lockApplication(ctx: WorkspaceContext, transaction: DbTransaction, id: string) {
  const { id: uuid } = await requireApplication(ctx, transaction, id);
  await transaction.$queryRaw`select 1 from application where id = ${uuid}::uuid for no key update`;
  return requireApplication(ctx, transaction, toId('app', uuid));
}

function refuseTakenExternalId(error: unknown): never {
  if (uniqueViolation(error) === undefined) throw error;
  throw new ApiError('external_id_taken', 'An application with this externalId already exists');
}

/** Matches the text at any position, case-insensitively; the wildcards of LIKE are escaped. */
function containing(search: string) {
  return { contains: escaped(search), mode: 'insensitive' as const };
}

function escaped(search: string): string {
  return search.replaceAll(/[\\%_]/g, '\\$&');
}

type ApplicationRow = {
  id: string;
  externalId: string | null;
  name: string;
  metadata: unknown;
  createdAt: Date;
  updatedAt: Date;
};

function presentApplication(row: ApplicationRow) {
  return {
    id: toId('app', row.id),
    externalId: row.externalId,
    name: row.name,
    metadata: metadataOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function auditFields(row: ApplicationRow) {
  return { name: row.name, externalId: row.externalId, metadata: metadataOf(row) };
}

function metadataOf({ metadata }: Pick<ApplicationRow, 'metadata'>) {
  return storedMetadata.parse(metadata);
}

const storedMetadata = z.record(z.string(), z.string());

function note(row: ApplicationRow, changes: ReturnType<typeof diff>) {
  return { resourceId: toId('app', row.id), changes };
}
