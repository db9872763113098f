import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, createCaller } from '../../test/caller.ts';
import { seedPerson, seedPortal } from '../../test/people.ts';

// A mistake in a request is never an answer, and a question never an action: at every interface, and for every part of
// a request (docs/interface.md, Strict requests).

let api: ApiUnderTest;
let callers: Record<'management' | 'dashboard' | 'portal' | 'account' | 'ingest', Caller>;
let ids: { endpoint: string; eventType: string; staging: string };

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  const { workspaceId, environmentId } = api;
  const person = await seedPerson(api.db, { workspaceId, role: 'owner' });
  const portal = await seedPortal(api.db, { workspaceId, environmentId });
  const at = (base: string, token: string) => createCaller(api.app, { base, token });
  callers = {
    management: at(api.base, api.managementToken),
    dashboard: at(`/api/workspaces/${workspaceId}`, person.sessionToken),
    portal: at('/api/portal', portal.portalToken),
    account: at('/api', person.sessionToken),
    ingest: at('/api/ingest', api.apiKey),
  };
  const { management } = callers;
  const endpoint = await management('post', '/endpoints', { url: 'https://hooks.example.com' });
  const eventType = await management('post', '/event-types', { name: 'order.paid' });
  const staging = await management('post', '/environments', { name: 'Staging', slug: 'staging' });
  ids = { endpoint: endpoint.body.id, eventType: eventType.body.id, staging: staging.body.id };
}, 60_000);
afterAll(() => api.stop());

type Wrong = [
  at: keyof typeof callers,
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body: unknown,
  problems: [field: string, message: string][],
];

const URL_GIVEN = { url: 'https://hooks.example.com' };

const wrong: Wrong[] = [
  // Query strings.
  [
    'management',
    'get',
    '/deliveries?statuss=failed',
    undefined,
    [['query.statuss', 'Unknown query parameter "statuss"; did you mean "status"?']],
  ],
  [
    'management',
    'get',
    '/deliveries?endpointId=x',
    undefined,
    [['query.endpointId', 'Unknown query parameter "endpointId"; did you mean "endpoint_id"?']],
  ],
  [
    'management',
    'get',
    '/deliveries?limit=0&colour=red',
    undefined,
    [
      ['query.limit', 'limit must be a number from 1 to 100'],
      ['query.colour', 'Unknown query parameter "colour"'],
    ],
  ],
  ['management', 'get', '/deliveries?limit=1&limit=2', undefined, [['query.limit', 'limit must be given once']]],
  [
    'management',
    'get',
    '/deliveries?limits=1&limits=2',
    undefined,
    [['query.limits', 'Unknown query parameter "limits"; did you mean "limit"?']],
  ],
  ...(['management', 'account', 'ingest'] as const).map(
    (at): Wrong => [
      at,
      ...({
        management: ['get', '/endpoints?__proto__=1', undefined],
        account: ['get', '/auth/me?__proto__=1', undefined],
        ingest: ['post', '/event/order.paid?__proto__=1', {}],
      }[at] as ['get' | 'post', string, unknown]),
      [['query.__proto__', 'Unknown query parameter "__proto__"']],
    ],
  ),
  [
    'management',
    'get',
    '/deliveries?Limit=1',
    undefined,
    [['query.Limit', 'Unknown query parameter "Limit"; did you mean "limit"?']],
  ],
  [
    'management',
    'get',
    '/endpoints/{endpoint}?includes=stats',
    undefined,
    [['query.includes', 'Unknown query parameter "includes"; did you mean "include"?']],
  ],
  [
    'portal',
    'get',
    '/endpoints/{endpoint}?environmentId=x',
    undefined,
    [['query.environmentId', 'Unknown query parameter "environmentId"; did you mean "environment_id"?']],
  ],
  [
    'management',
    'delete',
    '/endpoints/{endpoint}?environment_id=x&environment_id=y',
    undefined,
    [['query.environment_id', 'environment_id must be given once']],
  ],
  ['management', 'get', '?verbose=1', undefined, [['query.verbose', 'Unknown query parameter "verbose"']]],
  [
    'management',
    'delete',
    '/endpoints/{endpoint}?dryRun=true',
    undefined,
    [['query.dryRun', 'Unknown query parameter "dryRun"']],
  ],
  [
    'management',
    'post',
    '/deliveries/retry?dryRun=true',
    { filter: { status: 'failed' } },
    [['query.dryRun', 'Unknown query parameter "dryRun": "dryRun" is a field of the body']],
  ],
  [
    'management',
    'patch',
    '/event-types/{eventType}?dry_run=true',
    { description: 'x' },
    [['query.dry_run', 'Unknown query parameter "dry_run"; did you mean "dryRun"?']],
  ],
  [
    'management',
    'patch',
    '/event-types/{eventType}?dryRun=1',
    { description: 'x' },
    [['query.dryRun', 'dryRun must be true or false']],
  ],
  [
    'dashboard',
    'get',
    '/events?environmentId=x',
    undefined,
    [['query.environmentId', 'Unknown query parameter "environmentId"; did you mean "environment_id"?']],
  ],
  [
    'portal',
    'get',
    '/endpoints?isActive=true',
    undefined,
    [['query.isActive', 'Unknown query parameter "isActive"; did you mean "is_active"?']],
  ],
  ['account', 'get', '/workspaces?lim=1', undefined, [['query.lim', 'Unknown query parameter "lim"']]],
  [
    'ingest',
    'post',
    '/event/order.paid?application_id=x',
    {},
    [['query.application_id', 'Unknown query parameter "application_id"']],
  ],
  ['ingest', 'post', '/{endpoint}?dryRun=true', {}, [['query.dryRun', 'Unknown query parameter "dryRun"']]],
  ['ingest', 'post', '/batch?x=1', { events: [] }, [['query.x', 'Unknown query parameter "x"']]],
  ...['/deliveries', '/events', '/audit-logs'].map(
    (path): Wrong => [
      ...(['management', 'get', `${path}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`, undefined] as const),
      [['query.from', 'from must not be after to']],
    ],
  ),
  [
    'management',
    'post',
    '/deliveries/retry?dry_run=true',
    { filter: { status: 'failed' } },
    [['query.dry_run', 'Unknown query parameter "dry_run": "dryRun" is a field of the body']],
  ],
  // Bodies.
  [
    'management',
    'patch',
    '/event-types/{eventType}',
    { dryRun: true, description: 'x' },
    [['dryRun', 'Unknown field "dryRun": "dryRun" is a query parameter']],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, timeoutSeconds: 5, headers: {}, config: { metadata: {} } },
    [
      ['timeoutSeconds', 'Unknown field "timeoutSeconds"; did you mean "config.timeoutSeconds"?'],
      ['headers', 'Unknown field "headers"; did you mean "config.headers"?'],
      ['config.metadata', 'Unknown field "config.metadata"; did you mean "metadata"?'],
    ],
  ],
  [
    'management',
    'post',
    '/deliveries/retry',
    { filter: { status: 'failed', dryRun: true } },
    [['filter.dryRun', 'Unknown field "filter.dryRun"; did you mean "dryRun"?']],
  ],
  [
    'management',
    'post',
    '/apply',
    { document: { version: 1, prune: true }, eventTypes: [] },
    [
      ['document.prune', 'Unknown field "document.prune"; did you mean "prune"?'],
      ['eventTypes', 'Unknown field "eventTypes"; did you mean "document.eventTypes"?'],
    ],
  ],
  [
    'management',
    'post',
    '/apply',
    { document: { version: 1 }, prune: true, part: true, keep: {} },
    [['keep', 'keep must not be given with part']],
  ],
  [
    'management',
    'post',
    '/deliveries/retry',
    { dryrun: true, filter: { status: 'failed' } },
    [['dryrun', 'Unknown field "dryrun"; did you mean "dryRun"?']],
  ],
  [
    'management',
    'post',
    '/deliveries/cancel',
    { dryRun: 'true', filter: { status: 'failed' } },
    [['dryRun', 'dryRun must be a boolean']],
  ],
  [
    'management',
    'post',
    '/deliveries/cancel',
    { filter: { statuss: 'failed' } },
    [
      ['filter', 'filter must have at least one key'],
      ['filter.statuss', 'Unknown field "filter.statuss"; did you mean "filter.statuses"?'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints/{endpoint}/recover',
    { mode: 'failed', since: '2026-01-01T00:00:00Z', 'dry-run': true },
    [['dry-run', 'Unknown field "dry-run"; did you mean "dryRun"?']],
  ],
  [
    'management',
    'post',
    '/environments/{staging}/promote/{environment}',
    { dryrun: true },
    [['dryrun', 'Unknown field "dryrun"; did you mean "dryRun"?']],
  ],
  [
    'management',
    'post',
    '/environments/{staging}/promote/{environment}',
    { endpoints: [{ endpointId: 'x', uri: 'y' }] },
    [['endpoints[0].uri', 'Unknown field "endpoints[0].uri"; did you mean "endpoints[0].url"?']],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, config: { timeoutMs: 1, retryShedule: [1] } },
    [
      ['config.timeoutMs', 'Unknown field "config.timeoutMs"'],
      ['config.retryShedule', 'Unknown field "config.retryShedule"; did you mean "config.retrySchedule"?'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, config: { rateLimit: { limit: 1, periodSeconds: 1, burst: 2 } } },
    [['config.rateLimit.burst', 'Unknown field "config.rateLimit.burst"']],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, config: { retrySchedule: [1, 2, 0] } },
    [['config.retrySchedule[2]', 'config.retrySchedule[2] must be 1 to 86,400']],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { description: 1, hasAuth: true },
    [
      ['description', 'description must be a string'],
      ['url', 'url is required'],
      ['hasAuth', 'Unknown field "hasAuth"'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, id: 'ep_1', health: 'healthy' },
    [
      ['id', 'Unknown field "id"'],
      ['health', 'Unknown field "health"'],
    ],
  ],
  [
    'management',
    'post',
    '/applications',
    { name: 'A', external_id: 'a' },
    [['external_id', 'Unknown field "external_id"; did you mean "externalId"?']],
  ],
  [
    'management',
    'post',
    '/applications',
    { Name: 'A' },
    [
      ['name', 'name is required'],
      ['Name', 'Unknown field "Name"; did you mean "name"?'],
    ],
  ],
  [
    'management',
    'post',
    '/event-types',
    { name: 'a.b', publishin: [] },
    [['publishin', 'Unknown field "publishin"; did you mean "publishIn"?']],
  ],
  [
    'management',
    'put',
    '/environments/{staging}/event-types/{eventType}/visibility',
    { published: true, schemamode: 'off' },
    [['schemamode', 'Unknown field "schemamode"; did you mean "schemaMode"?']],
  ],
  ['management', 'delete', '/endpoints/{endpoint}', { dryRun: true }, [['dryRun', 'Unknown field "dryRun"']]],
  ['management', 'post', '/endpoints/{endpoint}/doctor', { deep: true }, [['deep', 'Unknown field "deep"']]],
  [
    'management',
    'post',
    '/endpoints/{endpoint}/doctor',
    ['deep'],
    [['body', 'The body must be empty: this operation takes none']],
  ],
  ['management', 'get', '/endpoints', { limit: 1 }, [['limit', 'Unknown field "limit": "limit" is a query parameter']]],
  [
    'management',
    'post',
    '/endpoints',
    { url: 'http://hooks.example.com', description: 1, timeout: 1 },
    [
      ['url', 'Webhook URL must use HTTPS'],
      ['description', 'description must be a string'],
      ['timeout', 'Unknown field "timeout"'],
    ],
  ],
  [
    'portal',
    'patch',
    '/endpoints/{endpoint}',
    { url: 'example.com', uri: 'x' },
    [
      ['url', 'url must be a valid URL'],
      ['uri', 'Unknown field "uri"; did you mean "url"?'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { type: 'rabbitmq', config: { destination: { hots: 'broker.example.com' } } },
    [
      ['config.destination.host', 'config.destination.host is required'],
      ['config.destination.hots', 'Unknown field "config.destination.hots"; did you mean "config.destination.host"?'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints',
    {
      type: 'rabbitmq',
      config: { destination: { host: 'broker.example.com' } },
      credentials: { usernam: 'a', password: 'b' },
    },
    [
      [
        'credentials.usernam',
        'credentials.usernam is not a credential of a rabbitmq endpoint; did you mean "credentials.username"?',
      ],
    ],
  ],
  ['management', 'post', '/endpoints', { url: '' }, [['url', 'url is required']]],
  [
    'management',
    'post',
    '/endpoints',
    { url: `https://hooks.example.com/${'a'.repeat(2_048)}`, description: null },
    [
      ['url', 'url must be at most 2,048 characters'],
      ['description', 'description must be a string'],
    ],
  ],
  [
    'management',
    'post',
    '/endpoints',
    { ...URL_GIVEN, eventTypes: ['order.paid', { name: 'order.paid', filter: { a: { gte: true } } }] },
    [['eventTypes[1].filter.a.gte', 'eventTypes[1].filter.a.gte must be a number or a string']],
  ],
  [
    'management',
    'patch',
    '/endpoints/{endpoint}',
    { eventTypePatterns: ['*', { pattern: 'order.*', filter: { a: { gte: true } } }] },
    [['eventTypePatterns[1].filter.a.gte', 'eventTypePatterns[1].filter.a.gte must be a number or a string']],
  ],
  ['management', 'post', '/endpoints', '{"url":', [['body', 'The body must be well-formed JSON in UTF-8']]],
  [
    'dashboard',
    'post',
    '/members',
    { email: 'a@example.com', role: 'viewer', pasword: 'x' },
    [['pasword', 'Unknown field "pasword"; did you mean "password"?']],
  ],
  [
    'dashboard',
    'post',
    '/management-tokens',
    { name: 't', scope: ['read'] },
    [['scope', 'Unknown field "scope"; did you mean "scopes"?']],
  ],
  [
    'dashboard',
    'patch',
    '/management-tokens/x',
    { disabled: true },
    [['disabled', 'Unknown field "disabled"; did you mean "isDisabled"?']],
  ],
  [
    'portal',
    'post',
    '/endpoints',
    { ...URL_GIVEN, evnironmentId: 'x' },
    [['evnironmentId', 'Unknown field "evnironmentId"; did you mean "environmentId"?']],
  ],
  [
    'management',
    'post',
    '/applications/x/portal-sessions',
    { theme: { primarycolor: '#000000' } },
    [['theme.primarycolor', 'Unknown field "theme.primarycolor"; did you mean "theme.primaryColor"?']],
  ],
  [
    'account',
    'post',
    '/auth/login',
    { email: 'a@example.com', password: 'x', remember: true },
    [['remember', 'Unknown field "remember"']],
  ],
  [
    'account',
    'post',
    '/auth/set-password',
    { token: 'x', pass: 'y' },
    [
      ['password', 'password is required'],
      ['pass', 'Unknown field "pass"'],
    ],
  ],
  ['account', 'post', '/workspaces', { name: 'W', slug: 'w', plan: 'pro' }, [['plan', 'Unknown field "plan"']]],
  [
    'ingest',
    'post',
    '/batch',
    { events: [{ eventType: 'order.paid', data: 1 }], atomic: true },
    [['atomic', 'Unknown field "atomic"']],
  ],
  ['ingest', 'post', '/batch', { events: [] }, [['events', 'events must have 1 to 100 events']]],
  [
    'ingest',
    'post',
    '/event/posthorn.endpoint.failing',
    {},
    [['path.eventType', 'eventType must not begin with posthorn.: Posthorn itself raises operational events']],
  ],
  // Changes.
  ['management', 'patch', '/endpoints/{endpoint}', { type: 'playground' }, [['type', 'type cannot be changed']]],
  [
    'management',
    'patch',
    '/endpoints/{endpoint}',
    { environmentId: '{staging}', isactive: false },
    [
      ['environmentId', 'environmentId cannot be changed'],
      ['isactive', 'Unknown field "isactive"; did you mean "isActive"?'],
    ],
  ],
  [
    'management',
    'patch',
    '/endpoints/{endpoint}',
    { config: { timeoutMs: 1 } },
    [['config.timeoutMs', 'Unknown field "config.timeoutMs"']],
  ],
  ['management', 'patch', '/event-types/{eventType}', { name: 'order.payed' }, [['name', 'name cannot be changed']]],
  ['management', 'patch', '', { slug: 'other' }, [['slug', 'slug cannot be changed']]],
];

/** A problem, which may have the word of its rule. */
const problemOf = (field: unknown, message: unknown) => {
  const problem: unknown = expect.objectContaining({ field, message });
  return problem;
};

test.each([
  ['http://example.com/', 'https'],
  ['example.com/hook', 'url'],
  ['https://me:secret@example.com/', 'credentials'],
  ['https://example.com/#a', 'fragment'],
  ['https://example.com:22/', 'port'],
  ['https://10.0.0.1/', 'private_address'],
  ['https://a..b/', 'host'],
  [`https://example.com/${'a'.repeat(2_048)}`, 'length'],
  ['', 'required'],
  [7, 'type'],
  [undefined, 'required'],
])('the URL %j is refused with the word of its rule, which is %s', async (url, rule) => {
  const { body } = await callers.management('post', '/endpoints', { url });
  expect(body.error.details).toEqual([{ field: 'url', message: expect.any(String), rule }]);
});

describe('a wrong request is refused, and every problem of it is told', () => {
  test.each(wrong)('%s: %s %s %j', async (at, method, path, body, problems) => {
    const filled = (text: string) =>
      Object.entries({ ...ids, environment: api.environmentId }).reduce(
        (all, [name, id]) => all.replaceAll(`{${name}}`, id),
        text,
      );
    const given = typeof body === 'object' ? JSON.parse(filled(JSON.stringify(body))) : body;
    const { status, body: answer } = await callers[at](method, filled(path), given);
    expect([status, answer]).toEqual([
      400,
      {
        error: {
          code: 'validation_error',
          message: problems[0]?.[1],
          details: problems.map(([field, message]) => problemOf(field, message)),
        },
      },
    ]);
  });
});

test('a wrong event of a batch is refused with all its problems, and stops no other', async () => {
  const events = [
    { eventType: 'order.paid', data: 1, idempotency_key: 'k', orderingKey: '' },
    { eventType: 'order.paid', data: 2 },
  ];
  const { body } = await callers.ingest('post', '/batch', { events });
  const message = 'orderingKey must be 1 to 255 visible ASCII characters';
  expect(body.results).toEqual([
    {
      error: {
        code: 'validation_error',
        message,
        details: [
          problemOf('orderingKey', message),
          problemOf('idempotency_key', 'Unknown field "idempotency_key"; did you mean "idempotencyKey"?'),
        ],
      },
    },
    expect.objectContaining({ eventType: 'order.paid', duplicate: false }),
  ]);
});

test('a key that a batch or an event of it has twice is refused, and a payload may have one', async () => {
  const { ingest } = callers;
  const twice = (field: string) => {
    const message = `${field} must be given once`;
    return { error: { code: 'validation_error', message, details: [{ field, message }] } };
  };
  const whole = await ingest('post', '/batch', '{"events":[{"eventType":"order.paid","data":1}],"ev\\u0065nts":[{}]}');
  expect([whole.status, whole.body]).toEqual([400, twice('events')]);
  const event = (more: string) => `{"eventType":"order.paid",${more}}`;
  const events = [
    event('"data":1,"data":2'),
    event('"idempotencyKey":"a","data":1,"idempotencyK\\u0065y":"b"'),
    event('"data":{"a":1,"a":2}'),
  ];
  const { body } = await ingest('post', '/batch', `{"events":[${events}]}`);
  expect(body.results).toEqual([twice('data'), twice('idempotencyKey'), expect.objectContaining({ duplicate: false })]);
});

test('the faults of headers are told with all others', async () => {
  const { ingest, management } = callers;
  const wrong = { 'idempotency-key': 'k'.repeat(256), 'x-ordering-key': ' ', 'x-deliver-at': 'soon' };
  const replies = [
    await ingest('post', '/event/order.paid?x=1', {}).set(wrong).set('xdeliverat', 'now'),
    await ingest('post', '/batch?x=1', {}).set({ 'x-ordering-key': 'a', 'x-application-id': 'b' }),
    await management('post', '/applications', { title: 'A' })
      .set('idempotency-key', 'a b')
      .set('x-idempotencykey', 'a'),
  ];
  expect(replies.map(({ body }) => body.error.details.map(({ field }: { field: string }) => field))).toEqual([
    ['header.Idempotency-Key', 'header.X-Ordering-Key', 'header.X-Deliver-At', 'query.x'],
    ['header.X-Application-Id', 'header.X-Ordering-Key', 'query.x'],
    ['name', 'header.Idempotency-Key', 'title'],
  ]);
});

test('fetching and the tools for agents are as strict', async () => {
  const { management } = callers;
  const { id, pullKey } = (await management('post', '/endpoints', { type: 'pull' })).body;
  const pull = createCaller(api.app, { base: `/api/pull/${id}`, token: pullKey });
  const mcp = createCaller(api.app, { base: '/mcp', token: api.managementToken });
  const replies = [
    await pull('post', '/lease', 'null'),
    await pull('post', '/lease?__proto__=1', { max: 1 }),
    await pull('post', '/lease', '{"max":1,"max":2}'),
    await mcp('post', '?change=true', {}),
    await mcp('post', '?changes=yes', {}),
    await mcp('post', '?changes=true&changes=true', {}),
    await mcp('post', '', 'null'),
    await mcp('post', '', '[]'),
    await mcp('post', '', '5'),
  ];
  expect(replies.map(({ body }) => body.error?.details)).toEqual(
    [
      ['body', 'The body must be an object'],
      ['query.__proto__', 'Unknown query parameter "__proto__"'],
      ['max', 'max must be given once'],
      ['query.change', 'Unknown query parameter "change"; did you mean "changes"?'],
      ['query.changes', 'changes must be true or false'],
      ['query.changes', 'changes must be given once'],
      ...Array.from({ length: 3 }, () => [
        'body',
        'The body must be one message, a JSON object: batches are not taken',
      ]),
    ].map(([field, message]) => [problemOf(field, message)]),
  );
});

test('ext: and an externalId stand for an id at every interface', async () => {
  const { management } = callers;
  const body = { type: 'pull', externalId: 'fetched' };
  const { id, pullKey } = (await management('post', '/endpoints', body)).body;
  const lease = (name: string) =>
    createCaller(api.app, { base: '/api/pull', token: pullKey })('post', `/${name}/lease`, {});
  expect([(await lease('ext:fetched')).status, (await lease('ext:other')).status]).toEqual([200, 404]);
  const code = 'const transform = ({ endpoint }) => ({ data: endpoint.id });';
  const tried = (endpointId: string) =>
    management('post', '/transformations/test', { language: 'javascript', code, endpointId });
  expect((await tried('ext:fetched')).body).toMatchObject({ result: 'sent', body: JSON.stringify(id) });
  expect((await tried('ext:unknown')).status).toBe(404);
  const application = (await management('post', '/applications', { name: 'A', externalId: 'seen' })).body.id;
  const path = `/environments/${ids.staging}/event-types/${ids.eventType}/visibility`;
  const shown = (applications: unknown) => management('put', path, { published: false, applications });
  expect((await shown(['ext:seen', application])).body.applications).toEqual([application]);
  const nameless = (await management('post', '/applications', { name: 'A' })).body.id;
  expect([(await shown(['ext:null', nameless])).status, (await shown(['app_1'])).status]).toEqual([404, 404]);
  expect((await shown([])).body.applications).toEqual([]);
  expect((await shown(null)).body.applications).toBeNull();
});

test('the environment of a name that several have is asked for where the request names it', async () => {
  const { management } = callers;
  await management('post', '/endpoints', { ...URL_GIVEN, externalId: 'twin' });
  await management('post', '/endpoints', { ...URL_GIVEN, externalId: 'twin', environmentId: ids.staging });
  const replies = [
    await management('get', '/endpoints/ext:twin'),
    await management('get', '/operations?endpoint_id=ext:twin'),
    await management('post', '/deliveries/retry', { filter: { endpointId: 'ext:twin' }, dryRun: true }),
  ];
  const rule = 'is required: several environments have an endpoint named ext:twin';
  expect(replies.map(({ body }) => body.error.details)).toEqual([
    [{ field: 'query.environment_id', message: `environment_id ${rule}` }],
    [{ field: 'query.environment_id', message: `environment_id ${rule}` }],
    [{ field: 'filter.environmentId', message: `filter.environmentId ${rule}` }],
  ]);
  const filter = { endpointId: 'ext:twin', environmentId: ids.staging };
  const { id } = (await management('post', '/deliveries/retry', { filter })).body;
  const listed = async (query: string) =>
    (await management('get', `/operations?${query}`)).body.operations.map((one: { id: string }) => one.id);
  expect(await listed(`endpoint_id=ext:twin&environment_id=${ids.staging}`)).toEqual([id]);
  expect(await listed(`environment_id=${ids.staging}`)).toEqual([id]);
  expect(await listed(`environment_id=${api.environmentId}`)).not.toContain(id);
});

test('a wrong header is told by its name, and a wrong time of an event in a batch by its field', async () => {
  const { ingest, management } = callers;
  const far = new Date(Date.now() + 25 * 3_600_000).toISOString();
  const problem = (field: string, message: string) => ({
    code: 'validation_error',
    message,
    details: [{ field, message }],
  });
  const single = await ingest('post', '/event/order.paid', {}).set('x-deliver-at', far);
  expect(single.body.error).toEqual(problem('header.X-Deliver-At', 'X-Deliver-At must be at most 24 hours ahead'));
  const batch = await ingest('post', '/batch', { events: [{ eventType: 'order.paid', deliverAt: far, data: 0 }] });
  expect(batch.body.results[0].error).toEqual(problem('deliverAt', 'deliverAt must be at most 24 hours ahead'));
  const keyed = await management('post', '/applications', { name: 'A' }).set('idempotency-key', 'k'.repeat(256));
  expect(keyed.body.error).toEqual(
    problem('header.Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible ASCII characters'),
  );
});

test('a bulk and a recovery take one name for each thing, the former one or the present one', async () => {
  const { management } = callers;
  const filters = [
    { endpointId: ids.endpoint, statuses: ['failed', 'dead_letter'], eventTypes: ['order.paid'] },
    { endpoint_id: ids.endpoint, status: 'failed', event_type: 'order.paid' },
    { environmentId: api.environmentId },
  ];
  for (const filter of filters) {
    const { status, body } = await management('post', '/deliveries/retry', { filter, dryRun: true });
    expect([status, body.matched]).toEqual([200, 0]);
  }
  const both = { filter: { endpointId: 'x', endpoint_id: 'x' }, dryRun: true };
  expect((await management('post', '/deliveries/retry', both)).body.error.message).toBe(
    'filter.endpoint_id must not be given with endpointId',
  );
  const recover = async (span: object) =>
    (await management('post', `/endpoints/${ids.endpoint}/recover`, { mode: 'failed', dryRun: true, ...span })).body;
  const [from, to] = ['2026-01-01T00:00:00Z', new Date().toISOString()];
  expect((await recover({ from, to })).matched).toBe(0);
  expect((await recover({ since: from, until: to })).matched).toBe(0);
  expect((await recover({ from, since: from })).error.message).toBe('from must not be given with since');
  expect((await recover({ to })).error.message).toBe('since is required');
});

describe('what was read can be changed and sent back', () => {
  test('an endpoint, a workspace, an environment, an event type and an application', async () => {
    const { management, dashboard } = callers;
    const application = (await management('post', '/applications', { name: 'A', externalId: 'a' })).body;
    const paths = [
      `/endpoints/${ids.endpoint}`,
      `/environments/${ids.staging}`,
      `/environments/${api.environmentId}`,
      `/event-types/${ids.eventType}`,
      `/applications/${application.id}`,
    ];
    for (const path of paths) {
      const read = (await management('get', path)).body;
      const sent = await management('patch', path, read);
      expect([path, sent.status, sent.body]).toEqual([path, 200, expect.objectContaining({ id: read.id })]);
      expect((await management('get', path)).body).toEqual(read);
    }
    const { body: workspace } = await dashboard('get');
    expect((await dashboard('patch', '', { ...workspace, name: 'Renamed' })).body).toMatchObject({
      slug: workspace.slug,
      name: 'Renamed',
    });
  });

  test('a member, a management token, a subscription and a visibility entry', async () => {
    const { management, dashboard } = callers;
    await management('post', `/endpoints/${ids.endpoint}/subscriptions`, { eventTypeIds: [ids.eventType] });
    const [subscription] = (await management('get', `/endpoints/${ids.endpoint}/subscriptions`)).body;
    const [member] = (await dashboard('get', '/members')).body;
    const { token: _, ...token } = (await dashboard('post', '/management-tokens', { name: 't' })).body;
    const [entry] = (await management('get', `/environments/${ids.staging}/event-types`)).body;
    const visibility = `/environments/${ids.staging}/event-types/${ids.eventType}/visibility`;
    const sent = [
      await management('patch', `/endpoints/${ids.endpoint}/subscriptions/${ids.eventType}`, subscription),
      await dashboard('patch', `/members/${member.userId}`, member),
      await dashboard('patch', `/management-tokens/${token.id}`, token),
      await management('put', visibility, entry),
    ];
    expect(sent.map(({ body }) => body)).toEqual([subscription, member, token, entry]);
  });

  test('an alert rule, and a subscription that a pattern made: they stay as they were', async () => {
    const { management } = callers;
    const rule = { name: 'R', channel: 'slack', target: 'https://hooks.slack.com/services/T0/B0/secret' };
    const made = await management('post', '/alert-rules', { ...rule, events: ['posthorn.endpoint.disabled'] });
    const { id } = (await management('post', '/endpoints', { ...URL_GIVEN, eventTypes: ['order.*'] })).body;
    const [subscription] = (await management('get', `/endpoints/${id}/subscriptions`)).body;
    const path = `/endpoints/${id}/subscriptions/${subscription.eventTypeId}`;
    const sent = [
      await management('patch', `/alert-rules/${made.body.id}`, made.body),
      await management('patch', path, subscription),
    ];
    expect(sent.map(({ body }) => body)).toEqual([made.body, subscription]);
    expect(subscription.pattern).toBe('order.*');
    expect((await management('patch', path, { filter: { a: 1 } })).body).toMatchObject({ pattern: null });
  });

  test('what only the answer to a creation has, or an item of a list', async () => {
    const { management, dashboard } = callers;
    const endpoint = (await management('post', '/endpoints', { type: 'pull' })).body;
    const token = (await dashboard('post', '/management-tokens', { name: 't' })).body;
    const member = (await dashboard('post', '/members', { email: 'new@example.com', role: 'viewer' })).body;
    const [entry] = (await management('get', `/environments/${ids.staging}/event-types?include=endpoints`)).body;
    const sent = [
      await management('patch', `/endpoints/${endpoint.id}`, { ...endpoint, isActive: false }),
      await dashboard('patch', `/management-tokens/${token.id}`, { ...token, isDisabled: true }),
      await dashboard('patch', `/members/${member.userId}`, { ...member, role: 'member' }),
      await management('put', `/environments/${ids.staging}/event-types/${entry.eventTypeId}/visibility`, entry),
    ];
    expect(sent.map(({ body }) => body.error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(sent[0]?.body).toMatchObject({ id: endpoint.id, isActive: false });
    const page = await management('patch', `/environments/${ids.staging}`, { nextCursor: null, subscribed: 1 });
    expect(page.body.error.details).toHaveLength(2);
    const application = (await management('post', '/applications', { name: 'A' })).body;
    const list = await management('patch', `/applications/${application.id}`, { applications: [] });
    expect(list.body.error.message).toBe('Unknown field "applications"');
  });

  test('a stored config keeps the unknown keys that come back unchanged', async () => {
    const { management } = callers;
    const made = (await management('post', '/endpoints', URL_GIVEN)).body;
    const config = { oldKey: { a: [1] }, timeoutSeconds: 3 };
    await api.db.endpoint.updateMany({ where: { url: made.url }, data: { config } });
    const path = `/endpoints/${made.id}`;
    const kept = await management('patch', path, { config: { ...config, timeoutSeconds: 5 } });
    expect([kept.status, kept.body.config]).toEqual([200, { oldKey: { a: [1] }, timeoutSeconds: 5 }]);
    const changed = await management('patch', path, { config: { oldKey: { a: [2] } } });
    expect(changed.body.error.message).toBe('Unknown field "config.oldKey"');
  });
});

test('metadata, payloads, schemas and examples are the caller’s own', async () => {
  const { management, ingest } = callers;
  const own = { anything: { dryrun: [1] } };
  const type = { name: 'own.type', schema: { type: 'object', 'x-own': own }, example: own };
  const replies = [
    await management('post', '/event-types', type),
    await management('post', '/applications', { name: 'B', metadata: { colour: 'red' } }),
    await management('post', '/event-types/{id}/precheck'.replace('{id}', ids.eventType), { payload: own }),
    await ingest('post', '/event/order.paid', own),
  ];
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 200, 202]);
});

test('an empty body counts as a body without fields, and a hostile body gets at most 20 problems', async () => {
  const { management } = callers;
  const path = `/endpoints/${ids.endpoint}/subscriptions`;
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 0]));
  const { body } = await management('post', path, { eventTypeIds: [ids.eventType], ...many });
  expect(body.error.details).toHaveLength(20);
  const long = await management('post', path, { eventTypeIds: [ids.eventType], ['k'.repeat(200_000)]: 0 });
  expect(long.body.error.message).toBe(`Unknown field "${'k'.repeat(100)}…"`);
  await management('put', `/environments/${api.environmentId}/event-types/${ids.eventType}/visibility`, {
    published: true,
  });
  const event = (await callers.ingest('post', '/event/order.paid', {}).set('x-deliver-at', soon())).body;
  expect((await management('post', `/events/${event.id}/cancel`, {})).status).toBe(200);
});

test('a credential that is refused is told what is wrong with it', async () => {
  const { managementToken, apiKey, app, base } = api;
  const at = (path: string, authorization?: string) => {
    const call = path === base ? request(app).get(path) : request(app).post(path);
    return authorization === undefined ? call : call.set('authorization', authorization);
  };
  const ingest = '/api/ingest/event/order.paid';
  const told = [
    [at(base), 'send "Authorization: Bearer" and a management token (phm_…)'],
    [at(base, managementToken), 'it must be "Bearer", a space and a management token (phm_…)'],
    [
      at(base, `Bearer ${apiKey}`),
      'this is an API key (phk_…), and the management interface takes a management token (phm_…)',
    ],
    [at(base, 'Bearer secret'), 'a management token begins with phm_'],
    [at(base, `Bearer ${managementToken}x`), 'a management token that is incomplete or mistyped'],
    [
      at(ingest, `Bearer ${managementToken}`),
      'this is a management token (phm_…), and ingestion takes an API key (phk_…)',
    ],
  ] as const;
  for (const [call, hint] of told) {
    const { status, body } = await call;
    const message = `Missing or invalid authorization header: ${hint}`;
    expect([status, body]).toEqual([401, { error: { code: 'unauthorized', message } }]);
  }
});

test('what ingestion does not find is named, with ext: where it is an externalId', async () => {
  const { ingest, management } = callers;
  await management('post', '/applications', { name: 'C', externalId: 'known' });
  const messageOf = async (path: string, application?: string) => {
    const call = ingest('post', path, {});
    const { body } = await (application === undefined ? call : call.set('x-application-id', application));
    return body.error.message;
  };
  expect(await messageOf('/event/order.plced')).toBe('Event type not found: order.plced');
  expect(await messageOf('/event/order.paid', 'known')).toBe('Application not found: known; did you mean "ext:known"?');
  expect(await messageOf('/event/order.paid', 'unknown')).toBe('Application not found: unknown');
});

test('a time may have lower-case letters, and the slip of a plus in a URL is told', async () => {
  const { management, ingest } = callers;
  const list = async (from: string) => management('get', `/events?from=${from}`);
  expect((await list('2026-11-20t10:00:00z')).status).toBe(200);
  expect((await list('2026-11-20T10:00:00%2B00:00')).status).toBe(200);
  expect((await list('2026-11-20T10:00:00+00:00')).body.error.message).toMatch(/^from has a space .* write %2B/);
  expect((await list('2026-11-20 10:00')).body.error.message).toBe('from must be an ISO 8601 date-time with an offset');
  const past = await ingest('post', '/event/order.paid', {}).set('x-deliver-at', '1969-07-20t20:17:40z');
  expect(past.status).toBe(202);
  expect((await management('get', `/events/${past.body.id}`)).body.status).not.toBe('scheduled');
});

test('a name is seen, and is stored and found in NFC', async () => {
  const { management } = callers;
  for (const name of [' ', '\u200b\u00a0', '\u2800']) {
    const { body } = await management('post', '/applications', { name });
    expect(body.error.message).toBe('name must have a visible character');
  }
  const made = await management('post', '/applications', { name: 'Zu\u0308rich' });
  expect(made.body.name).toBe('Z\u00fcrich');
  const found = await management('get', `/applications?search=${encodeURIComponent('zu\u0308ri')}`);
  expect(found.body.applications).toEqual([made.body]);
});

test('an email address is the same with its domain in letters and in ASCII', async () => {
  const { dashboard } = callers;
  const added = await dashboard('post', '/members', { email: 'Ann@Bücher.example', role: 'viewer' });
  expect([added.status, added.body.email]).toEqual([201, 'ann@xn--bcher-kva.example']);
  const again = await dashboard('post', '/members', { email: 'ann@xn--bcher-kva.example', role: 'viewer' });
  expect(again.body.error.code).toBe('member_exists');
});

test.each([
  ['ingest', '/event/order.paid', 'X-Aplication-Id', 'X-Application-Id'],
  ['ingest', '/event/order.paid', 'X-Idempotency-Key', 'Idempotency-Key'],
  ['ingest', '/batch', 'Deliver-At', 'X-Deliver-At'],
  ['management', '/event-types', 'X-Idempotency-Key', 'Idempotency-Key'],
] as const)('at %s%s the header %s is refused: it is nearly %s', async (at, path, given, meant) => {
  const { body } = await callers[at]('post', path, { name: 'near.header' }).set(given, 'ext:a');
  const message = `Unknown header "${given.toLowerCase()}"; did you mean "${meant}"?`;
  expect(body.error?.details).toEqual([{ field: `header.${given.toLowerCase()}`, message }]);
});

test('a header that only resembles one is for others', async () => {
  const reply = callers.ingest('post', '/event/order.paid', {}).set('X-Application', 'a').set('X-Correlation-Id', 'b');
  expect((await reply).status).toBe(202);
});

test.each([
  ['management', '/event-types'],
  ['ingest', '/batch'],
] as const)('at %s%s a body in another charset than UTF-8 is refused', async (at, path) => {
  const post = (type: string) => callers[at]('post', path, {}).set('Content-Type', type);
  expect((await post('application/json; charset=latin1')).body.error).toEqual({
    ...{ code: 'unsupported_media_type', message: 'The body must be sent in UTF-8: leave the charset out' },
  });
  expect((await post('application/json; charset="UTF-8"')).body.error.code).toBe('validation_error');
});

test('only a validation_error has details', async () => {
  const { body } = await request(api.app).get(`${api.base}/endpoints`);
  expect(Object.keys(body.error)).toEqual(['code', 'message']);
});

function soon(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}
