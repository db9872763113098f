import { digestToken, type parseToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';

type Token = NonNullable<ReturnType<typeof parseToken>>;

/** Whether a well-formed token is, or was a while ago, in the database. Call it before any other read for the token. */
export type IsKnown = (token: Token) => Promise<boolean>;

/** The number of found tokens that are remembered and not looked up again. */
const MAX_REMEMBERED = 10_000;

/**
 * Anybody can make up well-formed tokens. Tokens of all callers are looked up together, a hundred in a statement and
 * one statement of a kind at a time, so that a flood of them uses only one connection.
 */
export function createCredentialLookup(db: Db): IsKnown {
  const remembered = new Set<string>();
  const lookups = Object.fromEntries(
    Object.entries(findDigests).map(([kind, find]) => [
      kind,
      createBatcher<Uint8Array, boolean>({
        async run(digests) {
          const found = new Set((await find(db, digests)).map(({ digest }) => nameOf(digest)));
          return digests.map((digest) => found.has(nameOf(digest)));
        },
        maxItems: 100,
        maxInFlight: 1,
      }),
    ]),
  );
  return async ({ kind, token }) => {
    const digest = digestToken(token);
    const name = nameOf(digest);
    if (remembered.has(name)) return true;
    const found = (await lookups[kind]?.(digest)) ?? false;
    if (!found) return false;
    const [oldest] = remembered;
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.add(name);
    return true;
  };
}

type Find = (db: Db, digests: Uint8Array[]) => Promise<{ digest: Uint8Array }[]>;

const findDigests: Record<Token['kind'], Find> = {
  management: (db, digests) =>
    db.$queryRaw`select digest from management_token where digest = any(${digests}::bytea[])`,
  apiKey: (db, digests) => db.$queryRaw`select digest from api_key where digest = any(${digests}::bytea[])`,
  session: (db, digests) => db.$queryRaw`select digest from session where digest = any(${digests}::bytea[])`,
  pullKey: (db, digests) => db.$queryRaw`select digest from pull_key where digest = any(${digests}::bytea[])`,
  agentKey: (db, digests) => db.$queryRaw`select digest from agent_key where digest = any(${digests}::bytea[])`,
  portal: (db, digests) => db.$queryRaw`select digest from portal_session where digest = any(${digests}::bytea[])`,
};

function nameOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64');
}
