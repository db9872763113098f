import { isDeepStrictEqual } from 'node:util';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import type { createEndpointBody, getEndpointQuery, updateEndpointBody } from '@posthorn/contract/endpoints';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { DEFAULT_KIND, kindOf, requireKind, urlWithoutServer } from '@posthorn/destinations/kinds';
import { forgetHealth } from '@posthorn/ledger/forget-health';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { type Changes, diff } from '../audit/change.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { invalid, notFound } from '../http/error.ts';
import { requireEndpointStats } from '../stats/endpoint-stats.ts';
import { deleteEndpoints } from './delete-endpoints.ts';
import { endpointColumns } from './endpoint-columns.ts';
import { type EndpointRow, endpointParts, presentEndpoint } from './present-endpoint.ts';
import { holdRoomForKind, holdRoomInApplication, holdRoomInWorkspace } from './room-for-endpoints.ts';
import { changeSecretHeaders, refuseHeadersTwice, type SecretHeaders } from './secret-headers.ts';
import {
  type CredentialChange,
  chooseSecret,
  createKeyPair,
  credentialChange,
  credentialColumns,
  credentialsForNewOrigin,
  storeSecret,
} from './secrets.ts';

export async function getEndpoint(ctx: WorkspaceContext, id: string, { include }: z.output<typeof getEndpointQuery>) {
  const row = await requireEndpoint(ctx, ctx.db, id);
  const endpoint = presentEndpoint(ctx, row);
  return include === undefined ? endpoint : { ...endpoint, stats: (await requireEndpointStats(ctx, [row.id]))(row.id) };
}

/** Creates an endpoint of the workspace, or of the named application; in a portal, of the session's application. */
export async function createEndpoint(
  ctx: WorkspaceContext,
  body: z.output<typeof createEndpointBody>,
  application?: string,
) {
  const owner = application === undefined ? undefined : await requireApplication(ctx, ctx.db, application);
  const given = body.url === undefined ? undefined : await vetUrl(ctx, body.url);
  // Made after the look-up of the name, so that the order by id is that by `createdAt`.
  const id = newUuid(ctx.clock.now());
  const kind = body.type === undefined ? DEFAULT_KIND : requireKind(body.type);
  const url = given ?? urlWithoutServer(kind, toId('ep', id));
  const secret = chooseSecret(body.secret);
  return ctx.change('endpoint.created', async (transaction) => {
    await holdRoomInWorkspace(ctx, transaction);
    const environment = await requireEnvironment(ctx, transaction, body.environmentId);
    await holdEnvironment(transaction, environment.id);
    const applicationId = owner?.id ?? ctx.bounds.applicationId;
    if (applicationId !== undefined) await holdRoomInApplication(transaction, applicationId);
    await holdRoomForKind(transaction, kind, environment.id);
    const credentials = credentialChange(body, { authUsername: null });
    const headers = { endpointId: id, before: {}, given: body.secretHeaders, moves: false };
    const secretHeaders = changeSecretHeaders(ctx.sealingKeys, headers);
    refuseHeadersTwice(body.config ?? {}, secretHeaders, { hasAuth: credentials.kind === 'set' });
    await transaction.endpoint.create({
      data: {
        id,
        workspaceId: ctx.workspace.id,
        environmentId: environment.id,
        applicationId: applicationId ?? null,
        url,
        description: body.description ?? '',
        type: kind.type,
        ...endpointColumns(body.config ?? {}),
        secretHeaders,
        metadata: asJson(body.metadata ?? {}),
        ...credentialColumns(ctx.sealingKeys, id, credentials),
      },
    });
    await storeSecret(transaction, ctx, { endpointId: id, secret, config: body.config });
    const row = await requireEndpointById(ctx, transaction, id);
    const changes = auditChanges(diff<object>({}, { ...auditFields(row), secret: REDACTED }));
    return { result: presentEndpoint(ctx, row), entry: note(row, changes) };
  });
}

/**
 * A `url` of another origin uses the credentials in the same body, and clears the stored ones when the body has none.
 */
export async function updateEndpoint(ctx: WorkspaceContext, id: string, body: z.output<typeof updateEndpointBody>) {
  if (body.url !== undefined) await requireEndpointKey(ctx, id);
  const url = body.url === undefined ? undefined : await vetUrl(ctx, body.url);
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one column after the other, each with its default.
  return ctx.change('endpoint.updated', async (transaction) => {
    const before = await lockEndpoint(ctx, transaction, id);
    if (url !== undefined && kindOf(before.type)?.hasUrl === false && url !== before.url) {
      throw invalid(`url of a ${before.type} is given by the service`, 'url');
    }
    // Stored credentials belong to their origin, so that a caller cannot read them by moving the endpoint to its own
    // server.
    const moves = url !== undefined && new URL(url).origin !== new URL(before.url).origin;
    const credentials = moves ? credentialsForNewOrigin(body) : credentialChange(body, before);
    const hasAuth = credentials.kind === 'unchanged' ? before.authUsername !== null : credentials.kind === 'set';
    const stored = storedHeaders(before);
    const headers = { endpointId: before.id, before: stored, given: body.secretHeaders, moves };
    const secretHeaders = changeSecretHeaders(ctx.sealingKeys, headers);
    refuseHeadersTwice(body.config ?? storedConfig(before), secretHeaders, { hasAuth });
    if (body.config !== undefined) await createKeyPair(transaction, ctx, { endpoint: before, config: body.config });
    await transaction.endpoint.update({
      where: { id: before.id },
      data: {
        ...(url === undefined ? {} : { url }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.metadata === undefined ? {} : { metadata: asJson(body.metadata ?? {}) }),
        ...(body.config && endpointColumns(body.config, { isFifo: before.isFifo, now: ctx.clock.now() })),
        ...(body.secretHeaders === undefined && !moves ? {} : { secretHeaders }),
        ...activity(body.isActive, before, ctx.clock.now()),
        ...credentialColumns(ctx.sealingKeys, before.id, credentials),
        version: { increment: 1 },
        updatedAt: ctx.clock.now(),
      },
    });
    if (startsAnew(before, { ...body, url, credentials, secretHeaders })) await forgetHealth(transaction, before.id);
    const row = await requireEndpointById(ctx, transaction, before.id);
    const changes = auditChanges(diff(auditFields(before), auditFields(row)));
    if (credentials.kind === 'set' && credentials.authPassword !== undefined) {
      changes.authPassword = { from: before.authUsername === null ? null : REDACTED, to: REDACTED };
    }
    if (Object.values(body.secretHeaders ?? {}).some((value) => value !== null)) {
      changes.secretHeaders = { from: redacted(stored), to: redacted(secretHeaders) };
    }
    if (Object.keys(changes).length > 0) return { result: presentEndpoint(ctx, row), entry: note(row, changes) };
    // With another revision, the answer to an attempt that has begun could not deactivate the endpoint.
    const unchanged = { updatedAt: before.updatedAt, version: before.version, revision: before.revision };
    await transaction.endpoint.update({ where: { id: before.id }, data: unchanged });
    return { result: presentEndpoint(ctx, before), entry: null };
  });
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
  const row = await db.endpoint.findFirst({
    where: { id: uuid, workspaceId: ctx.workspace.id, deletedAt: null, ...ctx.bounds },
    include: endpointParts,
  });
  if (row === null) throw notFound('Endpoint');
  return row;
}

async function vetUrl(ctx: WorkspaceContext, given: string): Promise<string> {
  const verdict = await ctx.vetUrl(given);
  if (verdict.kind === 'refused') throw invalid(verdict.message, 'url');
  return verdict.url;
}

/** Both columns are written here only, after they were checked against the contract. */
function storedConfig({ config }: Pick<EndpointRow, 'config'>): EndpointConfig {
  return config as EndpointConfig;
}

function storedHeaders({ secretHeaders }: Pick<EndpointRow, 'secretHeaders'>): SecretHeaders {
  return secretHeaders as SecretHeaders;
}

type Change = {
  isActive?: boolean | undefined;
  url: string | undefined;
  credentials: CredentialChange;
  secretHeaders: SecretHeaders;
};

/**
 * Whether the endpoint is activated again, or gets another URL or other credentials: what became of earlier requests
 * says nothing about later ones.
 */
function startsAnew(before: EndpointRow, { isActive, url = before.url, credentials, secretHeaders }: Change): boolean {
  const hasOtherCredentials =
    credentials.kind === 'set'
      ? credentials.authPassword !== undefined || credentials.authUsername !== before.authUsername
      : credentials.kind === 'cleared' && before.authUsername !== null;
  return (
    (isActive === true && !before.isActive) ||
    url !== before.url ||
    hasOtherCredentials ||
    !isDeepStrictEqual(secretHeaders, storedHeaders(before))
  );
}

function redacted(headers: SecretHeaders) {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
}

/** A person who deactivates it gives a reason; activating it clears any reason. */
function activity(isActive: boolean | undefined, before: { isActive: boolean }, now: Date) {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive
    ? { isActive, disabledAt: null, disabledReason: null }
    : { isActive, disabledAt: now, disabledReason: 'manual' };
}

function auditFields(row: EndpointRow) {
  const { url, description, type, config, metadata, authUsername, isActive } = row;
  const environmentId = toId('env', row.environmentId);
  const secretHeaderNames = Object.keys(storedHeaders(row));
  return { url, description, type, config, secretHeaderNames, metadata, authUsername, isActive, environmentId };
}

/** Customers put their own keys into headers: the audit log shows only the headers' names. */
function auditChanges({ config, ...changes }: Changes): Changes {
  if (config === undefined) return changes;
  return { ...changes, config: { from: hideHeaders(config.from), to: hideHeaders(config.to) } };
}

function hideHeaders(config: unknown): unknown {
  const { headers, ...rest } = (config ?? {}) as EndpointConfig;
  if (headers === undefined) return config;
  return { ...rest, headers: Object.fromEntries(Object.keys(headers).map((header) => [header, REDACTED])) };
}

function note(row: EndpointRow, changes: ReturnType<typeof diff>) {
  return {
    resourceId: toId('ep', row.id),
    changes,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  };
}

/** The same value, typed for a JSON column. */
function asJson(value: object) {
  return JSON.parse(JSON.stringify(value));
}

const REDACTED = '[redacted]';
