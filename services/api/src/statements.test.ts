import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { createDb, type Db } from '@posthorn/db/client';
import { insertDelivery } from '@posthorn/testkit/delivery-rows';
import { type ApiUnderTest, startApi } from '../test/api-under-test.ts';
import { type Caller, createCaller } from '../test/caller.ts';
import { seedPortal, uuidOf } from '../test/people.ts';
import { type StatementCounter, startStatementCounter } from '../test/statements.ts';

let api: ApiUnderTest;
let counter: StatementCounter;
let counted: Db;
let call: Caller;
const ids = { endpoint: '', application: '', delivery: '' };

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  counter = await startStatementCounter(api.databaseUrl);
  counted = createDb({ databaseUrl: counter.url, maxConnections: 5, onIdleError: () => {} });
  // Operations read through the counter; authentication does not.
  api.services.db = counted;
  api.services.listDb = counted;
  const portal = await seedPortal(api.db, api);
  ids.application = portal.applicationId;
  ids.endpoint = (
    await call('post', `/applications/${ids.application}/endpoints`, { url: 'https://127.0.0.1/' })
  ).body.id;
  await fill(1);
});
afterAll(async () => {
  await counted.$disconnect();
  await counter.close();
  await api.stop();
});

let filled = 0;

/** Adds this many of each resource. */
async function fill(count: number) {
  const place = { workspaceId: uuidOf('ws', api.workspaceId), environmentId: uuidOf('env', api.environmentId) };
  const endpointId = uuidOf('ep', ids.endpoint);
  for (let n = 0; n < count; n += 1) {
    filled += 1;
    const type = await call('post', '/event-types', { name: `type.n${filled}`, publishIn: [api.environmentId] });
    await call('post', `/endpoints/${ids.endpoint}/subscriptions`, { eventTypeIds: [type.body.id] });
    await call('post', `/applications/${ids.application}/endpoints`, { url: 'https://127.0.0.1/' });
    await call('post', '/applications', { name: 'Customer' });
    const { deliveryId } = await insertDelivery(
      api.db,
      { ...place, endpointId },
      { status: 'failed', dueInSeconds: null },
    );
    ids.delivery = toId('dlv', deliveryId);
    await api.db.attempt.create({
      data: {
        deliveryId,
        id: newUuid(new Date()),
        number: 1,
        trigger: 'schedule',
        succeeded: false,
        startedAt: new Date(),
        durationMs: 1,
        url: 'https://127.0.0.1/',
        requestHeaders: {},
      },
    });
  }
}

const reads: [path: () => string, most: number][] = [
  [() => '', 1],
  [() => '/environments', 1],
  [() => `/environments/${api.environmentId}`, 1],
  [() => `/environments/${api.environmentId}/event-types`, 2],
  [() => `/environments/${api.environmentId}/api-keys`, 2],
  [() => '/event-types', 2],
  [() => '/applications', 1],
  [() => `/applications/${ids.application}`, 1],
  [() => `/applications/${ids.application}/endpoints`, 2],
  [() => '/endpoints', 1],
  [() => `/endpoints/${ids.endpoint}`, 1],
  [() => `/endpoints/${ids.endpoint}/subscriptions`, 2],
  [() => `/endpoints/${ids.endpoint}/deliveries`, 2],
  [() => '/deliveries', 1],
  [() => `/deliveries?endpoint_id=${ids.endpoint}&environment_id=${api.environmentId}`, 3],
  [() => `/deliveries/${ids.delivery}`, 2],
  [() => `/deliveries/${ids.delivery}?include=payload,attempts`, 4],
  [() => '/audit-logs', 2],
];

test('no read runs more statements for many rows than for few', async () => {
  const count = async () => {
    const counts: Record<string, number> = {};
    for (const [path] of reads) counts[path()] = await counter.during(() => call('get', path()).expect(200));
    return counts;
  };
  const few = await count();
  const one = ids.delivery;
  await fill(25);
  ids.delivery = one;
  expect(await count()).toEqual(few);
  expect(reads.map(([path]) => [path(), few[path()] ?? 0])).toEqual(reads.map(([path, most]) => [path(), most]));
});
