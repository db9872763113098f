import { createHash } from 'node:crypto';
import { idempotencyKey } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, seal } from '@posthorn/crypto/seal';
import type { Db, DbTransaction } from '@posthorn/db/client';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { AnswerKeeper } from '../audit/change.ts';
import { boundsOf, grantable, type Principal, sight } from '../auth/principal.ts';
import { answerJson } from '../transport/answer.ts';
import { ApiError } from '../transport/error.ts';
import type { Services } from './context.ts';
import { createNearHeaderCheck } from './near-headers.ts';
import type { HeaderProblems } from './parse.ts';
import type { Route } from './route.ts';

/**
 * A change under an `Idempotency-Key` (docs/interface.md, Idempotency-Key of changes). The first request under a key
 * keeps its answer in the transaction of its change, so both are there or neither.
 */
export type FirstRequest = AnswerKeeper & {
  /** The answer to the first request under this key; undefined when this is the first one. */
  findAnswer: () => Promise<KeptAnswer | undefined>;
  /** Keeps the answer of an operation that answers later. */
  keepLater: (answer: unknown) => Promise<void>;
  /** Frees the key after a failure of an operation that answers later: a failure is not kept. */
  free: () => Promise<void>;
};

/** A kept answer; null when it has no body. */
export type KeptAnswer = { body: unknown };

/** Another request under the same key was committed while this one waited. */
class AnsweredMeanwhile extends Error {
  override name = 'AnsweredMeanwhile';
}

/** Whether an operation honours `Idempotency-Key`: each POST that changes something does. */
export function takesIdempotencyKey({ method, scopes }: Route): boolean {
  return method === 'post' && !scopes.includes('read');
}

const nearHeaders = createNearHeaderCheck(['Idempotency-Key']);

/** The `Idempotency-Key` of a request; undefined where there is none, or the operation does not honour it. */
export function examineKey(route: Route, request: Request): HeaderProblems & { key: string | undefined } {
  if (!takesIdempotencyKey(route)) return { key: undefined, faults: [], unknown: [] };
  const parsed = idempotencyKey.optional().safeParse(request.get('idempotency-key'));
  const message = `Idempotency-Key ${parsed.error?.issues[0]?.message}`;
  const faults = parsed.success ? [] : [{ field: 'header.Idempotency-Key', message }];
  return { key: parsed.data, faults, unknown: nearHeaders(request) };
}

/** Runs an operation, or finds the answer to the first request under its key, if there is one. Errors are not kept. */
export async function runOnce(
  first: FirstRequest | undefined,
  run: () => Promise<unknown>,
): Promise<({ kind: 'kept' } & KeptAnswer) | { kind: 'run'; result: unknown }> {
  if (first === undefined) return { kind: 'run', result: await run() };
  const before = await first.findAnswer();
  if (before !== undefined) return { kind: 'kept', ...before };
  try {
    const result = await run();
    await first.keepLater(result);
    return { kind: 'run', result };
  } catch (error) {
    if (!(error instanceof AnsweredMeanwhile)) {
      await first.free();
      throw error;
    }
  }
  const meanwhile = await first.findAnswer();
  if (meanwhile === undefined) throw underWay();
  return { kind: 'kept', ...meanwhile };
}

/** Repeats the answer to the first request under this key. */
export function answerAgain(response: Response, status: number, body: unknown): void {
  response.set('Idempotent-Replayed', 'true');
  if (body === null) response.status(status).end();
  else answerJson(response, status, body);
}

type Given = {
  route: Route;
  principal: Principal;
  key: string;
  params: Record<string, string>;
  query: unknown;
  bytes: Buffer;
};

/** A key that still has no answer is free again after this time: the process that took it must have died. */
const UNDER_WAY_SECONDS = 120;
/** An answer above this size counts as large. The index of the large answers names the same number. */
const LARGE_BYTES = 16_384;

export function createFirstRequest(services: Pick<Services, 'db' | 'sealingKeys'>, given: Given): FirstRequest {
  const { db, sealingKeys } = services;
  const { route, principal } = given;
  const workspaceId = principal.workspace.id;
  const digest = digestOf(given);
  const requestHash = hashOf(given);
  const context = sealContext.answerSecrets(digest);

  // True once the key was taken for an operation that answers later.
  let isTaken = false;
  const write = async (transaction: Db | DbTransaction, answer: unknown) => {
    const { shown, secrets } = splitSecrets(route, answer);
    const isOfPortal = principal.grant.kind === 'capabilities';
    await refuseManyLarge(transaction, { workspaceId, shown, isOfPortal });
    const sealed = secrets === undefined ? null : new Uint8Array(seal(sealingKeys, Buffer.from(secrets), context));
    await transaction.$executeRaw`
      update idempotent_answer set answer = ${shown}, secrets_sealed = ${sealed}::bytea,
        secrets_until = case when ${sealed}::bytea is null then null
          else now() + make_interval(mins => ${LIMITS.idempotentSecretsMinutes}::int) end,
        expires_at = now() + make_interval(hours => ${LIMITS.idempotencyHours}::int)
      where digest = ${digest} and answer is null`;
  };

  return {
    async findAnswer() {
      const [row] = await db.$queryRaw<Row[]>`
        select request_hash as "requestHash", answer,
          case when secrets_until > now() then secrets_sealed end as "secretsSealed"
        from idempotent_answer where digest = ${digest} and expires_at > now()`;
      if (row === undefined) return undefined;
      if (!requestHash.equals(row.requestHash)) {
        throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for another request');
      }
      if (row.answer === null) throw underWay();
      if (row.answer === '') return { body: null };
      const opened = row.secretsSealed === null ? undefined : open(sealingKeys, row.secretsSealed, context);
      const secrets = opened?.kind === 'opened' ? parseObject(opened.plaintext.toString()) : {};
      return { body: { ...parseObject(row.answer), ...secrets } };
    },
    // When two requests come at once, one waits here for the other, and then throws `AnsweredMeanwhile`.
    async begin(transaction) {
      const taken = await transaction.$executeRaw`
        insert into idempotent_answer as a (digest, workspace_id, request_hash, expires_at)
        values (${digest}, ${workspaceId}::uuid, ${requestHash}, now() + make_interval(secs => ${UNDER_WAY_SECONDS}))
        on conflict (digest) do update
        set request_hash = excluded.request_hash, answer = null, secrets_sealed = null, secrets_until = null,
          expires_at = excluded.expires_at, application_ids = '{}'
        where a.expires_at <= now()`;
      if (taken === 0) throw new AnsweredMeanwhile();
    },
    // For an operation that answers later, only the key is kept.
    async keep(transaction, answer, applicationIds) {
      isTaken = route.answersLater;
      if (!route.answersLater) await write(transaction, answer);
      if (applicationIds.length === 0) return;
      await transaction.$executeRaw`
        update idempotent_answer set application_ids = ${[...applicationIds]}::uuid[] where digest = ${digest}`;
    },
    async keepLater(answer) {
      if (isTaken) await write(db, answer);
    },
    async free() {
      if (isTaken) await db.$executeRaw`delete from idempotent_answer where digest = ${digest} and answer is null`;
    },
  };
}

type Row = { requestHash: Uint8Array; answer: string | null; secretsSealed: Uint8Array | null };

/** A key belongs to an operation and its path in a workspace; in a portal, in an application and an environment. */
function digestOf({
  route,
  principal: { workspace, grant },
  key,
  params: { workspaceId: _, ...params },
}: Given): Buffer {
  const reach = grant.kind === 'capabilities' ? Object.values(boundsOf({ grant })) : [];
  const facts = [workspace.id, ...reach, route.operationId, params, key];
  return createHash('sha256').update(JSON.stringify(facts)).digest();
}

/**
 * A caller who may see less, or more, makes another request: it must not get the answer of the first one. A caller
 * with other rights must not get a credential either, because it may allow more than the caller's own credential.
 */
function hashOf({ route, principal, query, bytes }: Given): Buffer {
  const { grant } = principal;
  const isBound = grant.kind === 'scopes' && grant.environmentIds !== undefined;
  const givesCredential = route.secrets.some((name) => name === 'token' || name === 'setPasswordToken');
  const role = route.dashboardOnly && grant.kind === 'role' ? [grant.role] : [];
  const rights = givesCredential ? [grantable(principal), ...role] : [];
  const reach = isBound ? [boundsOf(principal)] : [];
  const facts = JSON.stringify([query ?? null, sight(principal), ...rights, ...reach]);
  return createHash('sha256').update(facts).update('\0').update(bytes).digest();
}

/** The answer as it may be stored, and its secrets apart; both as JSON. */
function splitSecrets({ response, secrets: names }: Route, answer: unknown): { shown: string; secrets?: string } {
  if (response === undefined) return { shown: '' };
  const body = response.parse(answer);
  if (names.length === 0) return { shown: JSON.stringify(body) };
  const shown = parseObject(JSON.stringify(body));
  const secrets: Record<string, unknown> = {};
  for (const name of names) {
    if (shown[name] === undefined || shown[name] === null) continue;
    secrets[name] = shown[name];
    shown[name] = null;
  }
  return { shown: JSON.stringify(shown), secrets: JSON.stringify(secrets) };
}

const object = z.record(z.string(), z.unknown());

function parseObject(text: string): Record<string, unknown> {
  return object.parse(JSON.parse(text));
}

/**
 * Limits large answers. Small answers are limited by the audit log, which keeps an entry of each change for longer.
 * Portals stop at half, so that customers leave the rest to the workspace.
 */
async function refuseManyLarge(
  db: Db | DbTransaction,
  { workspaceId, shown, isOfPortal }: { workspaceId: string; shown: string; isOfPortal: boolean },
): Promise<void> {
  if (Buffer.byteLength(shown) <= LARGE_BYTES) return;
  const ofWorkspace = LIMITS.largeIdempotentAnswersPerWorkspace;
  const most = isOfPortal ? ofWorkspace / 2 : ofWorkspace;
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from idempotent_answer
      where workspace_id = ${workspaceId}::uuid and octet_length(answer) > 16384
      limit ${most}::int) large`;
  if ((row?.count ?? 0) < most) return;
  throw new ApiError(
    'limit_reached',
    `A workspace keeps at most ${most} answers of more than 16 KiB ${isOfPortal ? 'to its portals ' : ''}for 24 hours: send this request without an Idempotency-Key`,
  );
}

function underWay(): ApiError {
  return new ApiError('unavailable', 'The first request with this Idempotency-Key is still under way; try again', {
    'Retry-After': '1',
  });
}
