import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { endWaysIn } from './ways-in.ts';

/**
 * The tables whose rows lead to a session of a person, by their names in Postgres. Rows that hang on a session end with
 * it. A new table that references the account must be here or in `OTHER_TABLES`, and each table here must be emptied by
 * `endWaysIn`.
 */
const WAYS_IN = [
  'session',
  'device_login',
  'oidc_sign_in',
  'identity',
  'passkey',
  'passkey_setup',
  'authenticator',
  'recovery_code',
  'sign_in_challenge',
] as const;

/** The tables that reference an account and lead to no session of it, with the reason. */
const OTHER_TABLES: Record<string, string> = {
  member: 'says where a session reaches, and begins none',
  outgoing_mail: 'holds sealed links, whose tokens end with the digests of the account',
};
/** The columns of the account that hold something which begins a session or sets the password. */
const TOKENS = ['set_password_digest', 'sign_in_digest', 'mailed_digest'];
/** The columns of the account that begin none. A new column must stand here or above. */
const OTHER_COLUMNS = [
  'id',
  'email',
  'name',
  'password_hash',
  'set_password_token_ends_at',
  'sign_in_token_ends_at',
  'address_proven_at',
  'is_by_operator',
  'created_at',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Every table that references the account, or a table that leads to a session of it, as Postgres' catalogue has them. */
async function tablesOfAccount(): Promise<string[]> {
  const rows = await database.db.$queryRaw<{ name: string }[]>`
    with recursive of_account as (
      select 'user'::name as name
      union
      select child.relname from of_account a
      join pg_class parent on parent.relname = a.name and parent.relnamespace = current_schema()::regnamespace
      join pg_constraint c on c.confrelid = parent.oid and c.contype = 'f'
      join pg_class child on child.oid = c.conrelid
      where a.name = 'user' or a.name::text = any(${[...WAYS_IN]}::text[])
    ) select name::text as name from of_account where name <> 'user' order by 1`;
  return rows.map(({ name }) => name);
}

test('every table that hangs on an account is classified: it leads to a session and ends with a first proof, or it does not', async () => {
  expect(await tablesOfAccount()).toEqual([...WAYS_IN, ...Object.keys(OTHER_TABLES)].sort());
  const columns = await database.db.$queryRaw<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = 'user' and table_schema = current_schema()`;
  expect(columns.map(({ name }) => name).sort()).toEqual([...TOKENS, ...OTHER_COLUMNS].sort());
});

test('the end of the ways in empties all of these tables and tokens for the account, and for no other', async () => {
  const { db } = database;
  const [own, other] = [await seedAllWays('own@example.com'), await seedAllWays('other@example.com')];
  await inTransaction(db, (transaction) => endWaysIn(transaction, { id: own, email: 'own@example.com' }));
  for (const table of WAYS_IN) {
    expect([table, await rowsOf(table, own), await rowsOf(table, other)]).toEqual([table, 0, 1]);
  }
  const tokensOf = async (id: string) => {
    const columns = Prisma.raw(TOKENS.join(', '));
    const [row] = await db.$queryRaw<Record<string, unknown>[]>`select ${columns} from "user" where id = ${id}::uuid`;
    return Object.values(row ?? {}).filter((value) => value !== null).length;
  };
  expect([await tokensOf(own), await tokensOf(other)]).toEqual([0, TOKENS.length]);
});

async function rowsOf(table: (typeof WAYS_IN)[number], userId: string): Promise<number> {
  const hangsOnSession = table === 'device_login' || table === 'oidc_sign_in';
  const which = hangsOnSession
    ? Prisma.sql`session_id in (select id from session where user_id = ${userId}::uuid)`
    : Prisma.sql`user_id = ${userId}::uuid`;
  const [row] = await database.db.$queryRaw<{ count: bigint }[]>`
    select count(*) as count from ${Prisma.raw(table)} where ${which}`;
  return Number(row?.count);
}

/** An account with one row in each of the tables. */
async function seedAllWays(email: string): Promise<string> {
  const { db } = database;
  const userId = newUuid(new Date());
  const bytes = () => new Uint8Array(Buffer.from(newUuid(new Date())));
  const endsAt = new Date(Date.now() + 60_000);
  const digest = bytes();
  await db.user.create({
    data: {
      ...{ id: userId, email, name: 'Any', setPasswordDigest: digest, mailedDigest: digest, signInDigest: bytes() },
      identities: { create: { issuer: 'https://okta.example.com', subject: userId } },
      passkeys: {
        create: { id: newUuid(new Date()), name: 'Key', credentialId: userId, publicKey: bytes(), counter: 0 },
      },
      passkeySetup: { create: { challenge: 'x', endsAt } },
      authenticators: { create: { id: newUuid(new Date()), isConfirmed: true, secretSealed: bytes() } },
      recoveryCodes: { create: { digest: bytes() } },
      signInChallenges: { create: { id: newUuid(new Date()), digest: bytes(), endsAt } },
    },
  });
  const session = await db.session.create({
    data: { id: newUuid(new Date()), userId, digest: bytes(), expiresAt: endsAt, endsAt },
  });
  const shared = { network: 'x', sessionId: session.id, expiresAt: endsAt };
  await db.oidcSignIn.create({ data: { ...shared, digest: bytes(), returnTo: '/' } });
  await db.deviceLogin.create({
    data: {
      ...{ ...shared, id: newUuid(new Date()), deviceCodeDigest: bytes(), userCodeDigest: bytes() },
      ...{ name: 'Laptop', address: '203.0.113.1', nextPollAt: endsAt, intervalSeconds: 5 },
    },
  });
  return userId;
}
