import type { createEndpointBody, getEndpointQuery, updateEndpointBody } from '@posthorn/contract/endpoints';
import { fromId, newUuid } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { uniqueViolation } from '@posthorn/db/violations';
import { DEFAULT_KIND, isPulled, requireKind } from '@posthorn/destinations/kinds';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { diff } from '../audit/change.ts';
import { changesOfRows } from '../audit/changes-per-day.ts';
import { planRequired } from '../auth/principal.ts';
import { requireCreatable } from '../endpoint-types/creatable-types.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { insertPullKey } from '../pull-keys/new-pull-key.ts';
import { requireEndpointStats } from '../stats/endpoint-stats.ts';
import { replacePatterns, requirePatterns } from '../subscriptions/patterns.ts';
import { subscribeByName } from '../subscriptions/subscribe-by-name.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { deleteEndpoints } from './delete-endpoints.ts';
import { auditChanges, auditFields, changesOfUpdate, note, REDACTED } from './endpoint-audit.ts';
import { endpointParts, readPresented } from './present-endpoint.ts';
import { holdRoomInApplication, holdRoomInWorkspace } from './room-for-endpoints.ts';
import { changeEndpoint, checkDraft, insertEndpoint } from './write-endpoint.ts';

export async function getEndpoint(ctx: WorkspaceContext, id: string, { include }: z.output<typeof getEndpointQuery>) {
  const row = await requireShownEndpoint(ctx, id);
  const endpoint = await readPresented(ctx, ctx.db, row);
  return include === undefined ? endpoint : { ...endpoint, stats: (await requireEndpointStats(ctx, [row.id]))(row.id) };
}

/**
 * Creates an endpoint of the workspace, or of the application that the path or the body names; in a portal, of the
 * session's application.
 */
export async function createEndpoint(
  ctx: WorkspaceContext,
  body: z.output<typeof createEndpointBody>,
  application: string | null | undefined = body.applicationId,
) {
  if (application != null && ctx.workspace.plan === 'free') throw planRequired();
  const kind = body.type === undefined ? DEFAULT_KIND : requireKind(body.type);
  const { type } = kind;
  requireCreatable(ctx, type);
  const owner = application == null ? undefined : await requireApplication(ctx, ctx.db, application);
  const patterns = requirePatterns(body.eventTypes ?? [], 'eventTypes');
  const draft = { ...(await checkDraft(ctx, type, body)), patterns };
  // Make the id after the look-up of the name, so that ids have the same order as `createdAt`.
  const id = newUuid(ctx.clock.now());
  return ctx
    .change('endpoint.created', async (transaction) => {
      await holdRoomInWorkspace(ctx, transaction);
      const environment = await requireEnvironment(ctx, transaction, body.environmentId);
      await holdEnvironment(transaction, environment.id);
      const applicationId = owner?.id ?? ctx.bounds.applicationId ?? null;
      if (applicationId !== null) await holdRoomInApplication(transaction, applicationId);
      const place = { id, environmentId: environment.id, applicationId };
      await insertEndpoint(ctx, transaction, { ...place, type, draft, secret: body.secret ?? undefined });
      const { eventTypeIds, subscribed } = await subscribeByName(ctx, transaction, place, body.eventTypes ?? []);
      const made = isPulled(kind)
        ? { pullKey: (await insertPullKey(ctx, transaction, { endpointId: id, name: '', expiresAt: null })).pullKey }
        : {};
      const row = await requireEndpointById(ctx, transaction, id);
      const fields = { ...auditFields(row), eventTypeIds, secret: REDACTED };
      const changes = auditChanges(diff<object>({ eventTypeIds: [] }, fields));
      const result = { ...(await readPresented(ctx, transaction, row)), ...made };
      return { result, entry: { ...note(row, changes), countsAs: changesOfRows(subscribed) } };
    })
    .catch(refuseTakenExternalId);
}

/**
 * Updates an endpoint. If `url` moves to another origin, the endpoint uses the credentials in the same body, and the
 * stored ones are cleared when the body has none.
 */
export async function updateEndpoint(ctx: WorkspaceContext, id: string, body: z.output<typeof updateEndpointBody>) {
  const stored = await requireEndpoint(ctx, ctx.db, id);
  const { eventTypePatterns: chosen, ...fields } = body;
  const patterns = chosen && requirePatterns(chosen, 'eventTypePatterns');
  const draft = { ...(await checkDraft(ctx, stored.type, fields, stored)), patterns };
  return ctx
    .change('endpoint.updated', async (transaction) => {
      // Event types are created under this lock. Take it before the endpoint's lock, as when an endpoint is created.
      if (patterns !== undefined) await lockWorkspace(transaction, ctx.workspace.id);
      const before = await lockEndpoint(ctx, transaction, id);
      await changeEndpoint(ctx, transaction, before, draft);
      const rows = patterns === undefined ? 0 : await replacePatterns(ctx, transaction, before.id, patterns);
      const row = await requireEndpointById(ctx, transaction, before.id);
      const changes = changesOfUpdate(before, row, { body, rows });
      if (Object.keys(changes).length > 0) {
        const entry = { ...note(row, changes), countsAs: changesOfRows(rows) };
        return { result: await readPresented(ctx, transaction, row), entry };
      }
      // Keep the revision: with another one, the answer to an attempt that has begun could not deactivate the endpoint.
      const unchanged = { updatedAt: before.updatedAt, version: before.version, revision: before.revision };
      await transaction.endpoint.update({ where: { id: before.id }, data: unchanged });
      return { result: await readPresented(ctx, transaction, before), entry: null };
    })
    .catch(refuseTakenExternalId);
}

/** Deletes the endpoint and its subscriptions. No new attempt starts after the answer. */
export async function deleteEndpoint(ctx: WorkspaceContext, id: string) {
  return ctx.change('endpoint.deleted', async (transaction) => {
    const before = await lockEndpoint(ctx, transaction, id);
    const { endpoints: _itself, ...parts } = await deleteEndpoints(transaction, { id: before.id }, ctx.clock.now());
    return { result: undefined, entry: note(before, { url: { from: before.url, to: null }, ...parts }) };
  });
}

/**
 * The endpoint by its public id, with the parts that its answer needs; `not_found` when it is missing, deleted or out
 * of reach.
 */
async function requireEndpoint(
  ctx: Pick<WorkspaceContext, 'workspace' | 'bounds'>,
  db: Pick<Db | DbTransaction, 'endpoint'>,
  id: string,
) {
  const uuid = fromId('ep', id);
  if (uuid === undefined) throw notFound('Endpoint');
  return requireEndpointById(ctx, db, uuid);
}

/** The endpoint as it is read. That of an agent is read as its subscription, which has another form. */
async function requireShownEndpoint(ctx: WorkspaceContext, id: string) {
  const uuid = fromId('ep', id);
  const row = uuid === undefined ? null : await findEndpoint(ctx, ctx.db, uuid);
  if (row === null) throw notFound('Endpoint');
  if (row.isTemporary)
    throw new ApiError('not_found', 'Endpoint not found: it is of an agent, see agent-subscriptions');
  return row;
}

/** The key of an existing endpoint within the caller's reach; `not_found` otherwise. */
export async function requireEndpointKey(
  { db, workspace, bounds }: Pick<WorkspaceContext, 'db' | 'workspace' | 'bounds'>,
  id: string,
): Promise<string> {
  const uuid = fromId('ep', id);
  const where = { workspaceId: workspace.id, deletedAt: null, ...bounds };
  if (uuid === undefined || (await db.endpoint.count({ where: { id: uuid, ...where } })) === 0)
    throw notFound('Endpoint');
  return uuid;
}

/**
 * The endpoint, locked until the transaction ends, so that values computed from it stay correct. Inserts of rows that
 * reference it do not wait: a settle inserts the endpoint's health in one statement with other workspaces' results.
 */
export async function lockEndpoint(
  ctx: { workspace: Pick<WorkspaceContext['workspace'], 'id'>; bounds: WorkspaceContext['bounds'] },
  transaction: DbTransaction,
  id: string,
) {
  const uuid = fromId('ep', id);
  if (uuid === undefined) throw notFound('Endpoint');
  await transaction.$queryRaw`
    select 1 from endpoint where id = ${uuid}::uuid and workspace_id = ${ctx.workspace.id}::uuid for no key update`;
  return requireEndpointById(ctx, transaction, uuid);
}

async function requireEndpointById(
  ctx: { workspace: Pick<WorkspaceContext['workspace'], 'id'>; bounds: WorkspaceContext['bounds'] },
  db: Pick<Db | DbTransaction, 'endpoint'>,
  uuid: string,
) {
  const row = await findEndpoint(ctx, db, uuid);
  if (row === null) throw notFound('Endpoint');
  if (row.isTemporary) throw invalid(OF_AGENT, 'path.id');
  return row;
}

function findEndpoint(
  ctx: { workspace: Pick<WorkspaceContext['workspace'], 'id'>; bounds: WorkspaceContext['bounds'] },
  db: Pick<Db | DbTransaction, 'endpoint'>,
  id: string,
) {
  const where = { id, workspaceId: ctx.workspace.id, deletedAt: null, ...ctx.bounds };
  return db.endpoint.findFirst({ where, include: endpointParts });
}

const OF_AGENT = 'This is the endpoint of an agent: it changes and ends with its subscription';

function refuseTakenExternalId(error: unknown): never {
  if (uniqueViolation(error)?.includes('external_id') !== true) throw error;
  throw new ApiError('external_id_taken', 'An endpoint with this externalId already exists in this environment');
}
