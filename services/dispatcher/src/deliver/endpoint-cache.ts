import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { parseSigningSecret } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import type { RateLimit } from '@posthorn/queue/throttle';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { EndpointLimits } from '../admission/admit.ts';

/** The parts of an endpoint that a request needs, and its limits. */
export type DeliveryTarget = EndpointLimits & {
  endpointId: string;
  url: string;
  headers: Record<string, string>;
  /** Basic credentials, ready to send. */
  authorization: string | null;
  secrets: { key: Buffer; expiresAt: Date | null }[];
  retrySchedule: number[] | null;
};

export type TargetResult =
  | { kind: 'found'; target: DeliveryTarget }
  /** Its password, or all of its secrets, cannot be opened with the current keys. */
  | { kind: 'unreadable' }
  | { kind: 'missing' };

export type EndpointCache = {
  /** The endpoint at this version or a later one, so that no attempt uses an older URL, secret or config. */
  atVersion(endpointId: string, version: number): Promise<TargetResult>;
  /**
   * The endpoint's limits, for use before the claim, which returns the version. Limits are no older than a second,
   * because a delivery that they defer is not claimed. Undefined for an endpoint that is missing or unreadable.
   */
  limitsOf(endpointId: string): Promise<DeliveryTarget | undefined>;
};

/** About 1 KB each. */
const MAX_CACHED = 10_000;
/** A second, less the time that loading takes. */
const LIMITS_AGE_MS = 900;

/** Loads endpoints in batches, and keeps them by their version. */
export function createEndpointCache(db: Db, keys: SealingKeys, clock: Pick<Clock, 'monotonicMs'>): EndpointCache {
  const cache = new LRUCache<string, { target: DeliveryTarget; loadedAtMs: number }>({ max: MAX_CACHED });
  const load = createBatcher<string, TargetResult>({
    run: (endpointIds) => loadTargets(db, keys, endpointIds),
    maxItems: 100,
    maxInFlight: 4,
  });
  const refresh = async (endpointId: string): Promise<TargetResult> => {
    const loadedAtMs = clock.monotonicMs();
    const loaded = await load(endpointId);
    if (loaded.kind === 'found') cache.set(endpointId, { target: loaded.target, loadedAtMs });
    else cache.delete(endpointId);
    return loaded;
  };
  return {
    async atVersion(endpointId, version) {
      const cached = cache.get(endpointId)?.target;
      return cached !== undefined && cached.version >= version
        ? { kind: 'found', target: cached }
        : refresh(endpointId);
    },
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

/** Whether the endpoint has a limit that all dispatchers share. */
export function isLimited({
  rateLimit,
  maxConcurrency,
}: Pick<EndpointLimits, 'rateLimit' | 'maxConcurrency'>): boolean {
  return rateLimit !== null || maxConcurrency !== null;
}

async function loadTargets(db: Db, keys: SealingKeys, endpointIds: string[]): Promise<TargetResult[]> {
  const rows = await db.endpoint.findMany({
    where: { id: { in: [...new Set(endpointIds)] } },
    select: {
      id: true,
      version: true,
      url: true,
      config: true,
      authUsername: true,
      authPasswordSealed: true,
      timeoutSeconds: true,
      secrets: { orderBy: { createdAt: 'desc' } },
    },
  });
  const byId = new Map(rows.map((row) => [row.id, openTarget(row, keys)]));
  return endpointIds.map((endpointId) => byId.get(endpointId) ?? { kind: 'missing' });
}

type TargetRow = {
  id: string;
  version: number;
  url: string;
  config: unknown;
  authUsername: string | null;
  authPasswordSealed: Uint8Array | null;
  timeoutSeconds: number | null;
  secrets: { id: string; sealed: Uint8Array; expiresAt: Date | null }[];
};

function openTarget(row: TargetRow, keys: SealingKeys): TargetResult {
  const authorization = basicCredentials(row, keys);
  const secrets = row.secrets.flatMap(({ id, sealed, expiresAt }) => {
    const opened = open(keys, sealed, sealContext.signingSecret(id));
    const key = opened.kind === 'opened' ? parseSigningSecret(opened.plaintext.toString('utf8')) : undefined;
    return key === undefined ? [] : [{ key, expiresAt }];
  });
  if (authorization === undefined || secrets.length === 0) return { kind: 'unreadable' };
  const config = storedConfig(row.config);
  return {
    kind: 'found',
    target: {
      endpointId: row.id,
      version: row.version,
      url: row.url,
      headers: config.headers ?? {},
      authorization,
      secrets,
      timeoutSeconds: row.timeoutSeconds,
      retrySchedule: config.retrySchedule ?? null,
      rateLimit: config.rateLimit ?? null,
      maxConcurrency: config.maxConcurrency ?? null,
    },
  };
}

/** Null without credentials, undefined when the password cannot be opened. */
function basicCredentials(row: TargetRow, keys: SealingKeys): string | null | undefined {
  if (row.authUsername === null || row.authPasswordSealed === null) return null;
  const opened = open(keys, row.authPasswordSealed, sealContext.endpointPassword(row.id));
  if (opened.kind !== 'opened') return undefined;
  const credentials = Buffer.concat([Buffer.from(`${row.authUsername}:`, 'utf8'), opened.plaintext]);
  return `Basic ${credentials.toString('base64')}`;
}

type StoredConfig = {
  headers?: Record<string, string>;
  retrySchedule?: number[];
  rateLimit?: RateLimit;
  maxConcurrency?: number;
};

/** The API, the only writer, checked it against the contract. */
function storedConfig(config: unknown): StoredConfig {
  return config as StoredConfig;
}
