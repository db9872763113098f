import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { createCaller } from '../../test/caller.ts';

let api: ApiUnderTest;
let call: ReturnType<typeof createCaller>;
let key: string;

beforeAll(async () => {
  api = await startApi({ settings: { MCP_EVENTS: true } });
  call = createCaller(api.app, { base: api.base, token: api.managementToken });
  await call('put', `/environments/${api.environmentId}/agents`, { enabled: true });
  const schema = { type: 'object', properties: { note: { type: 'string' }, total: { type: 'number' } } };
  await call('post', '/event-types', { name: 'order.shipped', schema, publishIn: [api.environmentId] });
});
afterAll(() => api.stop());
// A new agent for each test: each may make a hundred calls at once.
beforeEach(async () => {
  key = (await call('post', '/agent-keys', { name: 'agent', environmentId: api.environmentId })).body.key;
});

const post = (body: string, headers: Record<string, string> = {}) =>
  request(api.app)
    .post(`/mcp/events/${api.environmentId}`)
    .set({ authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers })
    .send(body);

/** Nothing is subscribed: its secret is too short. */
const DELIVERY = { mode: 'webhook', url: 'https://agent.test/', secret: 'whsec_AAAA' };
const LONG = 'x'.repeat(100_000);
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const ODD: readonly unknown[] = [
  null,
  [],
  {},
  7,
  -1,
  1.5,
  true,
  '',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  LONG,
  { toString: null },
];

const message = (method: unknown, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const subscribe = (given: object) =>
  message('events/subscribe', { name: 'order.shipped', delivery: DELIVERY, ...given });

const HOSTILE: [string, string[]][] = [
  ['no message', ['', 'null', '[]', '[{}]', '7', '"x"', '{', '{}', '\0', `[${subscribe({})}]`, DEEP]],
  ['another version', ODD.map((jsonrpc) => JSON.stringify({ jsonrpc, id: 1, method: 'events/list' }))],
  ['an odd id', ODD.map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'events/list' }))],
  ['an odd method', ODD.map((method) => message(method, {}))],
  [
    'odd params',
    ODD.flatMap((params) => ['events/list', 'events/subscribe', 'events/unsubscribe'].map((m) => message(m, params))),
  ],
  [
    'deep params',
    [`{"jsonrpc":"2.0","id":1,"method":"events/subscribe","params":{"name":"a","arguments":{"a":${DEEP}}}}`],
  ],
  ['a deep part that nobody reads', [`{"jsonrpc":"2.0","id":1,"method":"events/list","params":{"x":${DEEP}}}`]],
  ['an odd cursor', ODD.map((cursor) => message('events/list', { cursor }))],
  ['an odd name', ODD.map((name) => subscribe({ name }))],
  ['odd arguments', ODD.map((given) => subscribe({ arguments: given }))],
  [
    'an odd argument',
    ODD.flatMap((note) => [subscribe({ arguments: { note } }), subscribe({ arguments: { total: { gt: note } } })]),
  ],
  [
    'an argument that nobody offers',
    ['__proto__', 'constructor', '', LONG].map((name) => subscribe({ arguments: Object.fromEntries([[name, 1]]) })),
  ],
  ['an odd delivery', ODD.map((delivery) => subscribe({ delivery }))],
  ['an odd mode', ODD.map((mode) => subscribe({ delivery: { ...DELIVERY, mode } }))],
  ['an odd secret', ODD.map((secret) => subscribe({ delivery: { ...DELIVERY, secret } }))],
  ['an odd time', [...ODD, 1e308, '60000'].map((ttlMs) => subscribe({ ttlMs }))],
  ['an odd position', ODD.map((cursor) => subscribe({ cursor }))],
  [
    'an odd client',
    ODD.flatMap((one) =>
      ['clientInfo', 'clientCapabilities', 'protocolVersion'].map((name) =>
        subscribe({ _meta: { [`io.modelcontextprotocol/${name}`]: one } }),
      ),
    ),
  ],
  [
    'odd arguments of a tool',
    ODD.flatMap((one) => [
      message('tools/call', { name: 'recent_events', arguments: { name: one } }),
      message('tools/call', { name: 'recent_events', arguments: { event_id: one } }),
      message('tools/call', { name: 'recent_events', arguments: { limit: one } }),
      message('tools/call', { name: one, arguments: one }),
    ]),
  ],
  [
    'an unsubscribe of odd things',
    ODD.flatMap((one) => [
      message('events/unsubscribe', { name: one, delivery: DELIVERY }),
      message('events/unsubscribe', { name: 'order.shipped', delivery: { url: one } }),
      message('events/unsubscribe', { name: 'order.shipped', arguments: { note: one }, delivery: DELIVERY }),
    ]),
  ],
];

test.each(HOSTILE)('%s is refused or answered, and never a fault of the service', async (_, bodies) => {
  const faults = () => api.logLines.filter((line) => line.includes('"level":"error"'));
  const before = faults().length;
  for (const body of bodies) {
    const answer = await post(body);
    const shown = body.slice(0, 200);
    expect([shown, answer.status]).not.toEqual([shown, 429]);
    expect([shown, answer.status < 500, answer.body.error?.code === -32_603]).toEqual([shown, true, false]);
  }
  expect(faults().slice(before)).toEqual([]);
});

test('an address that no callback may have is refused, and nothing is looked up or sent', async () => {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const urls = [
    ...['', 'x', '//agent.test/', 'http://agent.test/', 'ftp://agent.test/', 'javascript:alert(1)', 'https://'],
    ...['https://user@agent.test/', 'https://user:pass@agent.test/', 'https://agent.test/#part', 'https://[::1'],
    ...['https://%00/', 'https://agent.test\0/', `https://agent.test/${'x'.repeat(2_048)}`, 'https://0x0a000001/'],
    ...['https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/', 'https://agent.test:22/'],
  ];
  for (const url of urls) {
    const { body } = await post(subscribe({ delivery: { mode: 'webhook', url, secret } }));
    expect([url, body.error?.code, body.error?.data]).toEqual([url, -32_602, { field: 'delivery.url' }]);
  }
});

test('an event that does not exist is told first, whatever is wrong with the callback', async () => {
  for (const url of ['x', 'http://agent.test/', `https://agent.test/${'x'.repeat(2_048)}`]) {
    const { body } = await post(subscribe({ name: 'order.unknown', delivery: { ...DELIVERY, url } }));
    expect([url, body.error?.code, body.error?.data]).toEqual([url, -32_011, { kind: 'event' }]);
  }
});

test.each([
  ['a key that JavaScript reads in another way', '{"__proto__":{"note":"x"}}'],
  ['a number that would be stored as another one', '{"total":{"gt":1e999}}'],
])('%s is refused in arguments, which would otherwise be stored without it', async (_, given) => {
  const params = `{"name":"order.shipped","arguments":${given},"delivery":${JSON.stringify(DELIVERY)}}`;
  const { status, body } = await post(`{"jsonrpc":"2.0","id":1,"method":"events/subscribe","params":${params}}`);
  expect([status, body.error.code]).toEqual([400, 'validation_error']);
});
