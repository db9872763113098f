/** @queues redis postgres */
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { LivePublisher, LiveSubscriber } from '@posthorn/queue/live';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, listen, startApi } from '../../test/api-under-test.ts';
import { type Caller, createCaller } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
/** Another process of the same installation. */
let second: ApiUnderTest;
let call: Caller;
let url: string;
let secondUrl: string;
let closers: (() => Promise<void>)[];
/** A dispatcher, as far as streams are concerned. */
let dispatcher: LivePublisher;
let subscriber: LiveSubscriber;
let endpointId: string;

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  const { databaseUrl, queue } = api;
  second = await startApi({ databaseUrl, queue, rateLimits: { management: 0, ingest: 0 } });
  const servers = [await listen(api.express), await listen(second.express)];
  [url = '', secondUrl = ''] = servers.map((server) => server.url);
  closers = servers.map((server) => server.close);
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  const queues = await api.openQueues();
  dispatcher = queues.openLivePublisher();
  subscriber = queues.openLiveSubscriber({ onBatch: () => {}, onReconnected: () => {} });
  endpointId = (await call('post', '/endpoints', { url: 'https://127.0.0.1/hook' })).body.id;
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  // Streams that this test has left are no longer counted for the next one.
  const workspaceId = uuidOf('ws', api.workspaceId);
  await waitFor(() => subscriber.takeStream(workspaceId, 'the only one', 1), { what: 'the streams to be released' });
  subscriber.releaseStream(workspaceId, 'the only one');
});
afterAll(async () => {
  subscriber.close();
  await dispatcher.close();
  await second.stop().catch(() => {});
  await Promise.all(closers.map((close) => close()));
  await api.stop();
});

type Told = { event: string; data: { id: string; [field: string]: unknown } };
type Opened = { reply: IncomingMessage; told: Told[]; text: () => string; isOpen: () => boolean; close: () => void };
const opened: Opened[] = [];

/** Opens a stream and reads it; resolves with its head. */
function open(path: string, headers: Record<string, string> = {}, base = url + api.base): Promise<Opened> {
  const credential = { authorization: `Bearer ${api.managementToken}` };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = get(`${base}${path}`, { headers: { ...credential, ...headers } }, (reply) => {
      let text = '';
      let isOpen = true;
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
      reply.on('error', () => {});
      reply.on('close', () => (isOpen = false));
      const stream: Opened = {
        reply,
        get told() {
          return toldIn(text);
        },
        text: () => text,
        isOpen: () => isOpen,
        close: () => sent.destroy(),
      };
      opened.push(stream);
      resolve(stream);
    });
    sent.on('error', reject);
  });
}

function toldIn(text: string): Told[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const [event, data] = block.split('\n');
      return event?.startsWith('event: ') && data?.startsWith('data: ')
        ? [{ event: event.slice(7), data: JSON.parse(data.slice(6)) }]
        : [];
    });
}

/** Without gaps of an unknown size: on a busy machine, a process may see late that another one listens. */
const changes = ({ told }: Opened) => told.filter(({ event, data }) => event !== 'gap' || data.dropped !== null);

async function newDelivery(given: { endpointId?: string; status?: 'failed' | 'delivered' } = {}): Promise<string> {
  const id = newUuid(new Date());
  const workspaceId = uuidOf('ws', api.workspaceId);
  const environmentId = uuidOf('env', api.environmentId);
  const event = { id, workspaceId, environmentId, payloadSize: 3, published: true, eventType: 'order.created' };
  await api.db.event.create({ data: event });
  await api.db.delivery.create({
    data: {
      ...{ id, eventId: id, workspaceId, environmentId, eventType: 'order.created' },
      endpointId: uuidOf('ep', given.endpointId ?? endpointId),
      status: given.status ?? 'delivered',
    },
  });
  return id;
}

const change = (deliveryId: string, of = endpointId) =>
  dispatcher.deliveryChanged({
    workspaceId: uuidOf('ws', api.workspaceId),
    deliveryId,
    endpointId: uuidOf('ep', of),
  });
const ingest = (headers: Record<string, string> = {}) =>
  request(api.app)
    .post('/api/ingest/event/order.created')
    .set({ authorization: `Bearer ${api.apiKey}`, ...headers })
    .send({ a: 1 });
const arrives = (stream: Opened, id: string) =>
  waitFor(() => stream.told.some(({ data }) => data.id === id), { what: `${id} in the stream` });

describe('a stream', () => {
  test('tells of a changed delivery what the list tells, in every process', async () => {
    const streams = await Promise.all([open('/live'), open('/live', {}, secondUrl + api.base)]);
    expect(streams.map(({ reply }) => [reply.statusCode, reply.headers['content-type']])).toEqual(
      Array.from({ length: 2 }, () => [200, 'text/event-stream; charset=utf-8']),
    );
    expect(streams[0]?.reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    const id = await newDelivery();
    change(id);
    const listed = (await call('get', '/deliveries')).body.deliveries.find(
      (delivery: { id: string }) => delivery.id === toId('dlv', id),
    );
    for (const stream of streams) {
      await arrives(stream, toId('dlv', id));
      expect(changes(stream)).toEqual([{ event: 'delivery', data: listed }]);
      expect(stream.text()).toMatch(/^retry: \d+\n\n/);
    }
  });

  test('tells of an accepted event once, and not of a repeated one', async () => {
    await call('post', '/event-types', { name: 'order.created' });
    const stream = await open('/live');
    const accepted = (await ingest({ 'idempotency-key': 'k' })).body;
    await ingest({ 'idempotency-key': 'k' });
    const last = (await ingest()).body;
    await arrives(stream, last.id);
    expect(changes(stream).map(({ event, data }) => [event, data.id])).toEqual([
      ['event', accepted.id],
      ['event', last.id],
    ]);
    expect(changes(stream)[0]?.data).toMatchObject({
      ...{
        eventType: 'order.created',
        eventTypeName: 'order.created',
        environmentId: api.environmentId,
        idempotencyKey: 'k',
      },
      ...{ orderingKey: null, deliverAt: null, schemaErrors: null, published: false, hasPayload: true, isTest: false },
      searchable: true,
      createdAt: accepted.createdAt,
    });
  });

  test('shows by its filters only one endpoint, one status, one environment; a status leaves events out', async () => {
    const other = (await call('post', '/endpoints', { url: 'https://127.0.0.1/other' })).body.id;
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    const [byEndpoint, byStatus, elsewhere, all] = await Promise.all([
      open(`/live?endpoint_id=${other}`),
      open('/live?status=failed'),
      open(`/live?environment_id=${staging}`),
      open('/live'),
    ]);
    const [mine, others, failed] = [
      await newDelivery(),
      await newDelivery({ endpointId: other }),
      await newDelivery({ status: 'failed' }),
    ];
    const event = (await ingest()).body.id;
    change(mine);
    change(others, other);
    change(failed);
    for (const id of [mine, others, failed]) await arrives(all, toId('dlv', id));
    await arrives(all, event);
    await arrives(byEndpoint, toId('dlv', others));
    await arrives(byStatus, toId('dlv', failed));
    expect(changes(byEndpoint).map(({ data }) => data.id)).toEqual([toId('dlv', others)]);
    expect(changes(byStatus).map(({ data }) => data.id)).toEqual([toId('dlv', failed)]);
    expect(changes(elsewhere)).toEqual([]);
  });

  test('of another workspace shows nothing of this one, even when it is told a foreign id', async () => {
    const foreign = await api.seedAnother();
    const stream = await open(
      '/live',
      { authorization: `Bearer ${foreign.managementToken}` },
      `${url}/management/v1/workspaces/${foreign.workspaceId}`,
    );
    const all = await open('/live');
    const id = await newDelivery();
    change(id);
    dispatcher.deliveryChanged({
      workspaceId: uuidOf('ws', foreign.workspaceId),
      deliveryId: id,
      endpointId: uuidOf('ep', endpointId),
    });
    await arrives(all, toId('dlv', id));
    await call('post', '/event-types', { name: 'order.created' });
    expect(changes(stream)).toEqual([]);
  });

  test('tells of more changes than it can show as a gap; a customer learns no number of what others changed', async () => {
    const { portalToken } = await seedPortal(api.db, api);
    const stream = await open('/live');
    const inPortal = await open('/live', { authorization: `Bearer ${portalToken}` }, `${url}/api/portal`);
    const tellOfMany = () => {
      for (let n = 0; n < 1_000; n += 1) change(newUuid(new Date()));
      return changes(stream).length > 0;
    };
    await waitFor(tellOfMany, { what: 'the gap' });
    const [first] = changes(stream);
    expect(first).toEqual({ event: 'gap', data: { dropped: expect.any(Number) } });
    expect(Number(first?.data.dropped)).toBeGreaterThanOrEqual(500);
    await waitFor(() => inPortal.told.length > 0, { what: 'the gap of the customer' });
    for (const told of inPortal.told) expect(told).toEqual({ event: 'gap', data: { dropped: null } });
  });
});

describe('credentials', () => {
  test('a session works by its token and by its cookie, and a portal session sees only its application', async () => {
    const { sessionToken } = await seedPerson(api.db, { ...api, role: 'viewer' });
    const portal = await seedPortal(api.db, api);
    const customers = (
      await call('post', `/applications/${portal.applicationId}/endpoints`, { url: 'https://127.0.0.1/customers' })
    ).body.id;
    const dashboard = `${url}/api/workspaces/${api.workspaceId}`;
    const cookie = { cookie: `posthorn_session=${sessionToken}`, 'sec-fetch-site': 'same-origin' };
    const byCookie = await new Promise<IncomingMessage>((resolve) => {
      const sent = get(`${dashboard}/live`, { headers: cookie }, (reply) => {
        resolve(reply);
        sent.destroy();
      });
      sent.on('error', () => {});
    });
    expect(byCookie.statusCode).toBe(200);
    const [bySession, inPortal] = await Promise.all([
      open('/live', { authorization: `Bearer ${sessionToken}` }, dashboard),
      open('/live', { authorization: `Bearer ${portal.portalToken}` }, `${url}/api/portal`),
    ]);
    const [own, theirs] = [await newDelivery(), await newDelivery({ endpointId: customers })];
    change(own);
    change(theirs, customers);
    await ingest();
    const sent = (await ingest({ 'x-application-id': portal.applicationId })).body.id;
    for (const id of [toId('dlv', own), toId('dlv', theirs), sent]) await arrives(bySession, id);
    for (const id of [toId('dlv', theirs), sent]) await arrives(inPortal, id);
    expect(
      changes(inPortal)
        .map(({ data }) => data.id)
        .sort(),
    ).toEqual([toId('dlv', theirs), sent].sort());
  });

  test('an open stream does not extend its session', async () => {
    const { sessionToken, userId } = await seedPerson(api.db, { ...api, role: 'viewer' });
    const dashboard = `${url}/api/workspaces/${api.workspaceId}`;
    const { reply } = await open('/live', { authorization: `Bearer ${sessionToken}` }, dashboard);
    const user = { userId: uuidOf('usr', userId) };
    const expiresAt = new Date(Date.now() + 3_600_000);
    await api.db.session.updateMany({ where: user, data: { expiresAt } });
    // The check that ends the stream has read the session before.
    await api.db.member.deleteMany({ where: user });
    await waitFor(() => reply.complete, { what: 'the end of the stream' });
    expect(await api.db.session.findFirst({ where: user })).toMatchObject({ expiresAt });
  });

  test('a portal session without deliveries:read is refused, as are foreign filters', async () => {
    const blind = await seedPortal(api.db, { ...api, capabilities: ['endpoints:read'] });
    const inPortal = (path: string, token: string) =>
      open(path, { authorization: `Bearer ${token}` }, `${url}/api/portal`);
    expect((await inPortal('/live', blind.portalToken)).reply.statusCode).toBe(403);
    const portal = await seedPortal(api.db, api);
    expect((await inPortal(`/live?endpoint_id=${endpointId}`, portal.portalToken)).reply.statusCode).toBe(404);
    expect((await open('/live?endpoint_id=ep_1')).reply.statusCode).toBe(404);
    expect((await open('/live?status=lost')).reply.statusCode).toBe(400);
  });

  test('a stream ends when its token is disabled, and others go on', async () => {
    const made = (
      await createCaller(api.app, {
        base: `/api/workspaces/${api.workspaceId}`,
        token: (await seedPerson(api.db, { ...api, role: 'owner' })).sessionToken,
      })('post', '/management-tokens', { name: 'Live', scopes: ['read'] })
    ).body;
    const [ending, lasting] = await Promise.all([
      open('/live', { authorization: `Bearer ${made.token}` }),
      open('/live'),
    ]);
    await api.db.managementToken.update({ where: { id: uuidOf('tok', made.id) }, data: { isDisabled: true } });
    await waitFor(() => !ending.isOpen(), { what: 'the stream to end', timeoutMs: 15_000 });
    expect(lasting.isOpen()).toBe(true);
  });
});

describe('limits', () => {
  test('a workspace has at most 20 streams over all processes; one that ends makes room, others are not affected', async () => {
    const streams = await Promise.all(
      Array.from({ length: 20 }, (_, n) => open('/live', {}, (n % 2 === 0 ? url : secondUrl) + api.base)),
    );
    expect(new Set(streams.map(({ reply }) => reply.statusCode))).toEqual(new Set([200]));
    const refused = await call('get', '/live');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'limit_reached']);
    const other = await api.seedAnother();
    const others = await open(
      '/live',
      { authorization: `Bearer ${other.managementToken}` },
      `${url}/management/v1/workspaces/${other.workspaceId}`,
    );
    expect(others.reply.statusCode).toBe(200);
    streams[0]?.close();
    await waitFor(async () => (await open('/live')).reply.statusCode === 200, { what: 'room for another stream' });
  });

  test('the portal of an application has at most 2 of them, and others have the rest', async () => {
    const ofPortal = async () => ({
      authorization: `Bearer ${(await seedPortal(api.db, { ...api, applicationId })).portalToken}`,
    });
    const { applicationId } = await seedPortal(api.db, api);
    const headers = await ofPortal();
    for (let n = 0; n < 2; n += 1) {
      const { reply } = await open('/live', headers, `${n % 2 === 0 ? url : secondUrl}/api/portal`);
      expect(reply.statusCode).toBe(200);
    }
    // Streams of another session of the application count, too.
    expect((await open('/live', await ofPortal(), `${url}/api/portal`)).reply.statusCode).toBe(409);
    expect((await open('/live')).reply.statusCode).toBe(200);
    opened[0]?.close();
    await waitFor(async () => (await open('/live', headers, `${url}/api/portal`)).reply.statusCode === 200, {
      what: 'room for another stream',
    });
  });

  test('all portals of a workspace have at most 10 of them together, and the workspace has the rest', async () => {
    const headers: Record<string, string>[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { portalToken } = await seedPortal(api.db, api);
      headers.push({ authorization: `Bearer ${portalToken}` });
    }
    const [last = {}, ...others] = headers;
    const streams = [];
    for (const [n, one] of [...others, ...others].entries())
      streams.push(await open('/live', one, `${n % 2 === 0 ? url : secondUrl}/api/portal`));
    expect(new Set(streams.map(({ reply }) => reply.statusCode))).toEqual(new Set([200]));
    expect((await open('/live', last, `${url}/api/portal`)).reply.statusCode).toBe(409);
    const own = await Promise.all(Array.from({ length: 10 }, () => open('/live')));
    expect(new Set(own.map(({ reply }) => reply.statusCode))).toEqual(new Set([200]));
    expect((await open('/live')).reply.statusCode).toBe(409);
    streams[0]?.close();
    await waitFor(async () => (await open('/live', last, `${url}/api/portal`)).reply.statusCode === 200, {
      what: 'room for a stream of another portal',
    });
  });

  test('HEAD ends at once', async () => {
    const reply = await request(api.app).head(`${api.base}/live`).set('authorization', `Bearer ${api.managementToken}`);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});

test('a process that stops ends its streams', async () => {
  const stream = await open('/live', {}, secondUrl + api.base);
  await second.stop();
  await waitFor(() => !stream.isOpen(), { what: 'the stream to end' });
});
