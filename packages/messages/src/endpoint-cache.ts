import type { KeyObject } from 'node:crypto';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { toId } from '@posthorn/contract/ids';
import type { Signature } from '@posthorn/contract/signature';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { toSigningKey } from '@posthorn/crypto/signing-key';
import { hmacKeyOf } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import type { Place } from '@posthorn/destinations/kind';
import { kindOf, settingsOf } from '@posthorn/destinations/kinds';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { PayloadFormat } from './payload-format.ts';
import type { LiveSecret } from './signature-headers.ts';

/** The fields of an endpoint that a request needs, and the endpoint's limits. */
export type DeliveryTarget = {
  revision: string;
  timeoutSeconds: number | null;
  rateLimit: { limit: number; periodSeconds: number } | null;
  maxConcurrency: number | null;
  /** Whether deliveries that piled up during an outage of Posthorn are sent at a limited pace or all at once. */
  catchUp: 'paced' | 'at-once';
  /**
   * Set by the dispatcher while `rateLimit` is the pace of a catch-up: events with this id or a later one are not
   * limited by it, but wait behind deliveries in the endpoint's line.
   */
  passesFrom?: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  url: string;
  /** The headers of the config, including those with secret values. */
  headers: Record<string, string>;
  /** The names of the headers with secret values, in lower case. */
  secretHeaders: ReadonlySet<string>;
  payloadFormat: PayloadFormat;
  /** Basic credentials, ready to send. */
  authorization: string | null;
  /** `privateKey` is null unless the endpoint has asymmetric signatures. */
  secrets: (LiveSecret & { expiresAt: Date | null })[];
  signature: Signature | undefined;
  /** Whether requests have the headers of Standard Webhooks. */
  standardHeaders: boolean;
  retrySchedule: number[] | null;
  /**
   * The code that transforms the payload, and the facts about the endpoint that it gets; null without a transformation.
   */
  transformation: Transformation | null;
  /** The settings of the endpoint's kind. */
  place: Place;
};

export type Transformation = {
  code: string;
  applicationId: string | null;
  metadata: Readonly<Record<string, string>>;
  /** The account that created the workspace, or the workspace itself. */
  ownerId: string;
};

export type TargetResult =
  | { kind: 'found'; target: DeliveryTarget }
  /**
   * The endpoint has a password, secret header or credential that the current keys cannot decrypt, or has no secret
   * that they can. Or its type is one that this version does not know.
   */
  | { kind: 'unreadable' }
  | { kind: 'missing' };

export type EndpointCache = {
  /**
   * Returns the endpoint at this revision, or reads it again. So no attempt uses an earlier URL, secret or config, or
   * one that a failover has lost.
   */
  atRevision(endpointId: string, revision: string): Promise<TargetResult>;
  /** Reads now whether the endpoint still has this revision. */
  isAtRevision(endpointId: string, revision: string): Promise<boolean>;
  /**
   * The endpoint's limits, for use before the claim, which returns the revision. They are at most a second old, because
   * a delivery that they defer is never claimed. Undefined for an endpoint that is missing or unreadable.
   */
  limitsOf(endpointId: string): Promise<DeliveryTarget | undefined>;
};

/** Gets the owner of the workspace of each endpoint that is loaded. */
type LearnOwner = { learn(workspaceId: string, ownerId: string): void };

/** Room for 10,000 endpoints without headers. An endpoint may have 20 KB of headers; most have far less. */
const MAX_CACHED_CHARACTERS = 20_000_000;
/** An estimate of the size of an entry without its headers. */
const CHARACTERS_OF_AN_ENTRY = 2_000;
/** One second, minus the time that loading takes. */
const LIMITS_AGE_MS = 900;

/** Loads endpoints in batches, and caches them with their revision. */
export function createEndpointCache(
  db: Db,
  keys: SealingKeys,
  clock: Clock,
  owners: LearnOwner = { learn() {} },
): EndpointCache {
  const cache = new LRUCache<string, { target: DeliveryTarget; loadedAtMs: number }>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ target }) =>
      CHARACTERS_OF_AN_ENTRY +
      charactersOf(target.headers) +
      certificatesOf(target) +
      (target.transformation?.code.length ?? 0),
  });
  const load = createBatcher<string, TargetResult>({
    run: (endpointIds) => loadTargets(db, keys, endpointIds, owners),
    maxItems: 100,
    maxInFlight: 4,
  });
  const readRevision = createBatcher<string, string | undefined>({
    async run(endpointIds) {
      const rows = await db.$queryRaw<{ id: string; revision: string }[]>`
        select id, revision from endpoint where id = any(${[...new Set(endpointIds)]}::uuid[])`;
      const byId = new Map(rows.map((row) => [row.id, row.revision]));
      return endpointIds.map((id) => byId.get(id));
    },
    maxItems: 100,
    maxInFlight: 2,
  });
  const refresh = async (endpointId: string): Promise<TargetResult> => {
    const loadedAtMs = clock.monotonicMs();
    const loaded = await load(endpointId);
    if (loaded.kind === 'found') cache.set(endpointId, { target: loaded.target, loadedAtMs });
    else cache.delete(endpointId);
    return loaded;
  };
  return {
    async atRevision(endpointId, revision) {
      const cached = cache.get(endpointId)?.target;
      return cached?.revision === revision ? { kind: 'found', target: cached } : refresh(endpointId);
    },
    isAtRevision: async (endpointId, revision) => (await readRevision(endpointId)) === revision,
    async limitsOf(endpointId) {
      const cached = cache.get(endpointId);
      if (cached !== undefined) {
        const { target, loadedAtMs } = cached;
        if (!isLimited(target) || clock.monotonicMs() - loadedAtMs < LIMITS_AGE_MS) return target;
      }
      const loaded = await refresh(endpointId);
      return loaded.kind === 'found' ? loaded.target : undefined;
    },
  };
}

function certificatesOf({ place: { tls } }: DeliveryTarget): number {
  return tls === undefined ? 0 : JSON.stringify(tls).length;
}

function charactersOf(headers: Record<string, string>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Whether the endpoint has a limit that all dispatchers share. */
export function isLimited({
  rateLimit,
  maxConcurrency,
}: Pick<DeliveryTarget, 'rateLimit' | 'maxConcurrency'>): boolean {
  return rateLimit !== null || maxConcurrency !== null;
}

async function loadTargets(
  db: Db,
  keys: SealingKeys,
  endpointIds: string[],
  owners: LearnOwner,
): Promise<TargetResult[]> {
  const rows = await db.endpoint.findMany({
    where: { id: { in: [...new Set(endpointIds)] } },
    select: {
      id: true,
      workspaceId: true,
      applicationId: true,
      environmentId: true,
      metadata: true,
      revision: true,
      url: true,
      type: true,
      config: true,
      secretHeaders: true,
      credentials: true,
      authUsername: true,
      authPasswordSealed: true,
      timeoutSeconds: true,
      workspace: { select: { createdBy: true } },
      secrets: { orderBy: { createdAt: 'desc' } },
    },
  });
  for (const { workspaceId, workspace } of rows) owners.learn(workspaceId, ownerOf(workspaceId, workspace));
  const byId = new Map(rows.map((row) => [row.id, openTarget(row, keys)]));
  return endpointIds.map((endpointId) => byId.get(endpointId) ?? { kind: 'missing' });
}

type TargetRow = {
  id: string;
  workspaceId: string;
  applicationId: string | null;
  environmentId: string;
  metadata: unknown;
  revision: string;
  url: string;
  type: string;
  config: unknown;
  secretHeaders: unknown;
  credentials: unknown;
  authUsername: string | null;
  authPasswordSealed: Uint8Array | null;
  timeoutSeconds: number | null;
  workspace: { createdBy: string | null };
  secrets: SecretRow[];
};

type SecretRow = {
  id: string;
  sealed: Uint8Array;
  privateKeySealed: Uint8Array | null;
  publicKey: Uint8Array | null;
  expiresAt: Date | null;
};

function openTarget(row: TargetRow, keys: SealingKeys): TargetResult {
  const config = storedConfig(row.config);
  const authorization = basicCredentials(row, keys);
  const secretHeaders = openValues(row.secretHeaders, keys, (name) => sealContext.secretHeader(row.id, name));
  const credentials = openValues(row.credentials, keys, (name) => sealContext.endpointCredential(row.id, name));
  const isAsymmetric = config.signature === 'standard-ed25519';
  const secrets = row.secrets.flatMap((secret) => {
    const opened = open(keys, secret.sealed, sealContext.signingSecret(secret.id));
    if (opened.kind !== 'opened') return [];
    const text = opened.plaintext;
    const privateKey = isAsymmetric ? openPrivateKey(secret, keys) : null;
    return [{ key: hmacKeyOf(text), text, privateKey, expiresAt: secret.expiresAt }];
  });
  const kind = kindOf(row.type);
  if (authorization === undefined || secretHeaders === undefined || credentials === undefined) {
    return { kind: 'unreadable' };
  }
  if (secrets.length === 0 || kind === undefined) return { kind: 'unreadable' };
  return {
    kind: 'found',
    target: {
      endpointId: row.id,
      workspaceId: row.workspaceId,
      environmentId: row.environmentId,
      revision: row.revision,
      url: row.url,
      headers: { ...config.headers, ...secretHeaders },
      secretHeaders: new Set(Object.keys(secretHeaders).map((name) => name.toLowerCase())),
      payloadFormat: kind.payloadFormat ?? config.payloadFormat ?? 'raw',
      authorization,
      secrets,
      signature: config.signature,
      standardHeaders: config.standardHeaders ?? true,
      timeoutSeconds: row.timeoutSeconds,
      retrySchedule: config.retrySchedule ?? null,
      transformation: transformationOf(config, row),
      rateLimit: config.rateLimit ?? null,
      maxConcurrency: config.maxConcurrency ?? null,
      catchUp: config.catchUp ?? 'paced',
      place: {
        kind,
        endpointId: row.id,
        owner: row.applicationId === null ? toId('ws', row.workspaceId) : toId('app', row.applicationId),
        accountId: ownerOf(row.workspaceId, row.workspace),
        revision: row.revision,
        url: row.url,
        settings: settingsOf(kind, row.config),
        credentials,
        oauth2: config.oauth2,
        tls: config.tls,
      },
    },
  };
}

function transformationOf(
  { transformation }: EndpointConfig,
  { applicationId, metadata, workspaceId, workspace }: TargetRow,
) {
  if (transformation === undefined || transformation.isEnabled === false) return null;
  return {
    code: transformation.code,
    applicationId,
    metadata: metadata as Record<string, string>,
    ownerId: ownerOf(workspaceId, workspace),
  };
}

function ownerOf(workspaceId: string, { createdBy }: TargetRow['workspace']): string {
  return createdBy ?? workspaceId;
}

/** The decrypted values by name; undefined when one of them cannot be decrypted. */
function openValues(
  sealedByName: unknown,
  keys: SealingKeys,
  contextOf: (name: string) => string,
): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  // The API, the only writer, stores each value sealed, in base64.
  for (const [name, sealed] of Object.entries(sealedByName as Record<string, string>)) {
    const opened = open(keys, Buffer.from(sealed, 'base64'), contextOf(name));
    if (opened.kind !== 'opened') return undefined;
    values[name] = opened.plaintext.toString('utf8');
  }
  return values;
}

/**
 * Null if the secret has no key pair, or its private key cannot be decrypted. The symmetric secret still signs then.
 */
function openPrivateKey({ id, privateKeySealed, publicKey }: SecretRow, keys: SealingKeys): KeyObject | null {
  if (privateKeySealed === null || publicKey === null) return null;
  const opened = open(keys, privateKeySealed, sealContext.signingKey(id));
  if (opened.kind !== 'opened') return null;
  return toSigningKey({ privateKey: opened.plaintext, publicKey: Buffer.from(publicKey) });
}

/** Null without credentials; undefined when the password cannot be decrypted. */
function basicCredentials(row: TargetRow, keys: SealingKeys): string | null | undefined {
  if (row.authUsername === null || row.authPasswordSealed === null) return null;
  const opened = open(keys, row.authPasswordSealed, sealContext.endpointPassword(row.id));
  if (opened.kind !== 'opened') return undefined;
  const credentials = Buffer.concat([Buffer.from(`${row.authUsername}:`, 'utf8'), opened.plaintext]);
  return `Basic ${credentials.toString('base64')}`;
}

/** The API, which is the only writer, has checked the config against the contract. */
function storedConfig(config: unknown): EndpointConfig {
  return config as EndpointConfig;
}
