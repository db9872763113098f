import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { OptionError } from '@posthorn/client';
import { webhookHandler as expressHandler } from '@posthorn/client/express';
import { webhooks } from '@posthorn/client/fastify';
import { webhookHandler as fetchHandler, type Webhook } from '@posthorn/client/fetch';
import { webhookHandler as nextHandler, webhookApiHandler } from '@posthorn/client/next';
import { sign, WebhookVerificationError } from '@posthorn/client/webhooks';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';

// Tests each helper in its framework, over a socket if the framework has one.

const SECRET = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;
const BODY = '{"id":"order_1001",  "total":1900}';

const seen: Webhook[] = [];
let failing: Error | undefined;
const handle = async (webhook: Webhook) => {
  if (failing !== undefined) throw failing;
  seen.push(webhook);
};

type Target = { send: (init: RequestInit) => Promise<Response>; close: () => Promise<unknown> };

const frameworks: Record<string, () => Promise<Target>> = {
  Express: () => {
    const app = express();
    app.post('/webhooks', expressHandler(SECRET, handle));
    app.use(express.json());
    return serve(createServer(app));
  },
  'Express behind express.raw': () => {
    const app = express();
    app.use(express.raw({ type: () => true }));
    app.post('/webhooks', expressHandler(SECRET, handle));
    return serve(createServer(app));
  },
  'http of Node': () => {
    const handler = expressHandler(SECRET, handle);
    return serve(
      createServer((request, response) => {
        handler(request, response).catch(() => {
          response.statusCode = 500;
          response.end();
        });
      }),
    );
  },
  "Next's pages": () => {
    const handler = webhookApiHandler(SECRET, handle);
    return serve(
      createServer((request, response) => void handler(request, response).catch(() => response.writeHead(500).end())),
    );
  },
  Fastify: async () => {
    const app = fastify();
    await app.register(webhooks, { path: '/webhooks', secrets: [SECRET], handler: handle });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { send: (init) => fetch(`${url}/webhooks`, init), close: () => app.close() };
  },
  Hono: async () => {
    const app = new Hono();
    const handler = fetchHandler(SECRET, handle);
    app.post('/webhooks', (context) => handler(context.req.raw));
    app.onError((_error, context) => context.body(null, 500));
    return { send: async (init) => app.request('/webhooks', init), close: async () => undefined };
  },
  "Next's app": async () => {
    const POST = nextHandler(SECRET, handle);
    return {
      send: (init) =>
        POST(new Request('http://localhost/webhooks', init)).catch(() => new Response(null, { status: 500 })),
      close: async () => undefined,
    };
  },
};

let target: Target | undefined;
afterEach(async () => {
  await target?.close();
  seen.length = 0;
  failing = undefined;
});

describe.each(Object.keys(frameworks))('%s', (name) => {
  const open = async () => {
    target = await frameworks[name]?.();
    if (target === undefined) throw new Error(name);
    return target.send;
  };
  const headersOf = async (more: object = {}) => ({
    ...(await sign(BODY, SECRET, { id: 'msg_1' })),
    ...{ 'content-type': 'application/json', 'webhook-event-type': 'order.paid', 'webhook-attempt': '2' },
    ...more,
  });

  test('a genuine webhook is handled with the bytes as they came, and answered 204', async () => {
    const send = await open();
    const { status } = await send({ method: 'POST', headers: await headersOf(), body: BODY });
    expect([status, seen.length]).toEqual([204, 1]);
    expect(seen[0]).toMatchObject({ id: 'msg_1', type: 'order.paid', attempt: 2 });
    expect([seen[0]?.text(), seen[0]?.json()]).toEqual([BODY, { id: 'order_1001', total: 1900 }]);
  });

  test('a changed body is answered 400 and not handled', async () => {
    const send = await open();
    const { status } = await send({ method: 'POST', headers: await headersOf(), body: BODY.replace('1900', '1') });
    expect([status, seen.length]).toEqual([400, 0]);
  });

  test('a request without a signature is answered 400', async () => {
    const send = await open();
    const { status } = await send({ method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY });
    expect([status, seen.length]).toEqual([400, 0]);
  });

  test('bytes of any content type are handled as they are', async () => {
    const bytes = Buffer.from([0, 1, 255, 128]);
    const send = await open();
    const headers = { ...(await sign(bytes, SECRET)), 'content-type': 'application/x-anything' };
    const { status } = await send({ method: 'POST', headers, body: bytes });
    expect([status, seen.length]).toEqual([204, 1]);
    expect(Buffer.from(seen[0]?.payload ?? [])).toEqual(bytes);
  });

  test('a handler that fails is answered 500, so that the webhook comes again', async () => {
    failing = new Error('the database is away');
    const send = await open();
    expect((await send({ method: 'POST', headers: await headersOf(), body: BODY })).status).toBe(500);
  });

  test('a handler that fails because it verifies something itself is answered 500, too', async () => {
    failing = new WebhookVerificationError('too_old', 'what the handler verifies');
    const send = await open();
    expect((await send({ method: 'POST', headers: await headersOf(), body: BODY })).status).toBe(500);
  });
});

test('Express says what is wrong when the body was parsed before', async () => {
  const app = express();
  const errors: Error[] = [];
  app.use(express.json());
  app.post('/webhooks', expressHandler(SECRET, handle));
  app.use((error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
    errors.push(error);
    response.status(500).end();
  });
  target = await serve(createServer(app));
  const headers = { ...(await sign(BODY, SECRET)), 'content-type': 'application/json' };
  expect((await target.send({ method: 'POST', headers, body: BODY })).status).toBe(500);
  expect(errors[0]?.message).toMatch('before express.json()');
});

test('a body beyond the limit is answered 413', async () => {
  const handler = fetchHandler(SECRET, handle, { maxBytes: 10 });
  const request = new Request('http://localhost/', { method: 'POST', headers: await sign(BODY, SECRET), body: BODY });
  expect((await handler(request)).status).toBe(413);
});

test('after a body beyond the limit, the next request on the connection of Node is answered', async () => {
  const handler = expressHandler(SECRET, handle, { maxBytes: 100 });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  target = { send: (init) => fetch(`http://127.0.0.1:${port}/`, init), close: () => closeServer(server) };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const signature = await sign(BODY, SECRET);
  const start = (length: number) => {
    const headers = { ...signature, 'content-length': String(length) };
    return requestHttp({ host: '127.0.0.1', port, method: 'POST', agent, headers });
  };
  const large = start(2_000_000);
  large.write(Buffer.alloc(200));
  // The rest of the body is still on its way.
  const [refused] = (await once(large, 'response')) as [IncomingMessage];
  large.end(Buffer.alloc(1_999_800));
  await once(refused.resume(), 'end');
  const next = start(BODY.length).end(BODY);
  const [accepted] = (await once(next, 'response')) as [IncomingMessage];
  expect([refused.statusCode, accepted.statusCode, next.reusedSocket]).toEqual([413, 204, true]);
  agent.destroy();
});

async function serve(server: Server): Promise<Target> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return {
    send: (init) => fetch(url, init),
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

describe('a receiver whose secret is absent does not start', () => {
  const absent = {
    'a variable that is not set': undefined,
    'an empty one': '',
    'a blank one': ' \n',
    none: [],
    'one of two': [SECRET, undefined],
  };

  test.each(Object.entries(absent))('%s', async (_name, secrets) => {
    const webhookless = { path: '/webhooks', secrets, handler: handle };
    for (const make of [expressHandler, fetchHandler, nextHandler, webhookApiHandler]) {
      expect(() => make(secrets, handle)).toThrow(OptionError);
    }
    const app = fastify();
    await expect(app.register(webhooks, webhookless).ready()).rejects.toThrow('secrets must be the signing secret');
  });
});
