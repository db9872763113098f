import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import {
  OPERATIONAL_EVENTS,
  type OperationalEventName,
  operationalPayload,
} from '@posthorn/contract/operational-events';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { codeOf, type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
let receiver: Receiver;
let workspace: Workspace;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '1,1' } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await receiver.close();
}, 60_000);
beforeEach(async () => {
  workspace = await service.another();
  receiver.respondWith(() => ({}));
});

const execute = (...given: Parameters<Service['stack']['db']['$executeRaw']>) => service.stack.db.$executeRaw(...given);

type Told = { type: string; timestamp: string; data: Record<string, unknown> };

/** An endpoint of the workspace that subscribes to the operational events, and the events that it has received. */
async function listenTo(names: OperationalEventName[], environmentId = workspace.environmentId) {
  const path = `/${unique('operations-')}`;
  const url = new URL(path, receiver.url).href;
  const { id, secret } = (await workspace.manage('POST', '/endpoints', { url, environmentId })).body;
  for (const name of names) {
    const made = await workspace.manage('POST', '/event-types', { name, publishIn: [environmentId] });
    await workspace.manage('POST', `/endpoints/${id}/subscriptions`, { eventTypeIds: [made.body.id] });
  }
  const requests = () => receiver.requests.filter((request) => request.url === path);
  const told = (): Told[] => requests().map(({ body }) => JSON.parse(body.toString()));
  const heard = (count: number) =>
    waitFor(() => told().length >= count && told(), { what: `${count} operational events: ${JSON.stringify(told())}` });
  return { id, secret, path, requests, told, heard };
}

/** A playground endpoint that answers as its config says, and a function that sends it an event. */
async function playground(config: object, more: object = {}) {
  const retries = { retrySchedule: [] };
  const endpointId = await workspace.make('/endpoints', {
    type: 'playground',
    config: { ...retries, ...config },
    ...more,
  });
  const send = async () => {
    const { body } = await workspace.ingest(endpointId, { n: 1 });
    return String(body.deliveryId);
  };
  return { endpointId, uuid: fromId('ep', endpointId) ?? '', send };
}

const FAILS = { playground: { status: 500 } };
const GONE = { playground: { status: 410 } };

/** Waits until all raised events have been sent on and fanned out. */
async function settled() {
  await waitFor(async () => (await service.stack.db.operationalEvent.count()) === 0, {
    what: 'the outbox to be empty',
  });
  await waitFor(async () => (await service.stack.db.pendingFanOut.count()) === 0, { what: 'the fan-out' });
}

describe('what there is', () => {
  test('docs/interface.md, Operational events: both doors list every event with its description, schema and example', async () => {
    const answer = await workspace.manage('GET', '/operational-events');
    expect(answer.status).toBe(200);
    expect(answer.body.map((one: { name: string }) => one.name)).toEqual(Object.keys(OPERATIONAL_EVENTS).sort());
    for (const { name, description, schema, example } of answer.body) {
      expect(description).toMatch(/\.$/);
      expect(schema).toMatchObject({ type: 'object', required: ['type', 'timestamp', 'data'] });
      const { data } = OPERATIONAL_EVENTS[name as OperationalEventName];
      expect(operationalPayload(name, data.strict()).parse(example)).toEqual(example);
      const body = { name, description, schema, example };
      expect((await workspace.manage('POST', '/event-types', body)).status).toBe(201);
    }
    const viewer = await workspace.sessionOf('viewer');
    expect((await workspace.dashboard(viewer, 'GET', '/operational-events')).body).toEqual(answer.body);
  });

  test('docs/interface.md, Operational events: another name that begins with posthorn. is refused, and nothing is created', async () => {
    for (const name of ['posthorn.order', 'posthorn.endpoint', 'posthorn.endpoint.disabled.x']) {
      const answer = await workspace.manage('POST', '/event-types', { name });
      expect([codeOf(answer), answer.body.error.message]).toEqual([
        'validation_error',
        'name must not begin with posthorn. unless it is the name of an operational event',
      ]);
    }
    expect((await workspace.manage('GET', '/event-types')).body).toEqual([]);
    expect((await workspace.manage('POST', '/event-types', { name: 'posthorns.order' })).status).toBe(201);
  });

  test('docs/interface.md, Operational events: no producer can send one, by itself or in a batch', async () => {
    const { told } = await listenTo(['posthorn.delivery.failed']);
    for (const name of ['posthorn.delivery.failed', 'posthorn.unknown']) {
      const alone = await workspace.ingest(`event/${name}`, {});
      expect([codeOf(alone), alone.body.error.message]).toEqual([
        'validation_error',
        'eventType must not begin with posthorn.: Posthorn itself raises operational events',
      ]);
      const { body } = await workspace.ingest('batch', { events: [{ eventType: name, data: {} }] });
      expect(body.results).toMatchObject([{ error: { code: 'validation_error' } }]);
    }
    expect((await workspace.manage('GET', '/events')).body.events).toEqual([]);
    expect(told()).toEqual([]);
  });

  test('docs/interface.md, Operational events: no endpoint of an application can subscribe to one, and no portal shows one', async () => {
    const application = await workspace.make('/applications', { name: 'Customer' });
    const endpoint = await workspace.make(`/applications/${application}/endpoints`, { url: receiver.url });
    const publishIn = [workspace.environmentId];
    const usual = (await workspace.manage('POST', '/event-types', { name: 'order.created', publishIn })).body;
    const operational = await workspace.make('/event-types', { name: 'posthorn.delivery.failed', publishIn });
    const session = await workspace.manage('POST', `/applications/${application}/portal-sessions`, {});
    const visit = (method: string, path: string, body?: unknown) =>
      service.send(method, `/api/portal${path}`, { token: session.body.token, body });
    const subscriptions = `/endpoints/${endpoint}/subscriptions`;
    const wanted = { eventTypeIds: [usual.id, operational] };
    for (const answer of [
      await workspace.manage('POST', subscriptions, wanted),
      await visit('POST', subscriptions, wanted),
    ]) {
      expect(codeOf(answer)).toBe('validation_error');
      expect(answer.body.error.message).toContain('posthorn.delivery.failed');
    }
    expect((await workspace.manage('GET', subscriptions)).body).toEqual([]);
    expect((await visit('GET', '/event-types')).body).toEqual([usual]);
  });
});

describe('what is told', () => {
  test('docs/interface.md, Operational events: a delivery that ends as failed or dead_letter, delivered like any other event', async () => {
    const listener = await listenTo(['posthorn.delivery.failed', 'posthorn.delivery.dead_letter']);
    const refused = await playground(GONE);
    const broken = await playground(FAILS);
    const failed = await refused.send();
    const [first] = await listener.heard(1);
    expect(first?.data).toMatchObject({ deliveryId: failed, failureReason: 'gone', lastResponseStatus: 410 });
    const dead = await broken.send();
    const [, second] = await listener.heard(2);
    expect(second).toEqual({
      type: 'posthorn.delivery.dead_letter',
      timestamp: expect.any(String),
      data: {
        deliveryId: dead,
        eventId: (await workspace.manage('GET', `/deliveries/${dead}`)).body.eventId,
        eventType: null,
        endpointId: broken.endpointId,
        applicationId: null,
        environmentId: workspace.environmentId,
        url: `https://playground.invalid/${broken.endpointId}`,
        failureReason: 'retries_exhausted',
        totalAttempts: 1,
        lastResponseStatus: 500,
      },
    });
    for (const { type, ...rest } of listener.told()) {
      const { data } = OPERATIONAL_EVENTS[type as OperationalEventName];
      expect(operationalPayload(type, data.strict()).parse({ type, ...rest })).toEqual({ type, ...rest });
    }
    const [request] = listener.requests();
    const verified = new Webhook(listener.secret).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    );
    expect(verified).toEqual(first);
    const { events } = (await workspace.manage('GET', '/events?event_type=posthorn.delivery.failed')).body;
    expect(events).toMatchObject([{ status: 'matched', published: true, applicationId: null, hasPayload: true }]);
  });

  test('docs/interface.md, Operational events: one is retried like any other event, and what becomes of one raises none', async () => {
    const listener = await listenTo([
      'posthorn.delivery.failed',
      'posthorn.delivery.dead_letter',
      'posthorn.endpoint.disabled',
    ]);
    receiver.respondWith(() => ({ status: 503 }));
    await (await playground(FAILS)).send();
    // After one attempt and two retries, the operational event itself is a dead letter.
    await listener.heard(3);
    const ended = async () =>
      (await workspace.manage('GET', `/endpoints/${listener.id}/deliveries`)).body.deliveries[0];
    await waitFor(async () => (await ended()).status === 'dead_letter', { what: 'the event to be a dead letter' });
    receiver.respondWith(() => ({ status: 410 }));
    await (await playground(FAILS)).send();
    const isActive = async () => (await workspace.manage('GET', `/endpoints/${listener.id}`)).body.isActive;
    await waitFor(async () => !(await isActive()), { what: 'the endpoint to be deactivated' });
    await settled();
    const { events } = (await workspace.manage('GET', '/events')).body;
    const names = events.map((event: { eventTypeName: string | null }) => event.eventTypeName);
    expect(names.filter((name: string | null) => name !== null)).toEqual([
      'posthorn.delivery.dead_letter',
      'posthorn.delivery.dead_letter',
    ]);
  });

  test('docs/interface.md, Operational events: a failed test of an endpoint raises none', async () => {
    const listener = await listenTo(['posthorn.delivery.dead_letter', 'posthorn.delivery.failed']);
    const { endpointId, send } = await playground(FAILS);
    expect((await workspace.manage('POST', `/endpoints/${endpointId}/test`)).body.outcome).toBe('failure');
    const delivery = await send();
    expect((await listener.heard(1)).map(({ data }) => data.deliveryId)).toEqual([delivery]);
    await settled();
    expect(listener.told()).toHaveLength(1);
  });

  test('docs/interface.md, Operational events: only in the environment of the endpoint, where the type is published', async () => {
    const staging = await workspace.make('/environments', { name: 'Staging', slug: 'staging' });
    const listener = await listenTo(['posthorn.delivery.failed'], staging);
    const here = await playground(GONE);
    await here.send();
    const there = await playground({}, { environmentId: staging });
    await workspace.manage('PATCH', `/endpoints/${there.endpointId}`, { config: { ...GONE, retrySchedule: [] } });
    const key = (await workspace.manage('POST', `/environments/${staging}/api-keys`, { name: 'Staging' })).body.key;
    await service.send('POST', `/api/ingest/${there.endpointId}`, { token: key, raw: 'x' });
    expect((await listener.heard(1)).map(({ data }) => data.endpointId)).toEqual([there.endpointId]);
    await settled();
    expect(listener.told()).toHaveLength(1);
  });

  test('docs/interface.md, Operational events: a deactivated endpoint, by a person or by its receiver; a deleted one is not told', async () => {
    const listener = await listenTo(['posthorn.endpoint.disabled']);
    const manual = await playground({});
    await workspace.manage('PATCH', `/endpoints/${manual.endpointId}`, { isActive: false });
    const [first] = await listener.heard(1);
    const { disabledAt } = (await workspace.manage('GET', `/endpoints/${manual.endpointId}`)).body;
    expect(first?.data).toMatchObject({ endpointId: manual.endpointId, disabledReason: 'manual', disabledAt });
    await workspace.manage('PATCH', `/endpoints/${manual.endpointId}`, { isActive: false });
    await workspace.manage('DELETE', `/endpoints/${(await playground({})).endpointId}`);
    const gone = await playground(GONE);
    await gone.send();
    const [, second] = await listener.heard(2);
    expect(second?.data).toMatchObject({ endpointId: gone.endpointId, disabledReason: 'gone' });
    await settled();
    expect(listener.told()).toHaveLength(2);
  });

  test('docs/interface.md, Operational events: a breaker that opens, at most once in an hour for an endpoint, and one that closes', async () => {
    const listener = await listenTo(['posthorn.endpoint.failing', 'posthorn.endpoint.recovered']);
    const { endpointId, uuid, send } = await playground(FAILS);
    const health = () => service.stack.db.endpointHealth.findUnique({ where: { endpointId: uuid } });
    const fail = async () => {
      await execute`insert into endpoint_health (endpoint_id, consecutive_failures, failing_since, last_failure_at)
        values (${uuid}::uuid, 9, now() - interval '31 seconds', now()) on conflict (endpoint_id) do update set
        consecutive_failures = 9, failing_since = now() - interval '31 seconds', last_failure_at = now()`;
      await send();
      await waitFor(async () => (await health())?.openUntil != null, { what: 'the breaker to open' });
    };
    const recover = async () => {
      await workspace.manage('PATCH', `/endpoints/${endpointId}`, { config: {} });
      await execute`update endpoint_health set open_until = now() where endpoint_id = ${uuid}::uuid`;
      await send();
      await waitFor(async () => (await health())?.openUntil === null, { what: 'the breaker to close' });
      await workspace.manage('PATCH', `/endpoints/${endpointId}`, { config: { ...FAILS, retrySchedule: [] } });
    };
    await fail();
    // Wait for the first event. If both were sent together, they could arrive in either order.
    await listener.heard(1);
    await recover();
    expect((await listener.heard(2)).map(({ type }) => type)).toEqual([
      'posthorn.endpoint.failing',
      'posthorn.endpoint.recovered',
    ]);
    expect(listener.told()[0]?.data).toMatchObject({ endpointId, failingSince: expect.any(String) });
    // Within the hour, only the recovery is reported. Activating the endpoint again is no recovery, and begins
    // no new hour.
    await fail();
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: false });
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { isActive: true });
    await fail();
    await recover();
    expect((await listener.heard(3))[2]?.type).toBe('posthorn.endpoint.recovered');
    await settled();
    expect(listener.told()).toHaveLength(3);
    await execute`update endpoint_health set failing_raised_at = now() - interval '61 minutes'
      where endpoint_id = ${uuid}::uuid`;
    await fail();
    expect((await listener.heard(4))[3]?.type).toBe('posthorn.endpoint.failing');
  });

  test('docs/interface.md, Operational events: a completed operation, in the environment of its endpoint, else in the default one', async () => {
    const listener = await listenTo(['posthorn.operation.completed']);
    const { endpointId, send } = await playground(FAILS);
    const delivery = await send();
    const status = async () => (await workspace.manage('GET', `/deliveries/${delivery}`)).body.status;
    await waitFor(async () => (await status()) === 'dead_letter', { what: 'the delivery to end' });
    await workspace.manage('PATCH', `/endpoints/${endpointId}`, { config: {} });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const recovery = await workspace.manage('POST', `/endpoints/${endpointId}/recover`, { since, mode: 'failed' });
    const [first] = await listener.heard(1);
    const { finishedAt } = (await workspace.manage('GET', `/operations/${recovery.body.id}`)).body;
    expect(first?.data).toEqual({
      operationId: recovery.body.id,
      operationType: 'recovery',
      endpointId,
      ...{ matched: 1, enqueued: 1, delivered: 1, failed: 0, finishedAt },
    });
    const bulk = await workspace.manage('POST', '/deliveries/cancel', { filter: { status: 'pending' } });
    const [, second] = await listener.heard(2);
    expect(second?.data).toMatchObject({ operationId: bulk.body.id, operationType: 'cancel', endpointId: null });
  });

  test('docs/interface.md, Operational events: an API key that ends within 7 days, once, in the default environment', async () => {
    const listener = await listenTo(['posthorn.api_key.expiring']);
    const staging = await workspace.make('/environments', { name: 'Staging', slug: 'staging' });
    const keyEnding = async (days: number, name: string) => {
      const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
      return (await workspace.manage('POST', `/environments/${staging}/api-keys`, { name, expiresAt })).body;
    };
    const soon = await keyEnding(6.9, 'Soon');
    await keyEnding(7.1, 'Later');
    const rotated = await keyEnding(2, 'Rotated');
    const next = await workspace.manage('POST', `/environments/${staging}/api-keys/${rotated.id}/rotate`);
    // A dispatcher checks when it starts, and every five minutes.
    await service.stack.startDispatcher();
    const told = await listener.heard(2);
    expect(told.map(({ data }) => data).sort((a, b) => (String(a.name) < String(b.name) ? 1 : -1))).toEqual([
      { apiKeyId: soon.id, name: 'Soon', environmentId: staging, expiresAt: soon.expiresAt },
      { apiKeyId: next.body.id, name: 'Rotated', environmentId: staging, expiresAt: next.body.expiresAt },
    ]);
  });
});
