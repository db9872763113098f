import { isDeepStrictEqual } from 'node:util';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import type { updateEndpointBody } from '@posthorn/contract/endpoints';
import { toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import type { DbTransaction } from '@posthorn/db/client';
import type { Prisma } from '@posthorn/db/generated/client';
import type { Kind } from '@posthorn/destinations/kind';
import { hasMoved, isPulled, kindOf, requireKind, settingsOf, urlWithoutServer } from '@posthorn/destinations/kinds';
import { forgetHealth } from '@posthorn/ledger/forget-health';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { type Pattern, patternColumn } from '../subscriptions/patterns.ts';
import { checkTransformation } from '../transformations/check-transformation.ts';
import { invalid } from '../transport/error.ts';
import { storedCredentials, storedHeaders } from './endpoint-audit.ts';
import { changeCredentials, checkEndpointCredentials, droppedBy } from './endpoint-credentials.ts';
import { checkKindConfig } from './kind-settings.ts';
import type { EndpointRow } from './present-endpoint.ts';
import { refuseRequestSettings } from './request-settings.ts';
import { holdRoomForKind } from './room-for-endpoints.ts';
import { changeSealed } from './sealed-values.ts';
import { checkHeaders } from './secret-headers.ts';
import {
  chooseSecret,
  createKeyPair,
  credentialChange,
  credentialColumns,
  credentialsForNewOrigin,
  refuseSecretsForStandard,
  storeSecret,
} from './secrets.ts';
import { vetDestination } from './vet-destination.ts';

// Every way to write an endpoint: a draft, its checks, its columns. Operations, upserts, documents and promotions come here.

/** The wanted state of an endpoint. An absent field stays as it is; in a new endpoint it gets its default. */
export type EndpointDraft = Omit<z.output<typeof updateEndpointBody>, 'eventTypePatterns'> & {
  patterns?: readonly Pattern[] | undefined;
};

type Stored = Pick<
  EndpointRow,
  'id' | 'type' | 'url' | 'config' | 'secretHeaders' | 'credentials' | 'authUsername' | 'externalId' | 'isActive'
> & { isFifo: boolean; secrets: EndpointRow['secrets'] };

type Options = {
  /** A promotion leaves credentials to the target, which may not have them yet. */
  checksCredentials?: boolean;
};

/**
 * Checks what needs no lock, and returns the draft with its URL as it is stored. Addresses are looked up here, so that no
 * transaction waits for a name server. Without `before`, the endpoint is new.
 */
export async function checkDraft<Draft extends EndpointDraft>(
  ctx: WorkspaceContext,
  type: string,
  draft: Draft,
  before?: Pick<Stored, 'url' | 'config'>,
): Promise<Draft> {
  refuseRequestSettings(type, draft);
  const { config } = draft;
  if (config !== undefined || before === undefined) checkKindConfig(requireKind(type), config ?? {});
  await checkTransformation(ctx, config, before === undefined ? {} : storedConfig(before));
  const url = draft.url === undefined ? undefined : await vetAddress(ctx, draft.url, 'url');
  if (url !== undefined && kindOf(type)?.hasUrl === false && url !== before?.url) {
    throw invalid(`url of a ${type} is given by the service`, 'url');
  }
  // A token is fetched under the same rules as a delivery is sent.
  if (config?.oauth2 !== undefined) await vetAddress(ctx, config.oauth2.tokenUrl, 'config.oauth2.tokenUrl');
  if (config !== undefined) await vetNewDestination(ctx, requireKind(type), config, before);
  return { ...draft, url };
}

async function vetAddress(ctx: WorkspaceContext, given: string, field: string): Promise<string> {
  const verdict = await ctx.vetUrl(given);
  if (verdict.kind === 'ok') return verdict.url;
  const message = field === 'url' ? verdict.message : verdict.message.replace(/^(?:Webhook URL|url)\b/, field);
  throw invalid(message, field, verdict.rule);
}

/** A destination that was not changed is not looked up again. */
async function vetNewDestination(
  ctx: WorkspaceContext,
  kind: Kind,
  config: EndpointConfig,
  before: Pick<Stored, 'config'> | undefined,
): Promise<void> {
  if (before !== undefined && !hasMoved(kind, settingsOf(kind, before.config), settingsOf(kind, config))) return;
  await vetDestination(ctx, kind, config);
}

type NewEndpoint = {
  id: string;
  type: string;
  draft: EndpointDraft;
  /** The given signing secret; a new one without it. */
  secret?: string | undefined;
  environmentId: string;
  applicationId: string | null;
  promotedFrom?: string;
};

/** Inserts an endpoint with its secret, if there is room for one of its kind. */
export async function insertEndpoint(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { id, type, draft, secret: given, ...place }: NewEndpoint,
  options?: Options,
): Promise<void> {
  const kind = requireKind(type);
  const secret = chooseSecret(given, draft.config);
  await holdRoomForKind(ctx, transaction, { kind, environmentId: place.environmentId });
  const url = draft.url ?? urlWithoutServer(kind, toId('ep', id));
  const columns = draftColumns(ctx, draft, { ...NOTHING, id, type, url }, options);
  await transaction.endpoint.create({
    data: { id, workspaceId: ctx.workspace.id, ...place, type, url, isPulled: isPulled(kind), ...columns },
  });
  await storeSecret(transaction, ctx, { endpointId: id, secret, config: draft.config });
}

/** Stands for the stored endpoint when the endpoint is new. */
const NOTHING = {
  ...{ config: {}, secretHeaders: {}, credentials: {}, secrets: [] },
  ...{ authUsername: null, externalId: null, isActive: true, isFifo: false },
};

/** Makes a locked endpoint like the draft, with the next version. */
export async function changeEndpoint(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  before: Stored,
  draft: EndpointDraft,
  options?: Options,
): Promise<void> {
  const columns = draftColumns(ctx, draft, before, options);
  if (draft.config !== undefined) {
    refuseSecretsForStandard(ctx, before, draft.config);
    await createKeyPair(transaction, ctx, { endpoint: before, config: draft.config });
  }
  await transaction.endpoint.update({
    where: { id: before.id },
    data: { ...columns, version: { increment: 1 }, updatedAt: ctx.clock.now() },
  });
  if (startsAnew(before, columns)) await forgetHealth(transaction, before.id);
}

type Columns = Pick<
  Prisma.EndpointUncheckedCreateInput,
  | ('description' | 'metadata' | 'externalId' | 'eventTypePatterns' | 'isActive' | 'disabledAt' | 'disabledReason')
  | ('config' | 'timeoutSeconds' | 'isFifo' | 'orderEndedAt')
  | ('secretHeaders' | 'credentials' | 'authUsername' | 'authPasswordSealed')
> & { url?: string };

/** The columns that a draft changes. Refuses settings that cannot be combined. */
function draftColumns(
  ctx: WorkspaceContext,
  draft: EndpointDraft,
  before: Stored,
  { checksCredentials = true }: Options = {},
): Columns {
  const endpointId = before.id;
  const { description, metadata, externalId, patterns } = draft;
  refuseForeignName(ctx, externalId, before.externalId);
  const keys = ctx.sealingKeys;
  const now = ctx.clock.now();
  const after = { url: draft.url ?? before.url, config: draft.config ?? storedConfig(before) };
  // Stored credentials belong to their origin, so that a caller cannot read them by moving the endpoint to its own server.
  const moves = new URL(after.url).origin !== new URL(before.url).origin;
  const auth = moves ? credentialsForNewOrigin(draft) : credentialChange(draft, before);
  const hasAuth = auth.kind === 'unchanged' ? before.authUsername !== null : auth.kind === 'set';
  const secretHeaders = changeSealed(keys, moves ? {} : storedHeaders(before), draft.secretHeaders, (name) =>
    sealContext.secretHeader(endpointId, name),
  );
  checkHeaders(after.config, secretHeaders, { hasAuth });
  const credentials = newCredentials(ctx, draft, { before, after, checksCredentials });
  return {
    ...(draft.url === undefined ? {} : { url: draft.url }),
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata: asJson(metadata ?? {}) }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(patterns === undefined ? {} : { eventTypePatterns: patternColumn(patterns) }),
    ...(draft.config === undefined ? {} : configColumns(draft.config, before, now)),
    ...activity(draft.isActive, before, now),
    ...(draft.secretHeaders === undefined && !moves ? {} : { secretHeaders }),
    ...(credentials === undefined ? {} : { credentials }),
    ...credentialColumns(keys, endpointId, auth),
  };
}

/** The externalId is the workspace's name for an endpoint: a customer sees it in the portal, and cannot change it. */
function refuseForeignName({ bounds }: WorkspaceContext, given: string | null | undefined, before: string | null) {
  if (bounds.applicationId === undefined || given === undefined || given === before) return;
  throw invalid('externalId cannot be changed in the portal', 'externalId');
}

type Place = { url: string; config: EndpointConfig };

/** The credentials of the kind; undefined if they stay as they are. They must fit the endpoint's config. */
function newCredentials(
  ctx: WorkspaceContext,
  { config, credentials: given }: EndpointDraft,
  { before, after, checksCredentials }: { before: Stored; after: Place; checksCredentials: boolean },
) {
  const { id: endpointId, type } = before;
  const ofStored = storedCredentials(before);
  // A type that this version does not know takes none.
  if (kindOf(type) === undefined) return undefined;
  const stored = storedConfig(before);
  const hasSome = Object.keys(ofStored).length > 0;
  const dropped = hasSome ? droppedBy(type, { url: before.url, config: stored }, after) : [];
  const credentials = changeCredentials(ctx.sealingKeys, { endpointId, type, before: ofStored, given, dropped });
  const isChanged = given !== undefined || Object.keys(credentials).length < Object.keys(ofStored).length;
  if (checksCredentials && (isChanged || config !== undefined)) {
    const now = ctx.clock.now();
    checkEndpointCredentials(ctx.sealingKeys, { endpointId, type, config: after.config, credentials, now, stored });
  }
  return isChanged ? credentials : undefined;
}

/**
 * The config, and columns for those of its fields that SQL statements read: add new columns of this kind here. When
 * `ordering` is switched off, a dispatcher releases the waiting deliveries, in pages.
 */
function configColumns(config: EndpointConfig, before: Pick<Stored, 'isFifo'>, now: Date) {
  const isFifo = config.ordering === 'fifo';
  return {
    config: asJson(config),
    timeoutSeconds: config.timeoutSeconds ?? null,
    isFifo,
    ...(before.isFifo !== isFifo && { orderEndedAt: isFifo ? null : now }),
  };
}

/** The columns that change when a person activates or deactivates the endpoint. Activating it clears any reason. */
function activity(isActive: boolean | undefined, before: { isActive: boolean }, now: Date) {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive
    ? { isActive, disabledAt: null, disabledReason: null }
    : { isActive, disabledAt: now, disabledReason: 'manual' };
}

/**
 * Whether the endpoint is activated again, or gets another URL or other credentials. The results of earlier requests
 * then say nothing about later ones.
 */
function startsAnew(before: Stored, after: Columns): boolean {
  const { oauth2, tls } = storedConfig(before);
  const config = (after.config ?? before.config) as EndpointConfig;
  return (
    after.isActive === true ||
    (after.url ?? before.url) !== before.url ||
    (after.authUsername !== undefined && after.authUsername !== before.authUsername) ||
    (after.authPasswordSealed ?? null) !== null ||
    after.credentials !== undefined ||
    !isDeepStrictEqual([config.oauth2, config.tls], [oauth2, tls]) ||
    !isDeepStrictEqual(after.secretHeaders ?? before.secretHeaders, before.secretHeaders)
  );
}

/** The column is written here only, after it was checked against the contract. */
function storedConfig({ config }: Pick<Stored, 'config'>): EndpointConfig {
  return config as EndpointConfig;
}

/** The same value, typed for a JSON column. */
function asJson(value: object) {
  return JSON.parse(JSON.stringify(value));
}
