import { isDeepStrictEqual } from 'node:util';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import type { createEndpointBody, getEndpointQuery, updateEndpointBody } from '@posthorn/contract/endpoints';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { uniqueViolation } from '@posthorn/db/violations';
import {
  DEFAULT_KIND,
  hasMoved,
  isPulled,
  kindOf,
  requireKind,
  settingsOf,
  urlWithoutServer,
} from '@posthorn/destinations/kinds';
import { forgetHealth } from '@posthorn/ledger/forget-health';
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
import { patternColumn, replacePatterns, requirePatterns, storedPatterns } from '../subscriptions/patterns.ts';
import { subscribeByName } from '../subscriptions/subscribe-by-name.ts';
import { checkTransformation } from '../transformations/check-transformation.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { deleteEndpoints } from './delete-endpoints.ts';
import {
  auditChanges,
  auditFields,
  note,
  REDACTED,
  redacted,
  storedCredentials,
  storedHeaders,
} from './endpoint-audit.ts';
import { endpointColumns } from './endpoint-columns.ts';
import {
  changeCredentials,
  checkEndpointCredentials,
  droppedBy,
  type SealedCredentials,
} from './endpoint-credentials.ts';
import { checkKindConfig } from './kind-settings.ts';
import { type EndpointRow, endpointParts, readPresented } from './present-endpoint.ts';
import { refuseRequestSettings } from './request-settings.ts';
import { holdRoomForKind, holdRoomInApplication, holdRoomInWorkspace } from './room-for-endpoints.ts';
import { changeSecretHeaders, refuseHeadersTwice, type SecretHeaders } from './secret-headers.ts';
import {
  type CredentialChange,
  chooseSecret,
  createKeyPair,
  credentialChange,
  credentialColumns,
  credentialsForNewOrigin,
  refuseSecretsForStandard,
  storeSecret,
} from './secrets.ts';
import { vetDestination } from './vet-destination.ts';

export async function getEndpoint(ctx: WorkspaceContext, id: string, { include }: z.output<typeof getEndpointQuery>) {
  const row = await requireEndpoint(ctx, ctx.db, id);
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
  application = body.applicationId,
) {
  if (application !== undefined && ctx.workspace.plan === 'free') throw planRequired();
  refuseForeignName(ctx, body.externalId, null);
  const kind = body.type === undefined ? DEFAULT_KIND : requireKind(body.type);
  requireCreatable(ctx, kind.type);
  refuseRequestSettings(kind.type, body);
  checkKindConfig(kind, body.config ?? {});
  await checkTransformation(ctx, body.config, {});
  const owner = application === undefined ? undefined : await requireApplication(ctx, ctx.db, application);
  const given = body.url === undefined ? undefined : await vetUrl(ctx, body.url);
  await vetTokenUrl(ctx, body.config);
  await vetDestination(ctx, kind, body.config ?? {});
  // Made after the look-up of the name, so that the order by id is that by `createdAt`.
  const id = newUuid(ctx.clock.now());
  const url = given ?? urlWithoutServer(kind, toId('ep', id));
  const secret = chooseSecret(body.secret, body.config);
  return ctx
    .change('endpoint.created', async (transaction) => {
      await holdRoomInWorkspace(ctx, transaction);
      const environment = await requireEnvironment(ctx, transaction, body.environmentId);
      await holdEnvironment(transaction, environment.id);
      const applicationId = owner?.id ?? ctx.bounds.applicationId;
      if (applicationId !== undefined) await holdRoomInApplication(transaction, applicationId);
      await holdRoomForKind(ctx, transaction, { kind, environmentId: environment.id });
      const credentials = credentialChange(body, { authUsername: null });
      const headers = { endpointId: id, before: {}, given: body.secretHeaders, moves: false };
      const secretHeaders = changeSecretHeaders(ctx.sealingKeys, headers);
      refuseHeadersTwice(body.config ?? {}, secretHeaders, { hasAuth: credentials.kind === 'set' });
      const ofKind = { endpointId: id, type: kind.type };
      const kindCredentials = changeCredentials(ctx.sealingKeys, {
        ...{ ...ofKind, before: {}, given: body.credentials, dropped: [] },
      });
      checkEndpointCredentials(ctx.sealingKeys, {
        ...{ ...ofKind, config: body.config ?? {}, credentials: kindCredentials, now: ctx.clock.now() },
      });
      await transaction.endpoint.create({
        data: {
          id,
          workspaceId: ctx.workspace.id,
          environmentId: environment.id,
          applicationId: applicationId ?? null,
          externalId: body.externalId ?? null,
          url,
          description: body.description ?? '',
          type: kind.type,
          isPulled: isPulled(kind),
          ...endpointColumns(body.config ?? {}),
          secretHeaders,
          credentials: kindCredentials,
          metadata: asJson(body.metadata ?? {}),
          ...activity(body.isActive, { isActive: true }, ctx.clock.now()),
          eventTypePatterns: patternColumn(requirePatterns(body.eventTypes ?? [], 'eventTypes')),
          ...credentialColumns(ctx.sealingKeys, id, credentials),
        },
      });
      await storeSecret(transaction, ctx, { endpointId: id, secret, config: body.config });
      const place = { id, applicationId: applicationId ?? null };
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
 * A `url` of another origin uses the credentials in the same body, and clears the stored ones when the body has none.
 */
export async function updateEndpoint(ctx: WorkspaceContext, id: string, body: Update) {
  await vetNewDestination(ctx, id, body);
  if (body.url !== undefined) await requireEndpointKey(ctx, id);
  if (body.config !== undefined) {
    await checkTransformation(ctx, body.config, storedConfig(await requireEndpoint(ctx, ctx.db, id)));
  }
  const url = body.url === undefined ? undefined : await vetUrl(ctx, body.url);
  if (body.config?.oauth2 !== undefined) await requireEndpointKey(ctx, id);
  await vetTokenUrl(ctx, body.config);
  return (
    ctx
      // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one column after the other, each with its default.
      .change('endpoint.updated', async (transaction) => {
        const patterns =
          body.eventTypePatterns === undefined
            ? undefined
            : requirePatterns(body.eventTypePatterns, 'eventTypePatterns');
        // Event types are created under the same lock. Before the endpoint's lock, as at its creation.
        if (patterns !== undefined) await lockWorkspace(transaction, ctx.workspace.id);
        const before = await lockEndpoint(ctx, transaction, id);
        refuseForeignName(ctx, body.externalId, before.externalId);
        refuseRequestSettings(before.type, body);
        if (body.config !== undefined) checkKindConfig(requireKind(before.type), body.config);
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
        const config = body.config ?? storedConfig(before);
        refuseHeadersTwice(config, secretHeaders, { hasAuth });
        const kindCredentials = changeKindCredentials(ctx, before, {
          url: url ?? before.url,
          config,
          given: body.credentials,
        });
        if (body.config !== undefined) {
          refuseSecretsForStandard(ctx, before, body.config);
          await createKeyPair(transaction, ctx, { endpoint: before, config: body.config });
        }
        await transaction.endpoint.update({
          where: { id: before.id },
          data: {
            ...(url === undefined ? {} : { url }),
            ...givenColumns(body, before, ctx.clock.now()),
            ...(patterns === undefined ? {} : { eventTypePatterns: patternColumn(patterns) }),
            ...(body.secretHeaders === undefined && !moves ? {} : { secretHeaders }),
            ...(kindCredentials === undefined ? {} : { credentials: kindCredentials }),
            ...credentialColumns(ctx.sealingKeys, before.id, credentials),
            version: { increment: 1 },
            updatedAt: ctx.clock.now(),
          },
        });
        const rows = patterns === undefined ? 0 : await replacePatterns(ctx, transaction, before.id, patterns);
        if (startsAnew(before, { ...body, url, credentials, secretHeaders, config, kindCredentials })) {
          await forgetHealth(transaction, before.id);
        }
        const row = await requireEndpointById(ctx, transaction, before.id);
        const changes = auditChanges(diff(auditFields(before), auditFields(row)));
        if (credentials.kind === 'set' && credentials.authPassword !== undefined) {
          changes.authPassword = { from: before.authUsername === null ? null : REDACTED, to: REDACTED };
        }
        if (Object.values(body.secretHeaders ?? {}).some((value) => value !== null)) {
          changes.secretHeaders = { from: redacted(stored), to: redacted(secretHeaders) };
        }
        if (Object.values(body.credentials ?? {}).some((value) => value !== null)) {
          changes.credentials = { from: redacted(storedCredentials(before)), to: redacted(kindCredentials ?? {}) };
        }
        // The same patterns make again what was deleted. How many there are would tell a customer of types that are not published.
        if (rows > 0 && changes.eventTypePatterns === undefined) {
          changes.eventTypePatterns = { from: storedPatterns(before), to: storedPatterns(row) };
        }
        if (Object.keys(changes).length > 0)
          return {
            result: await readPresented(ctx, transaction, row),
            entry: { ...note(row, changes), countsAs: changesOfRows(rows) },
          };
        // With another revision, the answer to an attempt that has begun could not deactivate the endpoint.
        const unchanged = { updatedAt: before.updatedAt, version: before.version, revision: before.revision };
        await transaction.endpoint.update({ where: { id: before.id }, data: unchanged });
        return { result: await readPresented(ctx, transaction, before), entry: null };
      })
      .catch(refuseTakenExternalId)
  );
}

/** A destination that was not changed is not looked up again. */
async function vetNewDestination(ctx: WorkspaceContext, id: string, { config }: Update): Promise<void> {
  if (config === undefined) return;
  const before = await requireEndpoint(ctx, ctx.db, id);
  const kind = kindOf(before.type);
  if (kind?.servers === undefined) return;
  checkKindConfig(kind, config);
  if (hasMoved(kind, settingsOf(kind, before.config), settingsOf(kind, config)))
    await vetDestination(ctx, kind, config);
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

/** The externalId is the workspace's name for an endpoint: a customer sees it in the portal, and cannot change it. */
function refuseForeignName({ bounds }: WorkspaceContext, given: string | null | undefined, before: string | null) {
  if (bounds.applicationId === undefined || given === undefined || given === before) return;
  throw invalid('externalId cannot be changed in the portal', 'externalId');
}

function refuseTakenExternalId(error: unknown): never {
  if (uniqueViolation(error)?.includes('external_id') !== true) throw error;
  throw new ApiError('external_id_taken', 'An endpoint with this externalId already exists in this environment');
}

/** The credentials after an update; undefined if they stay as they are. They must fit the endpoint's config. */
function changeKindCredentials(
  ctx: WorkspaceContext,
  before: EndpointRow,
  { given, ...after }: { url: string; config: EndpointConfig; given: Update['credentials'] },
): SealedCredentials | undefined {
  const { id: endpointId, type } = before;
  const stored = storedCredentials(before);
  // A type that this version does not know takes none.
  if (kindOf(type) === undefined) return undefined;
  const dropped = droppedBy(before.type, { url: before.url, config: storedConfig(before) }, after);
  const credentials = changeCredentials(ctx.sealingKeys, { endpointId, type, before: stored, given, dropped });
  const isChanged = given !== undefined || Object.keys(credentials).length < Object.keys(stored).length;
  if (isChanged || after.config !== storedConfig(before)) {
    const now = ctx.clock.now();
    const ofStored = { endpointId, type, stored: storedConfig(before) };
    checkEndpointCredentials(ctx.sealingKeys, { ...ofStored, config: after.config, credentials, now });
  }
  return isChanged ? credentials : undefined;
}

/** A token is fetched under the same rules as a delivery is sent. */
async function vetTokenUrl(ctx: WorkspaceContext, config: EndpointConfig | undefined): Promise<void> {
  if (config?.oauth2 === undefined) return;
  const verdict = await ctx.vetUrl(config.oauth2.tokenUrl);
  if (verdict.kind === 'refused') {
    const field = 'config.oauth2.tokenUrl';
    throw invalid(verdict.message.replace(/^(?:Webhook URL|url)\b/, field), field, verdict.rule);
  }
}

async function vetUrl(ctx: WorkspaceContext, given: string): Promise<string> {
  const verdict = await ctx.vetUrl(given);
  if (verdict.kind === 'refused') throw invalid(verdict.message, 'url', verdict.rule);
  return verdict.url;
}

/** The column is written here only, after it was checked against the contract. */
function storedConfig({ config }: Pick<EndpointRow, 'config'>): EndpointConfig {
  return config as EndpointConfig;
}

type Update = z.output<typeof updateEndpointBody>;

type Change = {
  isActive?: boolean | undefined;
  url: string | undefined;
  credentials: CredentialChange;
  secretHeaders: SecretHeaders;
  config: EndpointConfig;
  kindCredentials: SealedCredentials | undefined;
};

/**
 * Whether the endpoint is activated again, or gets another URL or other credentials: what became of earlier requests
 * says nothing about later ones.
 */
function startsAnew(
  before: EndpointRow,
  { isActive, url = before.url, credentials, secretHeaders, config, kindCredentials }: Change,
): boolean {
  const { oauth2, tls } = storedConfig(before);
  const hasOtherCredentials =
    credentials.kind === 'set'
      ? credentials.authPassword !== undefined || credentials.authUsername !== before.authUsername
      : credentials.kind === 'cleared' && before.authUsername !== null;
  return (
    (isActive === true && !before.isActive) ||
    url !== before.url ||
    hasOtherCredentials ||
    kindCredentials !== undefined ||
    !isDeepStrictEqual([config.oauth2, config.tls], [oauth2, tls]) ||
    !isDeepStrictEqual(secretHeaders, storedHeaders(before))
  );
}

/** The columns that an update names, except the ones that depend on the endpoint's other columns. */
function givenColumns(body: Update, before: { isFifo: boolean; isActive: boolean }, now: Date) {
  const { description, metadata, externalId, config } = body;
  return {
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata: asJson(metadata ?? {}) }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(config && endpointColumns(config, { isFifo: before.isFifo, now })),
    ...activity(body.isActive, before, now),
  };
}

/** A person who deactivates it gives a reason; activating it clears any reason. */
function activity(isActive: boolean | undefined, before: { isActive: boolean }, now: Date) {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive
    ? { isActive, disabledAt: null, disabledReason: null }
    : { isActive, disabledAt: now, disabledReason: 'manual' };
}

/** The same value, typed for a JSON column. */
function asJson(value: object) {
  return JSON.parse(JSON.stringify(value));
}
