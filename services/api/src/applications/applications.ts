import type {
  createApplicationBody,
  listApplicationsQuery,
  updateApplicationBody,
} from '@posthorn/contract/applications';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { uniqueViolation } from '@posthorn/db/violations';
import { z } from 'zod';
import { deleteAlertRules } from '../alert-rules/delete-rules.ts';
import { countsOf, diff } from '../audit/change.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import { leaveAudiences } from '../event-types/audience.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { ApiError } from '../transport/error.ts';
import { requireApplication } from './require-application.ts';

/** A page of the workspace's applications, newest first. */
export async function listApplications(ctx: WorkspaceContext, query: z.output<typeof listApplicationsQuery>) {
  const { limit, cursor, external_id: externalId, search } = query;
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
    applications: page.map(presentApplication),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
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
    const rules = await deleteAlertRules(transaction, { applicationId: before.id });
    await leaveAudiences(transaction, before.id);
    const endpoints = await deleteEndpoints(transaction, { applicationId: before.id }, now);
    const changes = {
      name: { from: before.name, to: null },
      externalId: { from: before.externalId, to: null },
      ...endpoints,
      ...countsOf('portalSessions', { from: sessions.count }),
      ...countsOf('alertRules', { from: rules.count }),
    };
    return { result: undefined, entry: note(before, changes) };
  });
}

/** Locked until the transaction ends: no resource is added to it and no other change runs meanwhile. */
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
  return { contains: search.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const };
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
