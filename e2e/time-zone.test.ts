import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { onServer } from '@posthorn/testkit/database';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import type { TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { SERVER_ZONE, startZonelessPooler } from '@posthorn/testkit/zoneless-pooler';
import { type Services, startServices } from './services-in-process.ts';

// Tests the services on a database whose time zone is not UTC.

let receiver: Receiver;
let services: Services;
let client: ApiClient;
let pooler: TcpGate;
beforeAll(async () => {
  receiver = await startReceiver();
  services = await startServices({
    settings: { RETRY_SCHEDULE: '3600' },
    async prepare({ databaseUrl }) {
      const name = new URL(databaseUrl).pathname.slice(1);
      await onServer(databaseUrl, `alter database "${name}" set timezone = '${SERVER_ZONE}'`);
      return {};
    },
  });
  client = createApiClient({ ...services, baseUrl: services.api.url });
  pooler = await startZonelessPooler(services.databaseUrl);
}, 60_000);
afterAll(async () => {
  await services?.stop();
  await pooler?.close();
  await receiver?.close();
}, 60_000);

const HOUR_MS = 3_600_000;
type Delivery = { id: string; deliveredAt: string | null; nextRetryAt: string | null; status: string };

test('every time in an answer is the instant at which it happened or will happen', async () => {
  const from = Date.now();
  receiver.respondWith(({ url }) => (url === '/refuses' ? { status: 500 } : {}));
  const endpoints: string[] = [];
  for (const path of ['/takes', '/refuses']) {
    const url = new URL(path, receiver.url).href;
    endpoints.push((await client.subscribeEndpoint({ url, eventType: 'zone.made' })).endpointId);
  }
  const event = await createIngest(services)('event/zone.made', '{}');
  expect(event.status).toBe(202);
  const [taken, refused] = await Promise.all(
    ['delivered', 'scheduled_retry'].map((status, index) =>
      waitFor(
        async () => {
          const path = `/endpoints/${endpoints[index]}/deliveries`;
          const { deliveries } = (await client.call<{ deliveries: Delivery[] }>('GET', path)).body;
          return deliveries.find((one) => one.status === status);
        },
        { what: `a delivery that is ${status}` },
      ),
    ),
  );
  const rotate = await client.call('POST', `/endpoints/${endpoints[0]}/secret/rotate`, { gracePeriodSeconds: 3_600 });
  const secret = await services.db.signingSecret.findFirstOrThrow({ where: { expiresAt: { not: null } } });
  const [entry] = (await client.call<{ data: { createdAt: string }[] }>('GET', '/audit-logs')).body.data;
  const path = `/deliveries/${refused?.id}/attempts`;
  const [attempt] = (await client.call<{ startedAt: string }[]>('GET', path)).body;
  const to = Date.now();
  expect(rotate.status).toBe(200);
  const happened = { deliveredAt: taken?.deliveredAt, startedAt: attempt?.startedAt, createdAt: entry?.createdAt };
  const inAnHour = { nextRetryAt: refused?.nextRetryAt, expiresAt: secret.expiresAt?.toISOString() };
  const isBetween = (time: unknown, laterMs: number) =>
    Date.parse(String(time)) >= from + 0.5 * laterMs && Date.parse(String(time)) <= to + 1.5 * laterMs;
  expect(Object.entries(happened).filter(([, time]) => !isBetween(time, 0))).toEqual([]);
  expect(Object.entries(inAnHour).filter(([, time]) => !isBetween(time, HOUR_MS))).toEqual([]);
}, 60_000);

test('a service whose sessions are not in UTC does not start, and says what to do', async () => {
  const refusal = /time zone of the session is America\/St_Johns.*alter role \w+ set timezone = 'UTC'/;
  await expect(services.startApi({ DATABASE_URL: pooler.url })).rejects.toThrow(refusal);
  await expect(services.startApi({ DATABASE_READ_URL: pooler.url })).rejects.toThrow(refusal);
  await expect(services.startDispatcher({ DATABASE_URL: pooler.url })).rejects.toThrow(refusal);
});
