import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/partitions';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { settleDeliveries } from '@posthorn/ledger/settle';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import { systemClock } from '@posthorn/runtime/clock';
import { createLogger } from '@posthorn/runtime/logger';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createMetrics } from '../metrics.ts';
import { createRingAfterLease } from '../recovery/expired-lease-timer.ts';
import { createSender, type Sender } from '../send/send.ts';
import { createDeliver, type DeliverDeps } from './deliver.ts';
import { createTargets } from './endpoint-cache.ts';
import { createLedgerBatches } from './ledger-batches.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const body = Buffer.from('{"card":"canary-4242"}');

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let sender: Sender;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  receiver = await startReceiver();
  const rules = parseAllowedCidrs('127.0.0.0/8');
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const, ttlSeconds: 60 }];
  const lookup = createLookup({ rules, resolve, clock: systemClock });
  sender = createSender({ rules, lookup, clock: systemClock, ca: receiver.caPem });
});
afterAll(async () => {
  sender.close();
  await receiver.close();
  await database.drop();
});

let endpoint: EndpointRow;
let rung: DeliveryTicket[];
let logLines: string[];
beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
  rung = [];
  logLines = [];
  endpoint = await insertEndpoint(db);
  const id = randomUUID();
  const sealed = seal(keys, Buffer.from(newSigningSecret()), sealContext.signingSecret(id));
  await db.signingSecret.create({ data: { id, endpointId: endpoint.endpointId, sealed: new Uint8Array(sealed) } });
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url: receiver.url } });
});

/** As `main` puts it together, with an open gate; what a test is about, it replaces. */
function deliverWith(given: Partial<DeliverDeps> = {}) {
  return createDeliver({
    ...createLedgerBatches(db, { defaultTimeoutSeconds: 15 }),
    settle: async (settlement) => (await settleDeliveries(db, [settlement]))[0] ?? { kind: 'stale' },
    gate: { enter: async () => ({ kind: 'entered', confirm: async () => undefined, leave: () => {} }) },
    disableEndpoint: (input) => disableEndpoint(db, input),
    ring: (ticket) => rung.push(ticket),
    ringAfterLease: createRingAfterLease((ticket) => rung.push(ticket)),
    target: createTargets(db, keys, systemClock).get,
    sender,
    keys,
    clock: systemClock,
    random: () => 0.5,
    logger: createLogger({ service: 'dispatcher', level: 'debug', write: (line) => logLines.push(line) }),
    metrics: createMetrics(),
    settings: { timeoutSeconds: 15, retrySchedule: [60], retentionDays: 7, mostWaitingAlone: 0 },
    shutdown: { signal: new AbortController().signal, draining: false },
    ...given,
  });
}

async function newDelivery(given: Parameters<typeof insertDelivery>[2] = {}): Promise<DeliveryRow> {
  const delivery = await insertDelivery(db, endpoint, given);
  const sealed = seal(keys, body, sealContext.payload(delivery.eventId));
  await db.$executeRaw`update event set payload = ${sealed} where id = ${delivery.eventId}::uuid`;
  return delivery;
}

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
const attemptsOf = ({ deliveryId }: DeliveryRow) => db.attempt.count({ where: { deliveryId } });

describe('a look at a delivery', () => {
  test('sends it and settles; a later or repeated ticket finds nothing to do', async () => {
    const delivery = await newDelivery();
    const deliver = deliverWith();
    await Promise.all([deliver(delivery), deliver(delivery), deliver(delivery)]);
    await deliver(delivery);
    expect(receiver.requests.map((request) => request.body)).toEqual([body]);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    expect(rung).toEqual([]);
  });

  test('that another process holds rings for the end of its lease: it may have died', async () => {
    const delivery = await newDelivery({ status: 'delivering', generation: 4, dueInSeconds: 1 });
    const deliver = deliverWith();
    await deliver(delivery);
    await deliver(delivery);
    expect([receiver.requests, rung]).toEqual([[], []]);
    await waitFor(() => rung.length > 0, { what: 'the end of the lease' });
    const [ticket, ...others] = rung;
    const { deliveryId, eventId } = delivery;
    expect(ticket).toMatchObject({ deliveryId, eventId, generation: 4, round: expect.any(Number), first: true });
    expect(others).toEqual([]);
    await deliver(delivery);
    expect(receiver.requests).toHaveLength(1);
  });

  test('that fails sets the next step and rings for it, under the row’s generation', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const delivery = await newDelivery();
    await deliverWith()(delivery);
    const { generation, status } = await read(delivery);
    expect(status).toBe('scheduled_retry');
    const { deliveryId, eventId } = delivery;
    expect(rung).toEqual([expect.objectContaining({ deliveryId, eventId, generation, delayMs: 60_000 })]);
  });

  test('sets no try past the retention', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const young = lowestKeyAt(new Date(Date.now() - 86_400_000 + 30_000)).replace(/0$/, '1');
    const delivery = await newDelivery({ key: young });
    const settings = { timeoutSeconds: 15, retrySchedule: [60], retentionDays: 1, mostWaitingAlone: 0 };
    await deliverWith({ settings })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'dead_letter', failureReason: 'retries_exhausted' });
    expect(rung).toEqual([]);
  });

  test('writes no payload, secret or credential into the log', async () => {
    await deliverWith()(await newDelivery());
    expect(logLines.join()).toContain('delivery.attempted');
    expect(logLines.join()).not.toMatch(/canary|whsec_|Basic /);
  });
});

describe('nothing is sent, and no attempt spent', () => {
  test.each([
    [
      'payload_expired',
      'the event is gone',
      (row: DeliveryRow) => db.$executeRaw`delete from event where id = ${row.eventId}::uuid`,
    ],
    [
      'payload_unreadable',
      'the payload cannot be opened',
      (row: DeliveryRow) => db.$executeRaw`update event set payload = 'x'::bytea where id = ${row.eventId}::uuid`,
    ],
    [
      'invalid_request',
      'no secret of the endpoint can be opened',
      (row: DeliveryRow) =>
        db.$executeRaw`update signing_secret set sealed = 'x'::bytea where endpoint_id = ${row.endpointId}::uuid`,
    ],
  ] as const)('%s: %s', async (failureReason, _case, spoil) => {
    const delivery = await newDelivery();
    await spoil(delivery);
    await deliverWith()(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason, totalAttempts: 0 });
    expect([await attemptsOf(delivery), receiver.requests.length]).toEqual([0, 0]);
  });

  test('payload_expired: the retention has ended', async () => {
    const delivery = await newDelivery();
    const settings = { timeoutSeconds: 15, retrySchedule: [60], retentionDays: 0, mostWaitingAlone: 0 };
    await deliverWith({ settings })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'payload_expired' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('at shutdown', () => {
  test('what is claimed but not sent is handed back, due now, and rung for another', async () => {
    const delivery = await newDelivery({ status: 'scheduled_retry', scheduleStep: 2, totalAttempts: 2 });
    await deliverWith({ shutdown: { signal: new AbortController().signal, draining: true } })(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'scheduled_retry', scheduleStep: 2, totalAttempts: 2 });
    expect(rung).toEqual([expect.objectContaining({ deliveryId: delivery.deliveryId, generation: 1, delayMs: 0 })]);
    expect(receiver.requests).toEqual([]);
  });

  test('an attempt that is still open when the window ends is aborted and handed back, with no attempt spent', async () => {
    receiver.respondWith(() => ({ raw: () => {} }));
    const window = new AbortController();
    const delivery = await newDelivery();
    const looking = deliverWith({ shutdown: { signal: window.signal, draining: false } })(delivery);
    await receiver.received(1);
    window.abort();
    await looking;
    expect(await read(delivery)).toMatchObject({
      status: 'pending',
      totalAttempts: 0,
      leaseToken: null,
      generation: 1,
    });
    expect(await attemptsOf(delivery)).toBe(0);
    receiver.respondWith(() => ({}));
    await deliverWith()(delivery);
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    expect(receiver.requests.map((request) => request.headers['webhook-attempt'])).toEqual(['1', '1']);
  });
});

test('a 410 whose endpoint cannot be deactivated at once is settled all the same, and deactivated after it', async () => {
  receiver.respondWith(() => ({ status: 410 }));
  const delivery = await newDelivery();
  let calls = 0;
  const faulty: DeliverDeps['disableEndpoint'] = async (input) => {
    calls += 1;
    if (calls === 1) throw new Error('Postgres is away');
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'gone' });
    return disableEndpoint(db, input);
  };
  await deliverWith({ disableEndpoint: faulty })(delivery);
  const row = await db.endpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } });
  expect(row).toMatchObject({ isActive: false, disabledReason: 'gone' });
});

test('a 410 from a URL that was replaced meanwhile leaves the endpoint active', async () => {
  const delivery = await newDelivery();
  receiver.respondWith(async () => {
    const data = { url: 'https://corrected.test/', version: { increment: 1 } };
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data });
    return { status: 410 };
  });
  await deliverWith()(delivery);
  expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'gone' });
  expect(await db.endpoint.findUniqueOrThrow({ where: { id: endpoint.endpointId } })).toMatchObject({ isActive: true });
});

test('the retention of an event is judged by Postgres’ clock, wherever this process’ clock stands', async () => {
  const ahead = { ...systemClock, now: () => new Date(Date.now() + 8 * 86_400_000) };
  const delivery = await newDelivery();
  await deliverWith({ clock: ahead })(delivery);
  expect(await read(delivery)).toMatchObject({ status: 'delivered' });
});

test('what may have killed its process is taken one at a time; what finds the line full is left for the next sweep', async () => {
  const suspects = await Promise.all([1, 2, 3].map(() => newDelivery({ lostLeases: 2 })));
  receiver.respondWith(() => ({ delayMs: 30 }));
  const settings = { timeoutSeconds: 15, retrySchedule: [60], retentionDays: 7, mostWaitingAlone: 1 };
  const deliver = deliverWith({ settings });
  await Promise.all(suspects.map((suspect) => deliver({ ...suspect, alone: true })));
  const statuses = await Promise.all(suspects.map(async (suspect) => (await read(suspect)).status));
  expect(statuses).toEqual(['delivered', 'delivered', 'pending']);
  const [one, other] = receiver.requests;
  // The second was sent only after the first had its answer.
  expect(Number(other?.at) - Number(one?.at)).toBeGreaterThanOrEqual(29);
});
