import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { parseSigningSecret } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';

/** What of an endpoint a request is built from. */
export type DeliveryTarget = {
  endpointId: string;
  version: number;
  url: string;
  headers: Record<string, string>;
  /** Basic credentials, ready to send. */
  authorization: string | null;
  secrets: { key: Buffer; expiresAt: Date | null }[];
  timeoutSeconds: number | null;
  retrySchedule: number[] | null;
};

export type TargetResult =
  | { kind: 'found'; target: DeliveryTarget }
  /** Its password or every one of its secrets cannot be opened with the keys at hand. */
  | { kind: 'unreadable' }
  | { kind: 'missing' };

const MOST_CACHED = 10_000;

/**
 * Loads endpoints for sending. A cached one is used only when it is at least as new as the version that the claim saw,
 * so no attempt is ever made with an older url, secret or config.
 */
export function createTargets(
  db: Db,
  keys: SealingKeys,
): (endpointId: string, version: number) => Promise<TargetResult> {
  const cache = new Map<string, DeliveryTarget>();
  const load = createBatcher<string, TargetResult>({
    run: (endpointIds) => loadTargets(db, keys, endpointIds),
    maxItems: 100,
    maxInFlight: 4,
  });

  return async (endpointId, version) => {
    const cached = cache.get(endpointId);
    if (cached !== undefined && cached.version >= version) return { kind: 'found', target: cached };
    const loaded = await load(endpointId);
    if (loaded.kind === 'found') {
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(endpointId, loaded.target);
    }
    return loaded;
  };
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

/** Checked by the contract before it was stored; only the API writes it. */
function storedConfig(config: unknown): { headers?: Record<string, string>; retrySchedule?: number[] } {
  return config as { headers?: Record<string, string>; retrySchedule?: number[] };
}
