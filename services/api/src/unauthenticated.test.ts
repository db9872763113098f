import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newToken } from '@posthorn/crypto/token';
import { createDb, type Db } from '@posthorn/db/client';
import { systemClock } from '@posthorn/runtime/clock';
import express from 'express';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../test/api-under-test.ts';
import { tally } from '../test/caller.ts';
import { seedPerson, seedPortal } from '../test/people.ts';
import { type StatementCounter, startStatementCounter } from '../test/statements.ts';
import { createCredentialLookup } from './auth/credential-lookup.ts';
import { createHealthRouter } from './health.ts';

let api: ApiUnderTest;
let counter: StatementCounter;
let counted: Db;
beforeAll(async () => {
  api = await startApi();
  counter = await startStatementCounter(api.databaseUrl);
  counted = createDb({ databaseUrl: counter.url, maxConnections: 5, onIdleError: () => {} });
});
afterAll(async () => {
  await counted.$disconnect();
  await counter.close();
  await api.stop();
});

const KINDS = ['management', 'apiKey', 'session', 'portal'] as const;

test('a thousand made-up tokens of each kind cost a dozen statements, and none is known', async () => {
  const isKnown = createCredentialLookup(counted);
  for (const kind of KINDS) {
    const tokens = Array.from({ length: 1_000 }, () => ({ kind, token: newToken(kind) }));
    let known: boolean[] = [];
    const statements = await counter.during(async () => {
      known = await Promise.all(tokens.map(isKnown));
    });
    expect([kind, known.includes(true), statements <= 12]).toEqual([kind, false, true]);
  }
});

test('a token of each kind is known among made-up ones, and is looked up once', async () => {
  const isKnown = createCredentialLookup(counted);
  const { sessionToken } = await seedPerson(api.db);
  const { portalToken } = await seedPortal(api.db, api);
  const good = { management: api.managementToken, apiKey: api.apiKey, session: sessionToken, portal: portalToken };
  for (const kind of KINDS) {
    const tokens = [newToken(kind), good[kind], newToken(kind)].map((token) => ({ kind, token }));
    expect(await Promise.all(tokens.map(isKnown))).toEqual([false, true, false]);
    const again = await counter.during(async () => void (await isKnown({ kind, token: good[kind] })));
    expect([kind, again]).toEqual([kind, 0]);
  }
});

test('a token that is created after it was refused is known at once', async () => {
  const isKnown = createCredentialLookup(counted);
  const { sessionToken: token } = await seedPerson(api.db);
  const { session } = api.db;
  const row = await session.findFirstOrThrow({ orderBy: { id: 'desc' } });
  await session.delete({ where: { id: row.id } });
  expect(await isKnown({ kind: 'session', token })).toBe(false);
  await session.create({ data: row });
  expect(await isKnown({ kind: 'session', token })).toBe(true);
});

test('a hundred concurrent readiness requests ping the stores once', async () => {
  let pings = 0;
  const producer = {
    kind: 'redis' as const,
    ping: async () => {
      pings += 1;
    },
  };
  const queues = { isMixed: () => false };
  const app = express().use(createHealthRouter({ db: counted, producer, queues, clock: systemClock }));
  const { statements, replies } = await (async () => {
    let answered: request.Response[] = [];
    const statements = await counter.during(async () => {
      answered = await Promise.all(Array.from({ length: 100 }, () => request(app).get('/readyz')));
    });
    return { statements, replies: answered };
  })();
  expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 100 });
  // A second time is allowed when the hundred take longer than a result is cached.
  expect([statements <= 4, pings <= 4]).toEqual([true, true]);
});
