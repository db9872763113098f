import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Bus, bytesOfIds, idsOf, MOST_BODY, openBus } from './bus.ts';

const { db, databaseUrl, drop } = await createTestDatabase();
const opened: Bus[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bus) => bus.close()));
});
afterAll(() => drop());

function open(url = databaseUrl): Bus {
  const bus = openBus({
    processId: randomUUID(),
    databaseUrl: url,
    monotonicMs: systemClock.monotonicMs,
    workers: () => 1,
    onError: () => {},
  });
  opened.push(bus);
  return bus;
}

const up = (bus: Bus) => waitFor(() => bus.isUp(), { what: 'the bus' });

test('a message reaches the process that it is for, and no other, in the order in which they were sent', async () => {
  const [from, to, other] = [open(), open(), open()];
  const [heard, others]: [string[], string[]] = [[], []];
  to.on('offers', (body) => heard.push(body.toString()));
  other.on('offers', (body) => others.push(body.toString()));
  await Promise.all([from, to, other].map(up));
  for (let n = 0; n < 5; n += 1) from.send(to.processId, 'offers', Buffer.from(`${n}`));
  await waitFor(() => heard.length === 5, { what: 'the messages' });
  expect(heard).toEqual(['0', '1', '2', '3', '4']);
  expect(others).toEqual([]);
  expect(from.figures()).toMatchObject({ isUp: true, dropped: 0, sent: { offers: 5 } });
});

test('the longest message arrives whole', async () => {
  const [from, to] = [open(), open()];
  const heard: Buffer[] = [];
  to.on('live', (body) => heard.push(Buffer.from(body)));
  await Promise.all([from, to].map(up));
  const body = Buffer.alloc(MOST_BODY, 7);
  from.send(to.processId, 'live', body);
  await waitFor(() => heard.length === 1, { what: 'the message' });
  expect(heard[0]?.equals(body)).toBe(true);
  expect(() => from.send(to.processId, 'live', Buffer.alloc(MOST_BODY + 1))).toThrow('at most');
});

test('after its connection was ended, a bus hears messages again, and tells that it may have missed some', async () => {
  const [from, to] = [open(), open()];
  const heard: string[] = [];
  let connections = 0;
  to.on('due', (body) => heard.push(body.toString()));
  to.onConnected(() => {
    connections += 1;
  });
  await Promise.all([from, to].map(up));
  await db.$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'posthorn-bus'`;
  await waitFor(() => connections === 2, { what: 'the new connection' });
  await up(from);
  from.send(to.processId, 'due', Buffer.from('again'));
  await waitFor(() => heard.length === 1, { what: 'the message' });
});

test('without a connection nothing is sent, nothing throws, and what was dropped is counted', async () => {
  const bus = open('postgresql://127.0.0.1:1/none');
  bus.send(randomUUID(), 'offers', Buffer.from('lost'));
  expect(bus.figures()).toMatchObject({ isUp: false, dropped: 1 });
});

test('more than can be sent in time is dropped, live changes first and offers last', async () => {
  const [from, to] = [open(), open()];
  let offers = 0;
  to.on('offers', () => {
    offers += 1;
  });
  await Promise.all([from, to].map(up));
  for (let n = 0; n < 400; n += 1) {
    from.send(to.processId, 'live', Buffer.alloc(MOST_BODY, n));
    if (n % 100 === 0) from.send(to.processId, 'offers', Buffer.from(`${n}`));
  }
  await waitFor(() => offers === 4, { what: 'the offers' });
  await waitFor(() => (from.figures().sent.live ?? 0) + from.figures().dropped === 400, {
    what: 'the end of the others',
  });
});

test('a bus keeps no more than five hundred messages: live changes are dropped first, the oldest first', async () => {
  const [from, to] = [open(), open()];
  const [offers, live]: [number[], number[]] = [[], []];
  to.on('offers', (body) => offers.push(body.readUInt16BE()));
  to.on('live', (body) => live.push(body.readUInt16BE()));
  await Promise.all([from, to].map(up));
  const numbered = (n: number) => {
    const body = Buffer.alloc(2);
    body.writeUInt16BE(n);
    return body;
  };
  for (let n = 0; n < 2; n += 1) from.send(to.processId, 'offers', numbered(n));
  for (let n = 0; n < 1_000; n += 1) from.send(to.processId, 'live', numbered(n));
  expect(from.figures().dropped).toBe(502);
  await waitFor(() => offers.length === 2 && live.length > 0, { what: 'the messages' });
  expect(live[0]).toBe(502);
});

test('ids come back from their bytes as they were', () => {
  const ids = Array.from({ length: 4 }, () => randomUUID());
  expect(idsOf(bytesOfIds(ids))).toEqual(ids);
});
