import { isUtf8 } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkReceiver } from '@posthorn/client/check';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { waitFor } from '@posthorn/testkit/wait-for';
import { isInstalled, languages, libraryReceiver, type RunningReceiver, runReceiver } from './pages/run-receiver.ts';
import { type Services, startServices } from './services-in-process.ts';

// Sends real deliveries over HTTPS to the receivers of docs/receiving.md, which are the files of docs/receivers. Skips
// languages that are not installed.

let stack: Services;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  stack = await startServices({ settings: { RETRY_SCHEDULE: '1,1' } });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(() => stack.stop(), 60_000);

const bodies: [name: string, contentType: string, body: Buffer][] = [
  ['JSON', 'application/json', Buffer.from('{"total":1900}')],
  ['JSON with a byte order mark', 'application/json', Buffer.from('\uFEFF{"total":1900}')],
  ['text that is not UTF-8', 'text/plain; charset=iso-8859-1', Buffer.from([0x66, 0xfc, 0x72])],
  ['text with a byte order mark', 'text/csv', Buffer.from('\uFEFFa,b\r\n')],
  ['every byte', 'application/octet-stream', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
  ['256 KiB of bytes', 'application/octet-stream', randomBytes(262_144)],
  ['256 KiB of JSON', 'application/json', Buffer.from(JSON.stringify('x'.repeat(262_142)))],
  ['bytes without a content type', '', Buffer.from([0, 1, 2, 255])],
  ['nothing', 'application/json', Buffer.alloc(0)],
  ['JSON under a type of its own', 'application/vnd.acme.order+json; charset=utf-8', Buffer.from('{"total":1900}')],
  ['a form, which frameworks like to parse', 'application/x-www-form-urlencoded', Buffer.from('b=%7e&a=1+2&c')],
  ['lines of JSON, which are not JSON', 'application/x-ndjson', Buffer.from('{"n":1}\n{"n":2}\n')],
];

const nowSeconds = () => Math.floor(Date.now() / 1_000);

function headersFor(secret: string, { timestamp = `${nowSeconds()}`, body = '{}', id = 'msg_forged' } = {}) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const other = `whsec_${randomBytes(32).toString('base64')}`;

/** Requests with the body `{}` that Posthorn has not sent, or not recently. */
const forgeries: [name: string, headers: (secret: string) => Record<string, string>][] = [
  ['no headers', () => ({})],
  ['the signature of another secret', () => headersFor(other)],
  ['the signature of another body', (secret) => headersFor(secret, { body: '{"a":1}' })],
  ['another id than was signed', (secret) => ({ ...headersFor(secret), 'webhook-id': 'msg_other' })],
  ['a signature that is an hour old', (secret) => headersFor(secret, { timestamp: `${nowSeconds() - 3_600}` })],
  ['a signature for the next hour', (secret) => headersFor(secret, { timestamp: `${nowSeconds() + 3_600}` })],
  ['a timestamp that is no number', (secret) => headersFor(secret, { timestamp: 'now' })],
  ['a timestamp of 400 digits', (secret) => headersFor(secret, { timestamp: '9'.repeat(400) })],
  ['a timestamp of another script', (secret) => ({ ...headersFor(secret), 'webhook-timestamp': '\u00b2' })],
  ['a signature without a version', (secret) => ({ ...headersFor(secret), 'webhook-signature': 'v1' })],
  ['an empty signature', (secret) => ({ ...headersFor(secret), 'webhook-signature': 'v1, ,v1,' })],
  ['a signature that is no base64', (secret) => ({ ...headersFor(secret), 'webhook-signature': 'v1,\u00e9\u00e9' })],
];

for (const language of languages) {
  if (!isInstalled(language)) {
    test.skip(`the ${language.name} receiver of the guide: ${language.probe[0]} is not installed`, () => undefined);
    continue;
  }

  describe(`the ${language.name} receiver of the guide`, () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    let receiver: RunningReceiver;
    let endpointId: string;
    beforeAll(async () => {
      receiver = await runReceiver(language, secret);
      const endpoint = await client.call<{ id: string }>('POST', '/endpoints', { url: receiver.url, secret });
      endpointId = endpoint.body.id;
    }, 120_000);
    afterAll(() => receiver?.stop(), 30_000);

    const reached = (deliveryId: unknown, status: string, attempts: number) =>
      waitFor(
        async () => {
          const { body } = await client.call('GET', `/deliveries/${deliveryId}`);
          return body.status === status && Number(body.totalAttempts) >= attempts && body;
        },
        { what: `a delivery to be ${status}; the receiver wrote:\n${receiver.output()}` },
      );
    const send = (contentType: string, body: Buffer) =>
      ingest(endpointId, body, contentType === '' ? {} : { 'content-type': contentType });
    const lines = (id: unknown) =>
      receiver
        .output()
        .split('\n')
        .filter((line) => line.includes(String(id)));

    test.each(bodies)('accepts %s as it was sent', async (_name, contentType, body) => {
      const { id, deliveryId } = (await send(contentType, body)).body;
      await reached(deliveryId, 'delivered', 1);
      const isJson = language.parsesJson && /^application\/(json|.*\+json)/.test(contentType) && body.length > 0;
      const kind = isJson ? 'json' : 'bytes';
      await waitFor(() => lines(id).length > 0, { what: 'its line' });
      expect(lines(id)).toEqual([`received ${id} ${contentType} ${body.length} ${kind}`]);
    });

    test('keeps a webhook once that arrives twice, and answers 2xx to both', async () => {
      const { id, deliveryId } = (await send('application/json', Buffer.from('{"n":2}'))).body;
      await reached(deliveryId, 'delivered', 1);
      await client.call('POST', `/deliveries/${deliveryId}/retry`);
      await reached(deliveryId, 'delivered', 2);
      await waitFor(() => lines(id).length > 0, { what: 'its line' });
      expect(lines(id)).toHaveLength(1);
    });

    if (language.parsesJson) {
      test('keeps a webhook whose work failed the first time, when it comes again', async () => {
        const id = 'msg_fails_first';
        const deliver = (body: string) => {
          const headers = { ...headersFor(secret, { id, body }), 'content-type': 'application/json' };
          // The server may also close the connection.
          return fetch(receiver.plainUrl, { method: 'POST', body, headers }).then(
            ({ status }) => status,
            () => 500,
          );
        };
        expect(await deliver('{"total":')).toBeGreaterThanOrEqual(400);
        expect(lines(id)).toEqual([]);
        expect(await deliver('{"total":1}')).toBeLessThan(300);
        await waitFor(() => lines(id).length > 0, { what: 'its line' });
        expect(lines(id)).toEqual([`received ${id} application/json 11 json`]);
      });
    }

    test.each(forgeries)('answers 400 to %s, and keeps nothing', async (_name, headers) => {
      const before = receiver.output();
      const forged = { method: 'POST', body: '{}', headers: headers(secret) };
      expect((await fetch(receiver.plainUrl, forged)).status).toBe(400);
      expect(receiver.output().slice(before.length)).not.toContain('received');
    });

    if (language.probe[0] === 'php') {
      test('answers 500 to a form whose body PHP has read, and names the setting', async () => {
        const body = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
        const headers = { ...headersFor(secret, { body }), 'content-type': 'multipart/form-data; boundary=x' };
        const answer = await fetch(receiver.plainUrl, { method: 'POST', body, headers });
        expect([answer.status, await answer.text()]).toEqual([
          500,
          expect.stringContaining('enable_post_data_reading = Off'),
        ]);
      });
    }

    test('passes every check of `posthorn check`', async () => {
      const { results } = await checkReceiver({ url: receiver.plainUrl, secret });
      expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    });

    test('answers 400 to a delivery that is signed with another secret', async () => {
      await client.call('POST', `/endpoints/${endpointId}/secret/rotate`, { gracePeriodSeconds: 0 });
      await client.call('PATCH', `/endpoints/${endpointId}`, { config: { retrySchedule: [] } });
      const { id, deliveryId } = (await send('application/json', Buffer.from('{}'))).body;
      await reached(deliveryId, 'dead_letter', 1);
      const attempts = await client.call('GET', `/deliveries/${deliveryId}/attempts`);
      expect(attempts.body).toMatchObject([{ responseStatus: 400 }]);
      expect(lines(id)).toEqual([]);
    });
  });
}

test.each(
  [...languages, libraryReceiver]
    .filter(isInstalled)
    .flatMap((language) => [
      [language.name, 'is not set', language, undefined] as const,
      [language.name, 'is empty', language, ''] as const,
    ]),
)(
  'the %s receiver accepts nothing while WEBHOOK_SECRET %s',
  async (_name, _state, language, secret) => {
    const receiver = await runReceiver(language, secret).catch((error: Error) => error);
    if (receiver instanceof Error) return expect(receiver.message).toContain('did not start');
    // Anybody can sign with an empty key.
    const forged = { method: 'POST', body: '{}', headers: headersFor('whsec_') };
    const { status } = await fetch(receiver.plainUrl, forged);
    await receiver.stop();
    expect(status).toBeGreaterThanOrEqual(400);
    expect(receiver.output()).not.toContain('received');
  },
  120_000,
);

describe('a receiver with the Standard Webhooks library', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  let receiver: RunningReceiver;
  let endpointId: string;
  beforeAll(async () => {
    receiver = await runReceiver(libraryReceiver, secret);
    const endpoint = await client.call<{ id: string }>('POST', '/endpoints', { url: receiver.url, secret });
    endpointId = endpoint.body.id;
  }, 60_000);
  afterAll(() => receiver?.stop(), 30_000);

  const texts = bodies.filter(([, , body]) => isUtf8(body));

  test.each(texts)('accepts %s', async (_name, contentType, body) => {
    const { deliveryId } = (await ingest(endpointId, body, { 'content-type': contentType })).body;
    await waitFor(async () => (await client.call('GET', `/deliveries/${deliveryId}`)).body.status === 'delivered', {
      what: `the delivery; the receiver wrote:\n${receiver.output()}`,
    });
  });

  test.each(forgeries)('answers 400 to %s', async (_name, headers) => {
    const response = await fetch(receiver.plainUrl, { method: 'POST', body: '{}', headers: headers(secret) });
    expect(response.status).toBe(400);
  });
});
