import type {
  createEnvironmentBody,
  EnvironmentDetailQuery,
  updateEnvironmentBody,
} from '@posthorn/contract/environments';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { uniqueViolation } from '@posthorn/db/violations';
import type { z } from 'zod';
import { endAgents } from '../agent-keys/end-agents.ts';
import { deleteAlertRules } from '../alert-rules/delete-rules.ts';
import { countsOf, diff } from '../audit/change.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listItems } from '../operation/list-rows.ts';
import { countWithoutApplication } from '../stats/read-stats.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** The workspace's environments, the default first, then oldest first. */
export async function listEnvironments(ctx: WorkspaceContext, query: PageQuery) {
  const reached = reachedEnvironments(ctx.bounds);
  const rows = await ctx.db.environment.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      deletedAt: null,
      ...(reached === undefined ? {} : { id: { in: reached } }),
    },
    orderBy: [{ isDefault: 'desc' }, { id: 'asc' }],
  });
  const keyOf = (row: { id: string; isDefault: boolean }) => `${row.isDefault ? 0 : 1} ${row.id}`;
  return listItems(ctx, query, { name: ['environments'], items: rows, keyOf }).map(presentEnvironment);
}

/** Creates an environment. A workspace has at most 10; a new one has no published event type. */
export async function createEnvironment(ctx: WorkspaceContext, body: z.output<typeof createEnvironmentBody>) {
  return ctx
    .change('environment.created', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const count = await transaction.environment.count({ where: { workspaceId: ctx.workspace.id, deletedAt: null } });
      if (count >= LIMITS.environmentsPerWorkspace) {
        throw new ApiError(
          'environment_limit_reached',
          `A workspace has at most ${LIMITS.environmentsPerWorkspace} environments`,
        );
      }
      const row = await transaction.environment.create({
        data: {
          id: newUuid(ctx.clock.now()),
          workspaceId: ctx.workspace.id,
          name: body.name,
          slug: body.slug,
          requireApplication: body.requireApplication ?? false,
        },
      });
      const changes = {
        name: { from: null, to: row.name },
        slug: { from: null, to: row.slug },
        ...(row.requireApplication && { requireApplication: { from: null, to: true } }),
      };
      return { result: presentEnvironment(row), entry: { resourceId: toId('env', row.id), changes } };
    })
    .catch(refuseTakenSlug);
}

export async function getEnvironment(ctx: WorkspaceContext, id: string, { include }: EnvironmentDetailQuery) {
  const row = await requireEnvironment(ctx, ctx.db, id);
  if (include === undefined) return presentEnvironment(row);
  const to = ctx.clock.now();
  const from = new Date(to.getTime() - UNADDRESSED_MS);
  const span = { environmentId: row.id, from, to };
  return { ...presentEnvironment(row), eventsWithoutApplication: await countWithoutApplication(ctx.listDb, span) };
}

/** How far back events without an application are counted. A producer that sends once a week is included. */
const UNADDRESSED_MS = 7 * 86_400_000;

/** Setting `isDefault` moves the default here from the environment that had it. */
export async function updateEnvironment(
  ctx: WorkspaceContext,
  id: string,
  body: z.output<typeof updateEnvironmentBody>,
) {
  return ctx
    .change('environment.updated', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const before = await requireEnvironment(ctx, transaction, id);
      if (body.isDefault === false && before.isDefault) throw invalid(MOVES, 'isDefault');
      const { name, slug, isDefault, requireApplication } = { ...before, ...given(body) };
      const changes = diff(
        {
          name: before.name,
          slug: before.slug,
          isDefault: before.isDefault,
          requireApplication: before.requireApplication,
        },
        { name, slug, isDefault, requireApplication },
      );
      if (Object.keys(changes).length === 0) return { result: presentEnvironment(before), entry: null };
      const updatedAt = ctx.clock.now();
      if (isDefault && !before.isDefault) {
        const former = await requireEnvironment(ctx, transaction, undefined);
        await transaction.environment.update({ where: { id: former.id }, data: { isDefault: false, updatedAt } });
        changes.defaultEnvironmentId = { from: toId('env', former.id), to: toId('env', before.id) };
      }
      const row = await transaction.environment.update({
        where: { id: before.id },
        data: { name, slug, isDefault, requireApplication, updatedAt },
      });
      return { result: presentEnvironment(row), entry: { resourceId: toId('env', row.id), changes } };
    })
    .catch(refuseTakenSlug);
}

const MOVES = 'isDefault can only be set to true: the default moves when another environment takes it';

/**
 * Deletes the environment and ends its keys, endpoints and portal sessions at once. The default one cannot be deleted.
 */
export async function deleteEnvironment(ctx: WorkspaceContext, id: string) {
  return ctx.change('environment.deleted', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireEnvironment(ctx, transaction, id);
    if (before.isDefault) {
      throw new ApiError('default_environment', 'The default environment cannot be deleted; make another one default');
    }
    const now = ctx.clock.now();
    // Do this first: a concurrent insert into the environment then either finishes before it or is refused.
    await transaction.environment.update({ where: { id: before.id }, data: { deletedAt: now, updatedAt: now } });
    const where = { environmentId: before.id };
    const keys = await transaction.apiKey.findMany({ where, select: { id: true } });
    await transaction.apiKey.deleteMany({ where });
    const sessions = await transaction.portalSession.deleteMany({ where });
    const agents = await endAgents(transaction, where);
    const rules = await deleteAlertRules(transaction, where);
    const sources = await transaction.source.deleteMany({ where });
    const publications = await transaction.publishedEventType.deleteMany({ where });
    await transaction.eventTypeSchemaMode.deleteMany({ where });
    await transaction.eventTypeAudience.deleteMany({ where });
    const endpoints = await deleteEndpoints(transaction, where, now);
    const changes = {
      name: { from: before.name, to: null },
      slug: { from: before.slug, to: null },
      apiKeys: { from: keys.map((key) => toId('key', key.id)), to: [] },
      ...endpoints,
      ...countsOf('publishedEventTypes', { from: publications.count }),
      ...countsOf('portalSessions', { from: sessions.count }),
      ...agents,
      ...countsOf('alertRules', { from: rules.count }),
      ...countsOf('sources', { from: sources.count }),
    };
    return { result: undefined, entry: { resourceId: toId('env', before.id), changes } };
  });
}

/**
 * The environment by its public id; without an id the default one, or the caller's only one. `not_found` when it is
 * missing, another workspace's or out of reach.
 */
export async function requireEnvironment(
  ctx: Pick<WorkspaceContext, 'workspace' | 'bounds'>,
  db: Pick<Db | DbTransaction, 'environment'>,
  id: string | undefined,
) {
  const uuid = id === undefined ? undefined : fromId('env', id);
  if (id !== undefined && uuid === undefined) throw notFound('Environment');
  const reached = reachedEnvironments(ctx.bounds);
  const within = reached === undefined ? {} : { id: { in: reached } };
  const which = uuid !== undefined ? { id: uuid } : reached?.length === 1 ? {} : { isDefault: true };
  const row = await db.environment.findFirst({
    where: { AND: [which, within], workspaceId: ctx.workspace.id, deletedAt: null },
  });
  if (row === null) throw notFound('Environment');
  return row;
}

/** Locks the environment until the transaction ends, so that nothing is added to one that is being deleted. */
export async function holdEnvironment(transaction: DbTransaction, environmentId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from environment where id = ${environmentId}::uuid and deleted_at is null for share`;
  if (rows.length === 0) throw notFound('Environment');
}

/** Locks the environment until the transaction ends, so that such changes run one after the other. */
export async function lockEnvironment(transaction: DbTransaction, environmentId: string): Promise<void> {
  const rows = await transaction.$queryRaw<unknown[]>`
    select 1 from environment where id = ${environmentId}::uuid and deleted_at is null for no key update`;
  if (rows.length === 0) throw notFound('Environment');
}

/** The fields in a body. */
function given(body: z.output<typeof updateEnvironmentBody>) {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.slug === undefined ? {} : { slug: body.slug }),
    ...(body.isDefault === undefined ? {} : { isDefault: body.isDefault }),
    ...(body.requireApplication === undefined ? {} : { requireApplication: body.requireApplication }),
  };
}

/** Translates a unique violation of the slug into `slug_taken`; throws any other error unchanged. */
export function refuseTakenSlug(error: unknown): never {
  if (uniqueViolation(error)?.includes('slug')) throw new ApiError('slug_taken', 'This slug is taken');
  throw error;
}

type EnvironmentRow = {
  id: string;
  name: string;
  slug: string;
  isDefault: boolean;
  requireApplication: boolean;
  createdAt: Date;
  updatedAt: Date;
};

function presentEnvironment(row: EnvironmentRow) {
  return {
    id: toId('env', row.id),
    name: row.name,
    slug: row.slug,
    isDefault: row.isDefault,
    requireApplication: row.requireApplication,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
