import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { whileLocked } from '@posthorn/testkit/row-lock';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

let workspace: SeededWorkspace;
let call: Caller;
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = callerOf(workspace);
});

function callerOf({ workspaceId, managementToken }: SeededWorkspace): Caller {
  return managementCaller(api.app, { workspaceId, managementToken });
}

const apply = (document: object, options: object = {}) =>
  call('post', '/apply', { document: { version: 1, ...document }, ...options });

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

/** A document with something of everything. */
const whole = () => ({
  environments: [
    { slug: 'production', name: 'Live' },
    { slug: 'staging', name: 'Staging' },
  ],
  eventTypes: [
    {
      name: 'order.placed',
      description: 'An order was placed',
      schema: { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } },
      example: { total: 4_200 },
      publishIn: ['production', 'staging'],
      schemaMode: { production: 'warn' },
    },
    { name: 'order.shipped', publishIn: ['production'] },
  ],
  applications: [{ externalId: 'acme', name: 'Acme', metadata: { tier: 'gold' } }],
  endpoints: [
    {
      externalId: 'warehouse',
      environment: 'production',
      url: 'https://127.0.0.1/warehouse',
      description: 'The warehouse',
      config: { timeoutSeconds: 20, headers: { 'x-team': 'logistics' } },
      metadata: { team: 'logistics' },
      eventTypes: [{ name: 'order.placed', filter: { total: { gt: 100 } } }, 'order.shipped', 'stock.*'],
      secret: SECRET,
      secretHeaders: { 'x-key': 'secret-key-1' },
    },
    {
      ...{ externalId: 'acme-hook', environment: 'staging', application: 'acme', url: 'https://127.0.0.1/acme' },
      ...{ isActive: false, eventTypes: ['order.placed'] },
    },
  ],
  portalOrigins: ['https://app.example.com'],
  portalTerms: { event: 'Event' },
});

/** How many audit entries the workspace has. */
const entries = () => api.db.auditEntry.count({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) } });

const endpointNamed = async (externalId: string) => (await call('get', `/endpoints?external_id=${externalId}`)).body[0];

describe('a document', () => {
  test('makes all that it names, and changes nothing when it is applied again', async () => {
    const first = await apply(whole());
    expect([codeOf(first), first.body.counts, first.body.applied]).toEqual([
      200,
      { create: 6, update: 2, remove: 0, none: 0 },
      true,
    ]);
    const made = await entries();

    const again = await apply(whole(), { prune: true });

    expect([again.body.counts, again.body.changes.flatMap(({ fields }: { fields: object[] }) => fields)]).toEqual([
      { create: 0, update: 0, remove: 0, none: 8 },
      [],
    ]);
    expect(await entries()).toBe(made);
    const endpoint = await endpointNamed('warehouse');
    expect(endpoint).toMatchObject({
      ...{ url: 'https://127.0.0.1/warehouse', description: 'The warehouse', isActive: true, secret: SECRET },
      config: { timeoutSeconds: 20, headers: { 'x-team': 'logistics' } },
      ...{ secretHeaderNames: ['x-key'], metadata: { team: 'logistics' } },
      eventTypePatterns: [{ pattern: 'stock.*', filter: null }],
    });
    const subscriptions = (await call('get', `/endpoints/${endpoint.id}/subscriptions`)).body;
    expect(subscriptions.map((one: { eventType: string; filter: unknown }) => [one.eventType, one.filter])).toEqual([
      ['order.placed', { total: { gt: 100 } }],
      ['order.shipped', null],
    ]);
    expect((await call('get', '/environments')).body.map(({ name }: { name: string }) => name)).toEqual([
      'Live',
      'Staging',
    ]);
    const visible = (await call('get', `/environments/${workspace.environmentId}/event-types`)).body;
    expect(visible).toMatchObject([
      { eventType: 'order.placed', published: true, schemaMode: 'warn' },
      { eventType: 'order.shipped', published: true, schemaMode: 'off' },
    ]);
    expect((await call('get', '')).body).toMatchObject({
      portalOrigins: ['https://app.example.com'],
      portalTerms: { event: 'Event' },
    });
    const customer = await endpointNamed('acme-hook');
    expect([customer.isActive, customer.applicationId]).toEqual([
      false,
      (await call('get', '/applications/ext:acme')).body.id,
    ]);
  });

  test('changes what differs, and each change has its entry in the audit log', async () => {
    await apply(whole());
    const document = whole();
    Object.assign(document.endpoints[0] as object, {
      config: { timeoutSeconds: 10 },
      secret: OTHER_SECRET,
      secretHeaders: { 'x-key': 'secret-key-2' },
      eventTypes: [{ name: 'order.placed', filter: { total: { gt: 500 } } }, 'order.shipped', 'stock.*'],
    });
    const before = await entries();

    const { body } = await apply(document);

    expect(body.counts).toEqual({ create: 0, update: 1, remove: 0, none: 7 });
    expect(body.changes.find(({ action }: { action: string }) => action === 'update')).toEqual({
      ...{ action: 'update', kind: 'endpoint', key: 'warehouse', environment: 'production' },
      fields: [
        { field: 'config.headers', from: { 'x-team': 'logistics' }, to: null },
        { field: 'config.timeoutSeconds', from: 20, to: 10 },
        {
          field: 'eventTypes.order.placed',
          from: { filter: { total: { gt: 100 } } },
          to: { filter: { total: { gt: 500 } } },
        },
        { field: 'secret', from: '[redacted]', to: '[redacted]' },
        { field: 'secretHeaders.x-key', from: '[redacted]', to: '[redacted]' },
      ],
    });
    const written = await api.db.auditEntry.findMany({
      where: { workspaceId: uuidOf('ws', workspace.workspaceId) },
      orderBy: { sequence: 'asc' },
      skip: before,
    });
    expect(written.map(({ action }) => action)).toEqual([
      'endpoint.secret_rotated',
      'subscription.updated',
      'endpoint.updated',
    ]);
    expect(JSON.stringify([body, written.map(({ metadata }) => metadata)])).not.toMatch(/secret-key|whsec_/);
    expect((await endpointNamed('warehouse')).secret).toBe(OTHER_SECRET);
    expect((await apply(document)).body.counts.none).toBe(8);
  });

  test('leaves alone what it does not name; with prune it removes what its lists do not name', async () => {
    await apply(whole());
    const { applications: _, ...document } = whole();
    document.eventTypes = [{ name: 'order.placed', publishIn: ['production'] } as never];
    document.endpoints = [
      { externalId: 'warehouse', environment: 'production', eventTypes: ['order.placed'] } as never,
    ];
    document.portalOrigins = [];
    expect((await apply({ version: 1 }, { prune: true })).body.counts).toEqual({
      create: 0,
      update: 0,
      remove: 0,
      none: 0,
    });
    const kept = (await apply(document)).body;
    expect([kept.counts.remove, kept.changes.filter(({ action }: { action: string }) => action === 'update')]).toEqual([
      0,
      [expect.objectContaining({ key: 'warehouse', fields: [expect.objectContaining({ to: { filter: null } })] })],
    ]);

    const { body } = await apply(document, { prune: true });

    const removed = body.changes.filter(({ action }: { action: string }) => action === 'remove');
    expect(removed.map(({ kind, key }: { kind: string; key: string }) => [kind, key])).toEqual([
      ['endpoint', 'acme-hook'],
      ['eventType', 'order.shipped'],
    ]);
    const updated = body.changes.flatMap(({ fields, action }: { fields: { field: string }[]; action: string }) =>
      action === 'update' ? fields.map(({ field }) => field) : [],
    );
    expect(updated).toEqual(['publishIn.staging', 'eventTypes.order.shipped', 'eventTypes.stock.*', 'portalOrigins']);
    expect((await call('get', '/applications/ext:acme')).status).toBe(200);
    expect((await apply(document, { prune: true })).body.counts).toMatchObject({ create: 0, update: 0, remove: 0 });
  });

  test('in parts, prune removes what neither the part nor keep names', async () => {
    await apply(whole());
    await apply({ endpoints: [{ externalId: 'warehouse', environment: 'staging', url: 'https://127.0.0.1/staging' }] });
    const kept = {
      applications: ['acme'],
      endpoints: { production: ['warehouse'], nowhere: ['warehouse'] },
      eventTypes: ['order.placed'],
    };
    const part = { endpoints: [{ externalId: 'warehouse', environment: 'production', eventTypes: ['order.placed'] }] };

    const within = await apply(part, { prune: true, part: true });
    expect(within.body.counts).toEqual({ create: 0, update: 1, remove: 0, none: 0 });
    const { body } = await apply({ applications: [], endpoints: [], eventTypes: [] }, { prune: true, keep: kept });

    const removed = body.changes.map(({ action, kind, key, environment }: Record<string, string>) => {
      return [action, kind, key, environment];
    });
    expect(removed).toEqual([
      ['remove', 'endpoint', 'acme-hook', 'staging'],
      ['remove', 'endpoint', 'warehouse', 'staging'],
      ['remove', 'eventType', 'order.shipped', null],
    ]);
    for (const options of [{ part: true }, { keep: kept }]) {
      expect(codeOf(await apply(part, options))).toBe('validation_error');
    }
  });

  test('HTTP Basic credentials are compared, changed and removed like other secrets', async () => {
    const withAuth = (auth: object) =>
      apply({
        endpoints: [{ externalId: 'basic', environment: 'production', url: 'https://127.0.0.1/basic', ...auth }],
      });
    const fieldsAfter = async (auth: object) => {
      const { body } = await withAuth(auth);
      return body.changes[0].fields.filter(({ field }: { field: string }) => field.startsWith('auth'));
    };
    const changedTo = (from: unknown, to: unknown, field: string) => ({ field, from, to });
    const [redacted, name] = ['[redacted]', 'authUsername'];

    expect(await fieldsAfter({ authUsername: 'ann', authPassword: 'pass-one' })).toEqual([
      changedTo(null, 'ann', name),
      changedTo(null, redacted, 'authPassword'),
    ]);
    expect(await fieldsAfter({ authUsername: 'ann', authPassword: 'pass-one' })).toEqual([]);
    expect(await fieldsAfter({ authUsername: 'bob' })).toEqual([changedTo('ann', 'bob', name)]);
    expect(await fieldsAfter({ authPassword: 'pass-two' })).toEqual([changedTo(redacted, redacted, 'authPassword')]);
    expect((await endpointNamed('basic')).authUsername).toBe('bob');
    expect(await fieldsAfter({ authUsername: null })).toEqual([
      changedTo('bob', null, name),
      changedTo(redacted, null, 'authPassword'),
    ]);
    expect((await endpointNamed('basic')).hasAuth).toBe(false);
    expect((await withAuth({ authUsername: 'ann' })).body.error.details).toMatchObject([
      { field: 'document.endpoints[0].authPassword' },
    ]);
  });

  test('gives a type its own filter where a pattern has subscribed to it before', async () => {
    const subscribing = (eventTypes: unknown[]) => ({
      eventTypes: [{ name: 'order.placed' }],
      endpoints: [{ externalId: 'own', environment: 'production', url: 'https://127.0.0.1/own', eventTypes }],
    });
    await apply(subscribing(['order.*']));
    const own = subscribing(['order.*', { name: 'order.placed', filter: { total: { gt: 100 } } }]);

    await apply(own);

    const { id } = await endpointNamed('own');
    expect((await call('get', `/endpoints/${id}/subscriptions`)).body).toMatchObject([
      { eventType: 'order.placed', filter: { total: { gt: 100 } }, pattern: null },
    ]);
    expect((await apply(own)).body.counts).toMatchObject({ update: 0, none: 2 });
  });

  test('never removes what customers made, nor the default environment', async () => {
    await apply(whole());
    const made = await call('post', '/applications/ext:acme/endpoints', { url: 'https://127.0.0.1/own' });
    await call('post', '/applications', { name: 'Without a name of yours' });

    const reply = await apply({ applications: whole().applications, endpoints: [] }, { prune: true });

    expect(reply.body.counts).toEqual({ create: 0, update: 0, remove: 2, none: 1 });
    expect((await call('get', `/endpoints/${made.body.id}`)).status).toBe(200);
    expect((await call('get', '/applications')).body.applications).toHaveLength(2);
    expect(codeOf(await apply({ environments: [{ slug: 'new', name: 'New' }] }, { prune: true }))).toBe(
      'default_environment',
    );
  });

  test('names an endpoint without an externalId by its id, also in another workspace', async () => {
    const { body: endpoint } = await call('post', '/endpoints', { url: 'https://127.0.0.1/plain' });
    const document = {
      endpoints: [
        { externalId: endpoint.id, environment: 'production', url: 'https://127.0.0.1/plain', description: 'A' },
      ],
    };

    expect((await apply(document)).body.counts).toEqual({ create: 0, update: 1, remove: 0, none: 0 });

    expect((await call('get', `/endpoints/${endpoint.id}`)).body).toMatchObject({ description: 'A', externalId: null });
    call = callerOf(await api.seedAnother());
    expect((await apply(document)).body.counts).toMatchObject({ create: 1 });
    expect((await apply(document, { prune: true })).body.counts).toMatchObject({ none: 1, remove: 0 });
  });
});

describe('a dry run', () => {
  test('answers the same changes, keeps nothing, and needs no more than the right to read', async () => {
    const planned = await apply(whole(), { dryRun: true });

    expect([await entries(), (await call('get', '/event-types')).body, planned.body.applied]).toEqual([0, [], false]);
    const reader = await api.seedAnother({ scopes: ['read'] });
    call = callerOf(reader);
    expect((await apply(whole(), { dryRun: true })).body).toEqual(
      JSON.parse(JSON.stringify(planned.body).replaceAll(slugOf(workspace), slugOf(reader))),
    );
    expect(codeOf(await apply(whole()))).toBe('forbidden');
    call = callerOf(workspace);
    const done = await apply(whole());
    expect(done.body).toEqual({ ...planned.body, applied: true });
  });

  test('does not tell a caller without the right to see secrets whether a guess is right', async () => {
    await apply(whole());
    const token = (await makeToken(['read'])).token;
    const read = createCaller(api.app, { base: `/management/v1/workspaces/${workspace.workspaceId}`, token });
    const guess = whole();
    Object.assign(guess.endpoints[0] as object, { secret: OTHER_SECRET, secretHeaders: { 'x-key': 'guess' } });
    const reply = await read('post', '/apply', { document: { version: 1, ...guess }, dryRun: true });
    expect(reply.body.counts).toEqual({ create: 0, update: 0, remove: 0, none: 8 });
  });

  test('compares what no answer shows only for a caller who may also apply the document', async () => {
    const place = { externalId: 'basic', environment: 'production', url: 'https://127.0.0.1/basic' };
    const holding = (authPassword: string, key: string) => ({
      endpoints: [{ ...place, authUsername: 'ann', authPassword, secretHeaders: { 'x-key': key } }],
    });
    await apply(holding('pass-one', 'key-one'));
    const { workspaceId } = workspace;
    const people = await Promise.all(
      (['member', 'admin'] as const).map((role) => seedPerson(api.db, { workspaceId, role })),
    );
    const callers = [
      ...people.map(({ sessionToken: token }) => ({ base: `/api/workspaces/${workspaceId}`, token })),
      ...(await Promise.all(
        [['read', 'keys'], ['write']].map(async (scopes) => ({
          base: `/management/v1/workspaces/${workspaceId}`,
          token: (await makeToken(scopes)).token,
        })),
      )),
    ];

    const fields = [];
    for (const caller of callers) {
      const document = { version: 1, ...holding('guess', 'guess') };
      const { body } = await createCaller(api.app, caller)('post', '/apply', { document, dryRun: true });
      fields.push(body.changes[0].fields.map(({ field }: { field: string }) => field));
    }

    const differing = ['authPassword', 'secretHeaders.x-key'];
    expect(fields).toEqual([[], differing, [], differing]);
  });

  test('of new portal origins needs no token that an owner created', async () => {
    const { workspaceId } = workspace;
    const { sessionToken } = await seedPerson(api.db, { workspaceId, role: 'admin' });
    const admin = createCaller(api.app, { base: `/api/workspaces/${workspaceId}`, token: sessionToken });
    const { token } = (await admin('post', '/management-tokens', { name: 'T', scopes: ['read', 'write'] })).body;
    call = createCaller(api.app, { base: `/management/v1/workspaces/${workspaceId}`, token });
    const document = { portalOrigins: ['https://new.example.com'] };

    const planned = await apply(document, { dryRun: true });

    expect([codeOf(planned), planned.body.counts]).toEqual([200, { create: 0, update: 1, remove: 0, none: 0 }]);
    expect(codeOf(await apply(document))).toBe('forbidden');
  });

  test('leaves room for the changes of its workspace, however many dry runs wait', async () => {
    await apply(whole());
    const { id } = await endpointNamed('warehouse');
    const document = { endpoints: [{ externalId: 'warehouse', environment: 'production', description: 'Other' }] };
    const lock = { sql: 'select from endpoint where id = $1 for update', values: [uuidOf('ep', id)] };
    const plan = () => apply(document, { dryRun: true }).then(codeOf);
    const plans: Promise<unknown>[] = [];
    await whileLocked(api.databaseUrl, lock, async () => {
      plans.push(plan());
      await waitFor(async () => (await waitingForLocks()) > 0, { what: 'a dry run to wait for the lock' });
      plans.push(plan(), plan());

      expect(codeOf(await call('post', '/applications', { name: 'Made meanwhile' }))).toBe(201);
    });
    expect(await Promise.all(plans)).toEqual([200, 200, 200]);
  });
});

async function waitingForLocks(): Promise<number> {
  const rows = await api.db.$queryRaw<object[]>`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

const slugOf = ({ workspaceId }: SeededWorkspace) => `acme-${uuidOf('ws', workspaceId)}`;

/** A second token of the workspace. */
async function makeToken(scopes: readonly string[]): Promise<{ token: string }> {
  const other = await api.seedAnother({ scopes: scopes as never });
  await api.db.managementToken.updateMany({
    where: { workspaceId: uuidOf('ws', other.workspaceId) },
    data: { workspaceId: uuidOf('ws', workspace.workspaceId) },
  });
  return { token: other.managementToken };
}

describe('a document with faults', () => {
  test('changes nothing, and every fault is told with its place', async () => {
    const document = whole();
    Object.assign(document.eventTypes[0] as object, { schema: { type: 'nonsense' } });
    Object.assign(document.endpoints[0] as object, { url: 'https://10.0.0.1/', environment: 'nowhere' });
    document.endpoints.push({
      ...{ externalId: 'third', environment: 'production', url: 'https://10.0.0.1/' },
      ...{ application: 'nobody', eventTypes: ['no.such'] },
    } as never);

    const reply = await apply(document);

    expect([codeOf(reply), reply.body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      'validation_error',
      [
        'document.eventTypes[0].schema.type',
        'document.endpoints[0].environment',
        'document.endpoints[1].eventTypes[0]',
        'document.endpoints[2].eventTypes[0]',
      ],
    ]);
    expect([await entries(), (await call('get', '/environments')).body]).toMatchObject([0, [{ name: 'Production' }]]);
  });

  test.each<[what: string, document: object, fields: string[]]>([
    ['a key that there is not', { endpoint: [] }, ['document.endpoint']],
    ['another version', { version: 2 }, ['document.version']],
    ['a wrong type', { environments: [{ slug: 1, name: 'A' }] }, ['document.environments[0].slug']],
    [
      'a name twice',
      {
        applications: [
          { externalId: 'a', name: 'A' },
          { externalId: 'a', name: 'B' },
        ],
      },
      ['document.applications[1].externalId'],
    ],
    [
      'a filter that is none',
      {
        endpoints: [
          { externalId: 'a', environment: 'production', eventTypes: [{ name: 'a', filter: { b: { near: 1 } } }] },
        ],
      },
      ['document.endpoints[0].eventTypes[0].filter.b.near'],
    ],
    ['no URL', { endpoints: [{ externalId: 'a', environment: 'production' }] }, ['document.endpoints[0].url']],
    [
      'a URL that is refused',
      { endpoints: [{ externalId: 'a', environment: 'production', url: 'https://10.0.0.1/' }] },
      ['document.endpoints[0].url'],
    ],
    [
      'a secret in a wrong form',
      { endpoints: [{ externalId: 'a', environment: 'production', url: 'https://127.0.0.1/', secret: 'short' }] },
      ['document.endpoints[0].secret'],
    ],
    ['a word that the portal does not have', { portalTerms: { event: 'Hook' } }, ['document.portalTerms.event']],
    ['an origin with a path', { portalOrigins: ['https://a.example/b'] }, ['document.portalOrigins[0]']],
    [
      'more endpoints than a call takes',
      {
        endpoints: Array.from({ length: 501 }, (_, index) => ({ externalId: `e${index}`, environment: 'production' })),
      },
      ['document.endpoints'],
    ],
    [
      'more event types than a call takes',
      { eventTypes: Array.from({ length: 101 }, (_, index) => ({ name: `a.b${index}` })) },
      ['document.eventTypes'],
    ],
  ])('%s is refused', async (_what, document, fields) => {
    for (const dryRun of [true, false]) {
      const reply = await apply(document, { dryRun });
      expect([codeOf(reply), reply.body.error?.details?.map(({ field }: { field: string }) => field)]).toEqual([
        'validation_error',
        fields,
      ]);
    }
    expect(await entries()).toBe(0);
  });

  test('no portal origin is added beyond 20, and with prune they are replaced, but not by a part', async () => {
    const origins = (name: string) => Array.from({ length: 20 }, (_, index) => `https://${name}${index}.example.com`);
    expect(codeOf(await apply({ portalOrigins: origins('a') }))).toBe(200);
    for (const dryRun of [true, false]) {
      const reply = await apply({ portalOrigins: ['https://b.example.com'] }, { dryRun });
      expect([codeOf(reply), reply.body.error?.details?.map(({ field }: { field: string }) => field)]).toEqual([
        'validation_error',
        ['document.portalOrigins'],
      ]);
    }
    expect((await call('get')).body.portalOrigins).toEqual(origins('a'));
    expect(codeOf(await apply({ portalOrigins: ['https://a0.example.com'] }, { prune: true, part: true }))).toBe(200);
    expect((await call('get')).body.portalOrigins).toEqual(origins('a'));
    expect(codeOf(await apply({ portalOrigins: origins('b') }, { prune: true }))).toBe(200);
    expect((await call('get')).body.portalOrigins).toEqual(origins('b'));
  });

  test('a limit of the workspace keeps its code', async () => {
    const environments = Array.from({ length: 10 }, (_, index) => ({ slug: `e${index}`, name: 'E' }));
    const reply = await apply({ environments });
    expect([codeOf(reply), reply.body.error.details.map(({ field }: { field: string }) => field)]).toEqual([
      'environment_limit_reached',
      ['document.environments[9]'],
    ]);
    expect((await call('get', '/environments')).body).toHaveLength(1);
  });

  test('on the free plan it names no applications', async () => {
    workspace = await api.seedAnother({ plan: 'free' });
    call = callerOf(workspace);
    expect(codeOf(await apply({ applications: whole().applications }))).toBe('plan_required');
    expect(codeOf(await apply({ eventTypes: whole().eventTypes.slice(1) }))).toBe(200);
  });
});

test('one Idempotency-Key applies a document once', async () => {
  const document = { version: 1, eventTypes: [{ name: 'a.b' }] };
  const once = () => call('post', '/apply', { document }).set('idempotency-key', 'deploy-1');
  expect((await once()).body.counts).toMatchObject({ create: 1 });
  const replayed = await once();
  expect([replayed.body.counts, replayed.headers['idempotent-replayed']]).toEqual([
    { create: 1, update: 0, remove: 0, none: 0 },
    'true',
  ]);
});
