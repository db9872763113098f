import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
let w: Workspace;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1, settings: { RETRY_SCHEDULE: '1,1,3600' } });
  w = service.workspace;
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const config = (code: string, more: object = {}) => ({ transformation: { language: 'javascript', code }, ...more });
const SHAPED = `function transform(event) {
  return {
    data: { text: 'Order ' + event.data.orderId + ' of ' + event.endpoint.metadata.shop, type: event.type },
    headers: { 'X-Shape': 'slack' },
    path: '/orders',
  };
}`;

async function makeEndpoint(code: string, more: object = {}) {
  const { status, body } = await w.manage('POST', '/endpoints', {
    url: `${receiver.url}/${unique('shaped')}?key=1`,
    config: config(code),
    ...more,
  });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

const attemptsOf = async (id: string) => (await w.manage('GET', `/deliveries/${id}/attempts`)).body;
const deliveryOf = async (id: string) => (await w.manage('GET', `/deliveries/${id}`)).body;
const send = async (endpointId: string, data: unknown) => (await w.ingest(endpointId, data)).body;
const ended = (id: string, status: string) =>
  waitFor(
    async () => {
      const delivery = await deliveryOf(id);
      return delivery.status === status ? delivery : undefined;
    },
    { what: `the delivery to be ${status}` },
  );

describe('docs/interface.md, Transformations: code makes each message, which is signed, or fails, or cancels it', () => {
  test('the bytes that the code made are sent and signed, to its path, and the attempt shows them', async () => {
    const endpoint = await makeEndpoint(SHAPED, { metadata: { shop: 'Acme' } });
    const { deliveryId } = await send(endpoint.id, { orderId: 'A-17' });
    await ended(deliveryId, 'delivered');
    const path = new URL(endpoint.url).pathname;
    const [request] = receiver.requests.filter(({ url }) => url === `${path}/orders?key=1`);
    const text = request?.body.toString() ?? '';
    expect(JSON.parse(text)).toEqual({ text: 'Order A-17 of Acme', type: null });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-shape': 'slack' });
    const headers = request?.headers as Record<string, string>;
    expect(() => new Webhook(endpoint.secret).verify(text, headers)).not.toThrow();
    const [attempt] = await attemptsOf(deliveryId);
    expect(Buffer.from(attempt.requestBody, 'base64').toString()).toBe(text);
    expect(attempt.url).toBe(endpoint.url.replace('?', '/orders?'));
  });

  test('a payload format is applied to what the code made', async () => {
    const endpoint = await makeEndpoint('', {
      config: config('const transform = () => ({ data: 7 });', { payloadFormat: 'envelope' }),
    });
    const { id, deliveryId } = await send(endpoint.id, {});
    await ended(deliveryId, 'delivered');
    const [attempt] = await attemptsOf(deliveryId);
    expect(JSON.parse(Buffer.from(attempt.requestBody, 'base64').toString())).toMatchObject({ id, data: 7 });
  });

  test('code that throws is a failed attempt with its line, which follows the schedule, changes no health, and is healed by new code', async () => {
    const endpoint = await makeEndpoint('function transform(event) {\n  return { data: event.data.a.b };\n}');
    const { deliveryId } = await send(endpoint.id, { n: 1 });
    const [attempt] = await waitFor(
      async () => {
        const attempts = await attemptsOf(deliveryId);
        return attempts.length > 0 ? attempts : undefined;
      },
      { what: 'the first attempt' },
    );
    expect(attempt).toMatchObject({
      outcome: 'failure',
      errorCode: 'transformation_failed',
      errorMessage: expect.stringMatching(/^TypeError: .*\(line 2, column \d+\)$/),
      requestHeaders: {},
      responseStatus: null,
    });
    expect((await w.manage('GET', `/endpoints/${endpoint.id}`)).body.health).toBe('healthy');
    await w.manage('PATCH', `/endpoints/${endpoint.id}`, {
      config: config('const transform = ({ data }) => ({ data });'),
    });
    expect((await ended(deliveryId, 'delivered')).totalAttempts).toBeGreaterThan(1);
  });

  test('an event that the code cancels ends without an attempt and without a failure', async () => {
    const endpoint = await makeEndpoint(`const transform = () => ({ cancel: 'too small' });`);
    const { deliveryId } = await send(endpoint.id, {});
    expect(await ended(deliveryId, 'failed')).toMatchObject({
      failureReason: 'cancelled_by_transformation',
      cancelReason: 'too small',
      totalAttempts: 0,
    });
    const matched = async (path: string, body: object) => {
      const answer = await w.manage('POST', path, { ...body, dryRun: true });
      return [answer.status, answer.body.matched];
    };
    for (const statuses of [['failed'], ['failed', 'delivered'], undefined]) {
      expect(await matched('/deliveries/retry', { filter: { endpointId: endpoint.id, statuses } })).toEqual([200, 0]);
    }
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const mode of ['failed', 'all']) {
      expect(await matched(`/endpoints/${endpoint.id}/recover`, { since, mode })).toEqual([200, 0]);
    }
  });

  test('the reason of a cancelled event stands on the delivery and in the trace, until a retry or an erasure', async () => {
    const code = (rest: string) => `const transform = ({ data }) => ${rest};`;
    const endpoint = await makeEndpoint(code("({ cancel: data.name + '\\u0000 \\ud800 is too small' })"));
    const cancelled = { failureReason: 'cancelled_by_transformation', cancelReason: 'Ann \ufffd is too small' };
    const traceOf = async (eventId: string) =>
      (await w.manage('GET', `/events/${eventId}/trace`)).body.endpoints[0].delivery;
    const [one, two] = [await send(endpoint.id, { name: 'Ann' }), await send(endpoint.id, { name: 'Ann' })];
    for (const { deliveryId, id: eventId } of [one, two]) {
      expect(await ended(deliveryId, 'failed')).toMatchObject(cancelled);
      expect(await traceOf(eventId)).toMatchObject(cancelled);
    }
    const { body: entries } = await w.manage('GET', '/audit-logs?action=payload.viewed');
    expect(JSON.stringify(entries)).toContain(one.deliveryId);
    expect(JSON.stringify(entries)).toContain(one.id);

    expect((await w.manage('DELETE', `/events/${one.id}/payload`)).status).toBe(204);
    const erased = { ...cancelled, cancelReason: null };
    expect(await deliveryOf(one.deliveryId)).toMatchObject(erased);
    expect(await traceOf(one.id)).toMatchObject(erased);

    await w.manage('PATCH', `/endpoints/${endpoint.id}`, { config: config(code('({ data })')) });
    expect((await w.manage('POST', `/deliveries/${two.deliveryId}/retry`)).status).toBe(202);
    expect(await ended(two.deliveryId, 'delivered')).toMatchObject({ failureReason: null, cancelReason: null });
  });

  test('a consumer gets no message that the code cancels, and the reason stands on the delivery', async () => {
    const code = "const transform = () => ({ cancel: 'not for us' });";
    const { status, body: endpoint } = await w.manage('POST', '/endpoints', { type: 'pull', config: config(code) });
    expect(status).toBe(201);
    const { deliveryId } = await send(endpoint.id, {});
    const path = `/api/pull/${endpoint.id}/lease`;
    const { body: leased } = await service.send('POST', path, { token: endpoint.pullKey, body: {} });
    expect(leased.messages).toEqual([]);
    expect(await ended(deliveryId, 'failed')).toMatchObject({ cancelReason: 'not for us' });
  });

  test('one that is switched off changes nothing', async () => {
    const off = { transformation: { language: 'javascript', code: SHAPED, isEnabled: false } };
    const endpoint = await makeEndpoint('', { config: off });
    const { deliveryId } = await send(endpoint.id, { orderId: 1 });
    await ended(deliveryId, 'delivered');
    expect((await attemptsOf(deliveryId))[0].requestBody).toBeNull();
  });

  test('a test of an endpoint is transformed, and says why it was cancelled', async () => {
    const endpoint = await makeEndpoint(
      `const transform = ({ data }) => data.go ? { data } : { cancel: 'too small' };`,
    );
    const sent = await w.manage('POST', `/endpoints/${endpoint.id}/test`, { payload: { go: true } });
    expect(sent.body).toMatchObject({ outcome: 'success', requestBody: Buffer.from('{"go":true}').toString('base64') });
    const cancelled = await w.manage('POST', `/endpoints/${endpoint.id}/test`, { payload: {} });
    expect(cancelled.body).toMatchObject({
      outcome: 'failure',
      errorCode: 'transformation_failed',
      errorMessage: 'The transformation cancelled the event: too small',
    });
  });

  test.each([
    [
      'an authorization header beside a password',
      { headers: { Authorization: 'Bearer a' } },
      { authUsername: 'a', authPassword: 'b' },
      "The result's headers.Authorization must not be set: this endpoint has a password or OAuth 2",
    ],
    [
      'a path that makes the URL too long',
      { path: `/${'b'.repeat(400)}` },
      { path: `/${'a'.repeat(1_900)}` },
      "The result's path is too long: with it, the URL has more than 2,048 characters",
    ],
  ])('%s fails with a sentence, in an attempt and in a test of the code', async (_name, result, given, message) => {
    const { path = '', ...more } = given as { path?: string };
    const code = `const transform = () => (${JSON.stringify({ data: 1, ...result })});`;
    const endpoint = await makeEndpoint(code, { url: `${receiver.url}${path}`, ...more });
    const sent = await w.manage('POST', `/endpoints/${endpoint.id}/test`, {});
    expect(sent.body).toMatchObject({ errorCode: 'transformation_failed', errorMessage: message });
    const tried = await w.manage('POST', '/transformations/test', {
      language: 'javascript',
      code,
      endpointId: endpoint.id,
    });
    expect(tried.body).toMatchObject({ result: 'failed', error: { message } });
  });

  test('a message of a pull endpoint is transformed at the lease; code that fails there is an attempt', async () => {
    const made = await makeEndpoint('', {
      url: undefined,
      type: 'pull',
      config: config('const transform = ({ data }) => ({ data: data.a.b });'),
    });
    const lease = async () =>
      (await service.send('POST', `/api/pull/${made.id}/lease`, { token: made.pullKey, body: { waitSeconds: 5 } })).body
        .messages;
    await send(made.id, { a: { b: 5 } });
    const [message] = await lease();
    expect(Buffer.from(message.body, 'base64').toString()).toBe('5');
    const { deliveryId } = await send(made.id, {});
    const attempts = await waitFor(
      async () => {
        await lease();
        const found = await attemptsOf(deliveryId);
        return found.length > 0 ? found : undefined;
      },
      { what: 'the attempt of the lease' },
    );
    expect(attempts[0]).toMatchObject({
      errorCode: 'transformation_failed',
      errorMessage: expect.stringContaining('line 1'),
    });
  });

  test.each([
    ['function transform(event) {\n  return {;\n}', 'config.transformation.code', 'line 2'],
    ['const a = 1;', 'config.transformation.code', 'must have a function transform(event)'],
    ['for (;;);', 'config.transformation.code', 'more than 50 ms'],
    ['', 'config.transformation.code', 'must not be empty'],
    ['x'.repeat(51_201), 'config.transformation.code', 'at most 51,200 characters'],
  ])('code is checked when it is saved: %j', async (code, field, words) => {
    const { status, body } = await w.manage('POST', '/endpoints', { url: receiver.url, config: config(code) });
    expect([status, body.error.code]).toEqual([400, 'validation_error']);
    expect(body.error.details?.[0] ?? { field, message: body.error.message }).toMatchObject({
      field,
      message: expect.stringContaining(words),
    });
  });

  test('the code counts apart from the 8 KiB of config', async () => {
    await makeEndpoint(`${SHAPED}//${'x'.repeat(50_000)}`);
  });

  test('a portal session needs transformations:write, which it has only by name', async () => {
    const application = (await w.manage('POST', '/applications', { name: unique('a') })).body.id;
    const session = async (body: object) =>
      (await w.manage('POST', `/applications/${application}/portal-sessions`, body)).body;
    const plain = await session({});
    expect(plain.capabilities).not.toContain('transformations:write');
    const may = await session({ capabilities: ['endpoints:read', 'endpoints:write', 'transformations:write'] });
    const create = (token: string) =>
      service.send('POST', '/api/portal/endpoints', { token, body: { url: receiver.url, config: config(SHAPED) } });
    expect((await create(plain.token)).body.error.code).toBe('forbidden');
    const made = await create(may.token);
    expect(made.status).toBe(201);
    const patch = (body: object) =>
      service.send('PATCH', `/api/portal/endpoints/${made.body.id}`, { token: plain.token, body });
    expect((await patch({ config: {} })).body.error.code).toBe('forbidden');
    expect((await patch({ config: { ...config(SHAPED), timeoutSeconds: 3 } })).status).toBe(200);
    const run = (token: string) =>
      service.send('POST', '/api/portal/transformations/test', {
        token,
        body: { language: 'javascript', code: SHAPED },
      });
    expect((await run(plain.token)).body.error.code).toBe('forbidden');
    expect((await run(may.token)).status).toBe(200);
  });

  test('a test of code answers what would be sent, its logs, and its fault', async () => {
    const run = async (code: string, more: object = {}) =>
      (await w.manage('POST', '/transformations/test', { language: 'javascript', code, ...more })).body;
    expect(
      await run('function transform({ data }) { console.log("got", data); return { data }; }', { payload: { a: 1.0 } }),
    ).toEqual({
      ...{ result: 'sent', body: '{"a":1}', contentType: 'application/json', headers: {}, path: null, reason: null },
      ...{ logs: ['got {"a":1}'], error: null, durationMs: expect.any(Number) },
    });
    expect(await run(`const transform = () => ({ cancel: 'no' });`)).toMatchObject({
      result: 'cancelled',
      reason: 'no',
      body: null,
    });
    expect(await run('function transform() {\n  throw new RangeError("a");\n}')).toMatchObject({
      result: 'failed',
      error: { message: 'RangeError: a', line: 2, column: expect.any(Number) },
    });
    const pull = await makeEndpoint('', { url: undefined, type: 'pull', config: {} });
    expect(await run(`const transform = () => ({ data: 1, path: '/a' });`, { endpointId: pull.id })).toMatchObject({
      error: { message: 'The result must not have a path: this endpoint has no URL' },
    });
  });
});
