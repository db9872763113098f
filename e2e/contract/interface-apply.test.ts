import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const document = {
  version: 1,
  environments: [{ slug: 'eu', name: 'Europe' }],
  eventTypes: [
    { name: 'order.placed', description: 'An order', publishIn: ['production', 'eu'], schemaMode: { eu: 'reject' } },
  ],
  applications: [{ externalId: 'globex', name: 'Globex' }],
  endpoints: [
    {
      ...{ externalId: 'stock', environment: 'eu', url: 'https://127.0.0.1/stock', config: { timeoutSeconds: 5 } },
      eventTypes: [{ name: 'order.placed', filter: { total: { gt: 10 } } }, 'invoice.*'],
    },
    { externalId: 'globex', environment: 'eu', application: 'globex', url: 'https://127.0.0.1/globex' },
  ],
};

test('docs/interface.md, Apply: a dry run tells what a document changes, applying it changes that, and again nothing', async () => {
  const { manage } = service.workspace;
  const planned = await manage('POST', '/apply', { document, dryRun: true });
  expect((await manage('GET', '/endpoints')).body).toEqual([]);

  const applied = await manage('POST', '/apply', { document });

  expect([applied.status, applied.body]).toEqual([200, { ...planned.body, applied: true }]);
  expect(applied.body).toEqual({
    changes: [
      change('environment', 'eu', [['name', 'Europe']]),
      change('eventType', 'order.placed', [
        ['description', 'An order'],
        ['publishIn.eu', true, false],
        ['schemaMode.eu', 'reject', 'off'],
        ['publishIn.production', true, false],
      ]),
      change('application', 'globex', [['name', 'Globex']]),
      {
        ...change('endpoint', 'stock', [
          ['url', 'https://127.0.0.1/stock'],
          ['config.timeoutSeconds', 5],
          ['eventTypes.order.placed', { filter: { total: { gt: 10 } } }],
          ['eventTypes.invoice.*', { filter: null }],
        ]),
        environment: 'eu',
      },
      {
        ...change('endpoint', 'globex', [
          ['application', 'globex'],
          ['url', 'https://127.0.0.1/globex'],
        ]),
        environment: 'eu',
      },
    ],
    counts: { create: 5, update: 0, remove: 0, none: 0 },
    applied: true,
  });
  const again = await manage('POST', '/apply', { document, prune: false });
  expect(again.body.counts).toEqual({ create: 0, update: 0, remove: 0, none: 5 });
});

function change(kind: string, key: string, fields: [field: string, to: unknown, from?: unknown][]) {
  const shown = fields.map(([field, to, from = null]) => ({ field, from, to }));
  return { action: 'create', kind, key, environment: null, fields: shown };
}

test('docs/interface.md, Apply: a fault anywhere changes nothing, and details names its place', async () => {
  const { manage } = service.workspace;
  const faulty = {
    version: 1,
    environments: [{ slug: 'us', name: 'America' }],
    endpoints: [
      { externalId: 'a', environment: 'us', url: 'https://127.0.0.1/' },
      { externalId: 'b', environment: 'us', url: 'https://127.0.0.1/', eventTypes: ['no.such.type'] },
    ],
  };
  const reply = await manage('POST', '/apply', { document: faulty });
  expect([codeOf(reply), reply.body.error.details]).toEqual([
    'validation_error',
    [{ field: 'document.endpoints[1].eventTypes[0]', message: expect.stringContaining('no.such.type') }],
  ]);
  const { body } = await manage('GET', '/environments');
  expect(body.map(({ slug }: { slug: string }) => slug)).not.toContain('us');
});

test('docs/interface.md, Apply: an environment with isDefault takes the default, and the former one can be pruned', async () => {
  const { manage } = service.workspace;
  const environments = async () => {
    const { body } = await manage('GET', '/environments');
    return Object.fromEntries(body.map((one: { slug: string; isDefault: boolean }) => [one.slug, one.isDefault]));
  };
  const apply = (list: object[], more: object = {}) =>
    manage('POST', '/apply', { document: { version: 1, environments: list }, ...more });
  const [live, test] = [
    { slug: 'live', name: 'Live' },
    { slug: 'production', name: 'Production' },
  ];

  const refused = await apply([
    { ...live, isDefault: true },
    { ...test, isDefault: true },
  ]);
  expect([codeOf(refused), refused.body.error.details[0].field]).toEqual([
    'validation_error',
    'document.environments[1].isDefault',
  ]);
  const given = await apply([{ ...test, isDefault: false }]);
  expect([codeOf(given), given.body.error.details[0].field]).toEqual([
    'validation_error',
    'document.environments[0].isDefault',
  ]);
  expect((await apply([live], { prune: true })).body.error).toMatchObject({
    code: 'default_environment',
    details: [{ field: 'document.environments' }],
  });

  const moved = await apply([
    { ...test, isDefault: false },
    { ...live, isDefault: true },
  ]);
  expect(moved.body.changes.map(({ key, fields }: { key: string; fields: object[] }) => [key, fields.at(-1)])).toEqual([
    ['production', { field: 'isDefault', from: true, to: false }],
    ['live', { field: 'isDefault', from: false, to: true }],
  ]);
  expect(await environments()).toMatchObject({ production: false, live: true });
  const pruned = await apply([{ slug: 'new', name: 'New', isDefault: true }], { prune: true });
  expect([pruned.status, await environments()]).toEqual([200, { new: true }]);
});
