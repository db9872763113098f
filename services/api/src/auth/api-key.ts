import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import type { Sender } from '@posthorn/ingest/ingest-input';
import { limitsOf, type OwnLimits, type QuotaDefaults } from '@posthorn/ingest/quota-limits';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request } from 'express';
import { notValid, requireBearer, requireToken } from './credential.ts';
import type { IsKnown } from './credential-lookup.ts';
import type { LastUsed } from './last-used.ts';

/** The identity of an ingesting caller: a key determines the environment. */
export type KeyHolder = Sender & { apiKeyId: string };

/**
 * The end of a key takes effect within one second (docs/interface.md, When a change takes hold), so cached keys must be
 * younger. So does a change of the workspace's quotas, or of its environment.
 */
const MAX_AGE_MS = 800;

export type ApiKeyAuthDeps = {
  db: Db;
  clock: Clock;
  lastUsed: LastUsed;
  isKnown: IsKnown;
  /** The limits of workspaces that have none of their own. */
  quotas: QuotaDefaults;
};

/**
 * Authenticates ingestion: `Authorization: Bearer`, or `X-API-Key`. Throws `unauthorized` when the key is malformed,
 * unknown, expired or revoked.
 */
export function createApiKeyAuth(deps: ApiKeyAuthDeps) {
  const { db, clock, lastUsed, isKnown, quotas } = deps;
  const findKey = createAgedCache({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: 10_000,
    load: async (token: string) =>
      (await isKnown({ kind: 'apiKey', token })) ? loadKey(db, token, quotas) : undefined,
  });
  return async (request: Request): Promise<KeyHolder> => {
    const given = request.get('x-api-key');
    const { token } = given === undefined ? requireBearer(request, 'apiKey') : requireToken(given, 'apiKey');
    const key = await findKey(token);
    const now = clock.now();
    if (key === undefined || (key.endsAt !== null && key.endsAt <= now)) throw notValid('apiKey');
    lastUsed.apiKey(key.apiKeyId, now);
    return key;
  };
}

type KeyRow = OwnLimits & {
  id: string;
  environmentId: string;
  workspaceId: string;
  ownerId: string;
  requireApplication: boolean;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

/** One statement: an event may be waiting for it. */
async function loadKey(db: Db, token: string, quotas: QuotaDefaults) {
  const [row] = await db.$queryRaw<KeyRow[]>`
    select k.id, k.environment_id as "environmentId", e.workspace_id as "workspaceId",
      coalesce(w.created_by, w.id) as "ownerId", e.require_application as "requireApplication", k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt", w.plan::text as plan, w.events_per_day as "eventsPerDay", w.bytes_kept as "bytesKept",
      w.attempt_bytes_kept as "attemptBytesKept"
    from api_key k join environment e on e.id = k.environment_id join workspace w on w.id = e.workspace_id
    where k.digest = ${digestToken(token)} and e.deleted_at is null`;
  if (row === undefined) return undefined;
  const { id: apiKeyId, environmentId, workspaceId, ownerId, requireApplication } = row;
  const endsAt = earlier(row.expiresAt, row.revokedAt);
  const holder = { apiKeyId, environmentId, workspaceId, ownerId, requireApplication };
  return { ...holder, limits: limitsOf(row, quotas), endsAt };
}

/** A revocation may lie in the future, for the grace period of a rotation. */
function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
