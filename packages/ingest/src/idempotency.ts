import { createHash } from 'node:crypto';
import { ApiError } from '@posthorn/contract/api-error';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import type { StoredFaults } from './stored-faults.ts';

/** The first answer to a key. It has enough to repeat that answer. */
export type FirstAnswer = {
  requestHash: Uint8Array;
  eventId: string;
  eventType: string | null;
  endpointId: string | null;
  published: boolean;
  schemaErrors: StoredFaults | null;
};

/**
 * The parts by which two requests are the same (docs/interface.md, Idempotency): path, `X-*` options, content type,
 * body.
 */
export type RequestIdentity = {
  path: string;
  applicationId: string | undefined;
  contentType: string | undefined;
  orderingKey: string | undefined;
  /** The text as sent. */
  deliverAt: string | undefined;
  body: Uint8Array;
};

/** The ordering key and time are hashed only if they were sent, so that keys from before these options still match. */
export function hashRequest({ path, applicationId, contentType, body, ...options }: RequestIdentity): Buffer {
  const { orderingKey, deliverAt } = options;
  const isPlain = orderingKey === undefined && deliverAt === undefined;
  const others = isPlain ? [] : [orderingKey ?? null, deliverAt ?? null];
  const facts = JSON.stringify([path, applicationId ?? null, contentType ?? null, ...others]);
  return createHash('sha256').update(facts).update('\0').update(body).digest();
}

/** Refuses a different request with a used key. The request is the same if any of its hashes matches. */
export function refuseConflict(first: FirstAnswer, requestHashes: readonly Buffer[]): void {
  if (!requestHashes.some((requestHash) => requestHash.equals(first.requestHash))) {
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for another request');
  }
}

export type KeyInEnvironment = { environmentId: string; key: string };

/** Looks up unexpired keys, for many callers in one query. */
export function createKeyLookup(db: Db): (wanted: KeyInEnvironment) => Promise<FirstAnswer | undefined> {
  return createBatcher<KeyInEnvironment, FirstAnswer | undefined>({
    run: (wanted) => findFirstAnswers(db, wanted),
    lane: ({ environmentId }) => environmentId,
    maxItems: 100,
    maxInFlight: 2,
  });
}

/**
 * The first answers to these keys, in order; undefined for a key that is free or has expired. `offset 0` makes Postgres
 * find each key by the primary key. While the table has no statistics, the planner would use the index on `expires_at`
 * instead, and read every key that has not expired.
 */
export async function findFirstAnswers(
  db: Db | DbTransaction,
  wanted: readonly KeyInEnvironment[],
): Promise<(FirstAnswer | undefined)[]> {
  const rows = await db.$queryRaw<(FirstAnswer & { environmentId: string; key: string })[]>`
    select r.environment_id as "environmentId", r.key, r.request_hash as "requestHash", r.event_id as "eventId",
      r.event_type as "eventType", r.endpoint_id as "endpointId", r.published,
      r.schema_errors as "schemaErrors"
    from unnest(
      ${wanted.map((one) => one.environmentId)}::uuid[], ${wanted.map((one) => one.key)}::text[]
    ) as w(environment_id, key)
    cross join lateral (
      select * from idempotency_record where environment_id = w.environment_id and key = w.key offset 0) r
    where r.expires_at > now()`;
  const found = new Map(rows.map((row) => [keyName(row), row]));
  return wanted.map((one) => found.get(keyName(one)));
}

/** The key and its environment as one text, for use as a map key. */
export function keyName({ environmentId, key }: KeyInEnvironment): string {
  return `${environmentId} ${key}`;
}
