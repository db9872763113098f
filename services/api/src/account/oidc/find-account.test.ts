import { afterAll, expect, test } from '@jest/globals';
import { openSession } from '@posthorn/db/session';
import { inTransaction } from '@posthorn/db/transaction';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../../../test/api-under-test.ts';
import { seedPerson, uuidOf } from '../../../test/people.ts';
import type { AccountContext } from '../account-route.ts';
import { findAccount } from './find-account.ts';

const api = await startApi();
afterAll(() => api.stop());

const isWaiting = async (count: number) => {
  const rows = await api.db.$queryRaw<unknown[]>`
    select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return rows.length === count;
};

test('a session that a first proof is ending connects nobody: the proof and the session are read under the same lock', async () => {
  const { userId } = await seedPerson(api.db, { password: 'a password', isProven: false });
  const id = uuidOf('usr', userId);
  const { id: sessionId } = await api.db.session.findFirstOrThrow({ where: { userId: id } });
  const proof = openSession({ connectionString: api.databaseUrl });
  await proof.connect();
  await proof.query('begin');
  await proof.query('update "user" set address_proven_at = now() where id = $1', [id]);
  await proof.query('delete from session where user_id = $1', [id]);
  const ctx = { ...api.services, origin: { ip: null, userAgent: null, requestId: 'x' } } as unknown as AccountContext;
  const identity = {
    issuer: 'https://okta.example.com',
    subject: 'maker',
    email: 'maker@example.net',
    name: '',
    groups: [],
  };
  const connected = findAccount(ctx, { identity, provider: { name: 'Okta', autoCreate: false }, sessionId });
  await waitFor(() => isWaiting(1), { what: 'the connection to wait for the proof' });
  await proof.query('commit');
  await proof.end();
  expect(await connected).toMatchObject({ kind: 'refused', reason: expect.stringContaining('has ended') });
  expect(await api.db.identity.count({ where: { userId: id } })).toBe(0);
});

test('of two persons of the provider who are connected with an account at one instant, the second is refused', async () => {
  const { userId } = await seedPerson(api.db, { password: 'a password' });
  const session = await api.db.session.findFirstOrThrow({ where: { userId: uuidOf('usr', userId) } });
  const ctx = { ...api.services, origin: { ip: null, userAgent: null, requestId: 'x' } } as unknown as AccountContext;
  const connect = (subject: string) =>
    findAccount(ctx, {
      identity: {
        issuer: 'https://okta.example.com',
        subject,
        email: `${subject}@example.com`,
        name: subject,
        groups: [],
      },
      provider: { name: 'Okta', autoCreate: false },
      sessionId: session.id,
    });
  // Both have seen that the account has no connection when they wait to insert theirs.
  const { connected } = await inTransaction(api.db, async (holding) => {
    await holding.$executeRaw`lock table identity in share row exclusive mode`;
    const both = Promise.all(['ada', 'grace'].map(connect));
    await waitFor(() => isWaiting(2), { what: 'both connections to wait' });
    // In an object, so that they are not awaited before the lock ends.
    return { connected: both };
  });
  expect((await connected).map(({ kind }) => kind).sort()).toEqual(['account', 'refused']);
  expect(await api.db.identity.count({ where: { userId: uuidOf('usr', userId) } })).toBe(1);
});
