import { createServer, connect as dial, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { freePort } from '@posthorn/testkit/free-port';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type NameServer, startNameServer } from '@posthorn/testkit/name-server';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedSession } from '@posthorn/testkit/session';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

// 127.0.0.1 represents the operator's network: nothing may ever connect to the listener there. 127.0.0.2 represents the
// internet, where a receiver answers as ok.receiver.test.
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';

let sentinels: Server[];
let hits: number;
let port: number;
let names: NameServer;
let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  await startSentinels();
  names = await startNameServer();
  names.answers.set('ok.receiver.test', [OUTSIDE]);
  receiver = await startReceiver({ host: OUTSIDE });
  const proxy = `http://${INSIDE}:${port}`;
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
    [name, proxy],
    [name.toLowerCase(), proxy],
  ]);
  stack = await startStack({
    settings: {
      EGRESS_ALLOW_CIDRS: `${OUTSIDE}/32`,
      RETRY_SCHEDULE: '1',
      SWEEP_INTERVAL_MS: '500',
      NODE_OPTIONS: names.nodeOptions,
      NODE_USE_ENV_PROXY: '1',
      ...Object.fromEntries(proxies),
    },
  });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
  names.close();
  for (const sentinel of sentinels) sentinel.close();
}, 60_000);
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
});

/** Listens on one port of both loopback addresses. ::1 is left out if the machine does not have it. */
async function startSentinels(): Promise<void> {
  hits = 0;
  const listen = (host: string, at: number) =>
    new Promise<Server | undefined>((resolve) => {
      const server = createServer((socket) => {
        hits += 1;
        socket.destroy();
      });
      server.once('error', () => resolve(undefined));
      server.listen(at, host, () => resolve(server));
    });
  // The port is reserved, so no process of another test ever connects to it.
  port = await freePort();
  sentinels = [await listen(INSIDE, port), await listen('::1', port)].filter((server) => server !== undefined);
}

const spellings = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['0', '0.0.0.0', '127.0.0.1.', '127。0。0。1', '１２７.0.0.1', '%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', 'localhost'],
  ...[
    'LOCALHOST',
    'localhost.',
    'ⓛocalhost',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
  ],
  ...['[::ffff:7f00:1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1%25lo]'],
];
const at = (host: string) => `https://${host}:${port}/hook`;

type Written = { status: number; body: { error?: { code: string } } };
type Write = (url: string) => Promise<Written>;

/** Every operation that stores an endpoint's URL, in each interface that has it. */
async function writers(): Promise<[name: string, write: Write][]> {
  const sessionToken = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'admin' });
  const { environmentId, workspaceId } = stack;
  const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Customer' });
  const sessions = `/applications/${application.body.id}/portal-sessions`;
  const portal = await client.call<{ token: string }>('POST', sessions, {});
  const doors = [
    [`/management/v1/workspaces/${workspaceId}`, stack.managementToken, { environmentId }],
    [`/api/workspaces/${workspaceId}`, sessionToken, { environmentId }],
    ['/api/portal', portal.body.token, {}],
  ] as const;
  const all = await Promise.all(
    doors.map(async ([base, token, own]): Promise<[string, Write][]> => {
      const send = async (method: string, path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const reply = await fetch(stack.api.url + base + path, { method, headers, body: JSON.stringify(body) });
        return { status: reply.status, body: (await reply.json()) as Written['body'] & { id: string } };
      };
      const present = await send('POST', '/endpoints', { ...own, url: outside() });
      if (present.status !== 201) throw new Error(`${base} made no endpoint: ${JSON.stringify(present.body)}`);
      return [
        [`POST ${base}/endpoints`, (url) => send('POST', '/endpoints', { ...own, url })],
        [`PATCH ${base}/endpoints/{id}`, (url) => send('PATCH', `/endpoints/${present.body.id}`, { url })],
      ];
    }),
  );
  return all.flat();
}

const outside = (path = 'hook') => `https://ok.receiver.test:${receiver.port}/${path}`;

let nth = 0;
/** Sends one event to a new endpoint with its own type, and returns the ended delivery. */
async function deliverTo(url: string, afterwards?: () => Promise<unknown>) {
  nth += 1;
  const eventType = `sentinel.n${nth}`;
  const { endpointId } = await client.subscribeEndpoint({ url, eventType });
  await afterwards?.();
  expect(await ingest(`event/${eventType}`, '{}')).toMatchObject({ status: 202 });
  const path = `/endpoints/${endpointId}/deliveries`;
  const ended = async () => {
    const { deliveries } = (await client.call<{ deliveries: { id: string; status: string }[] }>('GET', path)).body;
    return deliveries.find(({ status }) => ['delivered', 'failed', 'dead_letter'].includes(status));
  };
  const delivery = await waitFor(ended, { what: `the delivery to ${url} to end` });
  return (await client.call('GET', `/deliveries/${delivery.id}`)).body;
}

const blocked = { status: 'failed', failureReason: 'blocked_address' };
/** Changes the URL in the table, as if it had been stored under earlier rules. */
const setUrl = (url: string) => () =>
  stack.db.endpoint.updateMany({
    where: { subscriptions: { some: { eventType: { name: `sentinel.n${nth}` } } } },
    data: { url, version: { increment: 1 } },
  });

describe('while the environment names the sentinel as the proxy', () => {
  test('an allowed receiver is reached by its name', async () => {
    expect(await deliverTo(outside())).toMatchObject({ status: 'delivered' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('no route stores a forbidden address in any spelling, or a name with such an address', async () => {
    const forbidden = {
      'inside.test': [INSIDE],
      'mixed.test': [OUTSIDE, INSIDE],
      'six.test': ['::1'],
      'mapped.test': [OUTSIDE, '::ffff:127.0.0.1'],
      'any.test': ['0.0.0.0'],
    };
    for (const [name, addresses] of Object.entries(forbidden)) names.answers.set(name, addresses);
    const urls = [...spellings, ...Object.keys(forbidden), 'INSIDE.test', 'inside.test.'].map(at);
    for (const [name, write] of await writers()) {
      for (const url of urls) {
        const refused = await write(url);
        expect([name, url, refused.status, refused.body.error?.code]).toEqual([name, url, 400, 'validation_error']);
      }
    }
    const stored = await stack.db.endpoint.findMany({ select: { url: true } });
    expect(stored.filter(({ url }) => !url.startsWith('https://ok.receiver.test'))).toEqual([]);
  }, 60_000);

  test('a forbidden address that is already stored is not requested', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0', '[::1]', '[::ffff:7f00:1]', 'localhost', '2130706433']) {
      expect(await deliverTo(outside(), setUrl(at(host)))).toMatchObject(blocked);
    }
  }, 60_000);

  test.each<[string, string[]]>([
    ['to a forbidden address', [INSIDE]],
    ['to a mixed answer', [OUTSIDE, INSIDE]],
    ['to a mixed answer of both families', [OUTSIDE, '::1']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
  ])('a name whose address changes after the save, %s, is not requested', async (_name, after) => {
    nth += 1;
    const name = `rebinds-${nth}.receiver.test`;
    names.answers.set(name, [OUTSIDE]);
    const delivery = await deliverTo(at(name), async () => names.answers.set(name, after));
    expect(delivery).toMatchObject(blocked);
  });

  test('a name that resolves only after the save, to a forbidden address, is not requested', async () => {
    const delivery = await deliverTo(at('late.receiver.test'), async () =>
      names.answers.set('late.receiver.test', [INSIDE]),
    );
    expect(delivery).toMatchObject(blocked);
  });

  test('a name with a different address each time is requested only at the allowed address', async () => {
    const name = 'flaps.receiver.test';
    names.answers.set(name, [OUTSIDE]);
    nth += 1;
    const eventType = `sentinel.n${nth}`;
    // The URL has the sentinel's port. Nothing listens at that port of the outside address, so a connection is either
    // refused or counted.
    const { endpointId } = await client.subscribeEndpoint({ url: at(name), eventType });
    names.answers.set(name, (time) => [time % 2 === 0 ? OUTSIDE : INSIDE]);
    await Promise.all(Array.from({ length: 40 }, () => ingest(`event/${eventType}`, '{}')));
    const path = `/endpoints/${endpointId}/deliveries`;
    await waitFor(
      async () => {
        const { deliveries } = (await client.call<{ deliveries: { totalAttempts: number }[] }>('GET', path)).body;
        return deliveries.length > 0 && deliveries.every(({ totalAttempts }) => totalAttempts > 0);
      },
      { what: 'every delivery to be tried' },
    );
  });

  test.each([301, 302, 303, 307, 308, 300, 304, 200])(
    'an answer %d that points there is not followed',
    async (status) => {
      const inside = at('127.0.0.1');
      receiver.respondWith(() => ({
        status,
        headers: {
          location: status % 2 === 0 ? inside : inside.replace('https', 'http'),
          'content-location': inside,
          refresh: `0; url=${inside}`,
          link: `<${inside}>; rel="preload", <${inside}>; rel="preconnect"`,
          'alt-svc': `h2="${INSIDE}:${port}"; ma=86400; persist=1, h3=":${port}"`,
        },
      }));
      const ended = await deliverTo(outside(`answers-${status}`));
      expect(ended).toMatchObject({ status: status === 200 ? 'delivered' : 'dead_letter' });
      // The next delivery must not use the URL in the response either.
      receiver.respondWith(() => ({}));
      expect(await deliverTo(outside(`after-${status}`))).toMatchObject({ status: 'delivered' });
    },
  );

  // This must be the last test: it covers all tests before it.
  test('no connection was made to the sentinel', async () => {
    expect(hits).toBe(0);
    const knock = dial(port, INSIDE).on('error', () => undefined);
    await waitFor(() => hits === 1, { what: 'the sentinel to count a connection' });
    knock.destroy();
  });
});
