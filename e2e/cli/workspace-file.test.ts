import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { parse } from 'yaml';
import { type Services, startServices } from '../services-in-process.ts';
import { type CommandLine, prepareCommandLine } from './posthorn.ts';

let services: Services;
let line: CommandLine;
beforeAll(async () => {
  services = await startServices({ dispatchers: 0, settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  line = prepareCommandLine({ POSTHORN_BASE_URL: services.api.url, POSTHORN_TOKEN: services.managementToken });
}, 120_000);
afterAll(async () => {
  line?.remove();
  await services?.stop();
});

const write = (name: string, text: string) => writeFileSync(join(line.home, name), text);

/** The variables of a new, empty workspace. */
async function emptyWorkspace(): Promise<{ env: Record<string, string> }> {
  const { managementToken } = await seedWorkspace(services.db);
  return { env: { POSTHORN_TOKEN: managementToken } };
}

/** A document with an example of everything that a file can say. */
function wholeDocument() {
  const eventTypes = Array.from({ length: 50 }, (_, index) => ({
    name: `orders.type_${index}`,
    description: `Type ${index} costs $\${PRICE}`,
    schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: index } } },
    example: { n: 100 + index, note: 'no: "yes"\n~' },
    publishIn: index % 2 === 0 ? ['eu', 'production'] : ['production'],
    ...(index % 3 === 0 && { schemaMode: { production: 'warn' } }),
    ...(index % 4 === 1 && { payloadRetention: 'until_ended' }),
  }));
  const endpoints = Array.from({ length: 200 }, (_, index) => ({
    externalId: `endpoint-${index}`,
    environment: index % 2 === 0 ? 'eu' : 'production',
    ...(index % 5 === 0 && { application: 'acme' }),
    ...(index % 20 === 7 ? { type: 'pull' } : { url: `https://127.0.0.1:8443/hooks/${index}` }),
    description: `Endpoint ${index}`,
    ...(index % 7 === 0 && { isActive: false }),
    ...(index % 20 !== 7 && { config: { timeoutSeconds: 1 + (index % 30), headers: { 'x-index': `${index}` } } }),
    metadata: { index, even: index % 2 === 0 },
    eventTypes: [
      { name: `orders.type_${index % 50}`, filter: { n: { gt: index }, 'a.b': { in: ['x', 'y'] } } },
      `orders.type_${(index + 1) % 50}`,
      { pattern: 'stock.*', filter: { level: { lt: index } } },
      'invoice.*',
    ],
  }));
  return {
    version: 1,
    environments: [
      { slug: 'eu', name: `Europe $\${PRICE}`, isDefault: true },
      { slug: 'production', name: 'Live' },
    ],
    eventTypes,
    applications: [{ externalId: 'acme', name: `Acme $\${PRICE}`, metadata: { tier: 'gold' } }],
    endpoints,
    portalOrigins: ['https://app.example.com'],
    portalTerms: { event: 'Event' },
  };
}

test('an export that is applied to an empty workspace and exported again is the same file', async () => {
  write('whole.json', JSON.stringify(wholeDocument()));
  const [first, second] = [await emptyWorkspace(), await emptyWorkspace()];
  const made = await line.shell('posthorn apply -f whole.json --yes', first);
  expect([made.code, made.stderr, JSON.parse(made.stdout).counts]).toEqual([
    ...[0, ''],
    { create: 252, update: 2, remove: 0, none: 0 },
  ]);
  expect((await line.shell('posthorn endpoints create https://127.0.0.1:8443/unnamed', first)).code).toBe(0);
  expect(await line.shell('posthorn export > exported.yaml', first)).toEqual({ code: 0, stdout: '', stderr: '' });

  const applied = await line.shell('posthorn apply -f exported.yaml --yes', second);
  const again = await line.shell('posthorn export', second);

  expect([applied.code, applied.stderr]).toEqual([0, '']);
  const exported = readFileSync(join(line.home, 'exported.yaml'), 'utf8');
  expect(again.stdout).toBe(exported);
  const { endpoints, ...document } = parse(exported);
  const whole = wholeDocument();
  expect(endpoints).toHaveLength(201);
  expect(document.eventTypes[0]).toEqual(whole.eventTypes[0]);
  expect(endpoints.find((one: { externalId: string }) => one.externalId === 'endpoint-11')).toEqual({
    ...whole.endpoints[11],
    type: 'webhook',
  });
  for (const workspace of [first, second]) {
    const planned = await line.shell('posthorn plan -f exported.yaml --prune', workspace);
    expect(JSON.parse(planned.stdout).counts).toEqual({ create: 0, update: 0, remove: 0, none: 255 });
  }
}, 240_000);

const SMALL = `version: 1
eventTypes:
  - name: order.placed
    publishIn: [production]
endpoints:
  - externalId: warehouse
    environment: production
    url: https://127.0.0.1:8443/hooks
    secret: \${WAREHOUSE_SECRET}
    eventTypes:
      - name: order.placed
        filter: { total: { gt: 10 } }
`;
const WAREHOUSE_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

test('a plan reads like a diff, changes nothing, and apply needs a yes', async () => {
  const { env } = await emptyWorkspace();
  const options = { env: { ...env, WAREHOUSE_SECRET } };
  write('small.yaml', SMALL);

  const planned = await line.shell('posthorn plan -f small.yaml --output table', options);

  expect([planned.code, planned.stdout]).toEqual([
    0,
    `+ event type order.placed
    publishIn.production: true
+ endpoint warehouse (production)
    url: "https://127.0.0.1:8443/hooks"
    eventTypes.order.placed: {"filter":{"total":{"gt":10}}}
    secret: "[redacted]"

2 to create, 0 to change, 0 to remove, 0 unchanged
`,
  ]);
  expect((await line.shell('posthorn event-types list', options)).stdout).toBe('');
  expect(await line.shell('posthorn apply -f small.yaml', options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await line.shell('posthorn apply -f - --yes --output table', { ...options, input: SMALL })).toMatchObject({
    ...{ code: 0, stdout: expect.stringMatching(/\nCreated 2, changed 0, removed 0, unchanged 0\n$/) },
  });
  expect((await line.shell('posthorn apply -f small.yaml --yes --output table', options)).stdout).toBe(
    'Created 0, changed 0, removed 0, unchanged 2\n',
  );
  const named = await line.shell('posthorn export --secret-names', options);
  expect(named).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(/ secret: \$\{PRODUCTION_WAREHOUSE_SECRET\}\n/),
  });
});

test('every secret of an export has a variable of its own, also of endpoints whose names are alike', async () => {
  const workspace = await emptyWorkspace();
  const endpoint = (externalId: string) => ({ externalId, environment: 'production', url: 'https://127.0.0.1/' });
  write('alike.json', JSON.stringify({ version: 1, endpoints: [endpoint('shop.eu'), endpoint('shop-eu')] }));
  expect((await line.shell('posthorn apply -f alike.json --yes', workspace)).code).toBe(0);
  const { stdout } = await line.shell('posthorn export --secret-names', workspace);
  expect(parse(stdout).endpoints).toMatchObject([
    { externalId: 'shop-eu', secret: `\${PRODUCTION_SHOP_EU_SECRET}` },
    { externalId: 'shop.eu', secret: `\${PRODUCTION_SHOP_EU_SECRET_2}` },
  ]);
});

test.each<[what: string, text: string, code: number, error: string]>([
  ['YAML that is none', SMALL.replace('eventTypes:\n', 'eventTypes: [\n'), 2, 'small.yaml:3:'],
  ['a key twice', `${SMALL}version: 1\n`, 2, 'small.yaml:13:1: Map keys must be unique'],
  ['a variable that is not set', SMALL, 2, 'small.yaml:9:13: the environment variable WAREHOUSE_SECRET is not set'],
  ['a list for a file', '- a\n', 2, 'small.yaml:1:1: The file must be an object'],
  ['an unknown key', SMALL.replace('    environment:', '    enviroment:'), 5, 'small.yaml:7:5: Unknown field'],
  ['a wrong type', SMALL.replace('[production]', 'production'), 5, 'small.yaml:4:5: eventTypes[0].publishIn must be'],
  [
    'a name that there is not',
    SMALL.replace('- name: order.placed\n        filter', '- name: no.such\n        filter'),
    ...[5, 'small.yaml:11:9: endpoints[0]: eventTypes[0] must name an event type: no.such'],
  ] as [string, string, number, string],
  [
    'a filter that is none',
    SMALL.replace('gt:', 'near:'),
    ...[5, 'small.yaml:12:28: endpoints[0].eventTypes[0].filter.total.near'],
  ] as [string, string, number, string],
])('%s is told with file, line and column, and nothing is changed', async (what, text, code, error) => {
  const { env } = await emptyWorkspace();
  write('small.yaml', text);
  const given = what.startsWith('a variable') ? { env } : { env: { ...env, WAREHOUSE_SECRET } };
  const applied = await line.shell('posthorn apply -f small.yaml --yes', given);
  expect([applied.code, applied.stderr]).toEqual([code, expect.stringContaining(error)]);
  expect((await line.shell('posthorn event-types list', { env })).stdout).toBe('');
});

test('a file that is larger than a call is planned whole, and applied in parts', async () => {
  const workspace = await emptyWorkspace();
  const eventTypes = Array.from({ length: 101 }, (_, index) => ({ name: `a.b${index}` }));
  const endpoint = (externalId: string, ...names: string[]) => {
    return { externalId, environment: 'eu', application: 'acme', url: 'https://127.0.0.1/', eventTypes: names };
  };
  const file = {
    ...{ version: 1, environments: [{ slug: 'eu', name: 'EU' }], eventTypes },
    applications: [{ externalId: 'acme', name: 'Acme' }],
    endpoints: [endpoint('a', 'a.b0', 'a.b100'), endpoint('b', 'a.b100', 'c.*')],
  };
  write('large.json', JSON.stringify(file));
  const planned = await line.shell('posthorn plan -f large.json', workspace);
  expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('it is applied in 5 parts')]);
  const wrong = { ...file, endpoints: [...file.endpoints, endpoint('c', 'a.b0', 'no.such')] };
  write('wrong.json', JSON.stringify(wrong, null, 1));

  const refused = await line.shell('posthorn apply -f wrong.json --yes', workspace);
  const applied = await line.shell('posthorn apply -f large.json --yes', workspace);

  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining(', and nothing of it was applied')]);
  expect(refused.stderr).toContain(':5: endpoints[2]: eventTypes[1] must name an event type: no.such\n');
  expect([applied.code, JSON.parse(applied.stdout).counts]).toEqual([0, JSON.parse(planned.stdout).counts]);
  expect(JSON.parse(applied.stdout).counts).toEqual({ create: 105, update: 0, remove: 0, none: 0 });
  expect(JSON.parse((await line.shell('posthorn apply -f large.json --yes', workspace)).stdout).counts).toMatchObject({
    ...{ create: 0, none: 105 },
  });
  write('large.json', JSON.stringify({ version: 1, eventTypes: [...eventTypes, { name: 'Wrong' }] }, null, 1));
  const second = await line.shell('posthorn apply -f large.json --yes', workspace);
  expect([second.code, second.stderr]).toEqual([5, expect.stringContaining('large.json:308:4: eventTypes[101].name')]);
}, 60_000);

test.each<[what: string, wrong: string]>([
  ['which names more event types than a call takes', 'many'],
  ['beside such an endpoint', 'few'],
])(
  'a fault of an endpoint %s is found before any part is applied',
  async (_, wrong) => {
    const workspace = await emptyWorkspace();
    const eventTypes = Array.from({ length: 101 }, (_one, index) => ({ name: `a.b${index}` }));
    const endpoint = (externalId: string, names: string[]) => ({
      ...{ externalId, environment: 'production', application: 'acme', url: 'https://127.0.0.1/', eventTypes: names },
      config: { timeoutSeconds: externalId === wrong ? 99 : 9 },
    });
    const all = eventTypes.map(({ name }) => name);
    const endpoints = [endpoint('many', all), endpoint('few', ['a.b0'])];
    const applications = [{ externalId: 'acme', name: 'Acme' }];
    write('many.json', JSON.stringify({ version: 1, eventTypes, applications, endpoints }, null, 1));

    const refused = await line.shell('posthorn apply -f many.json --yes', workspace);

    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining(', and nothing of it was applied')]);
    expect(refused.stderr).toContain('config.timeoutSeconds');
    expect((await line.shell('posthorn event-types list', workspace)).stdout).toBe('');
  },
  60_000,
);

test('a file that is sent in parts is pruned as a whole: what a later part names stays', async () => {
  const workspace = await emptyWorkspace();
  const types = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `a.b${index}` }));
  const endpoint = (externalId: string, ...eventTypes: string[]) => {
    return { externalId, environment: 'production', url: 'https://127.0.0.1/', eventTypes };
  };
  const applications = [{ externalId: 'acme', name: 'Acme' }];
  const before = { version: 1, eventTypes: types(102), applications, endpoints: [endpoint('a', 'a.b0', 'a.b101')] };
  write('before.json', JSON.stringify({ ...before, endpoints: [...before.endpoints, endpoint('b', 'a.b1')] }));
  expect((await line.shell('posthorn apply -f before.json --yes', workspace)).code).toBe(0);
  const after = { ...before, eventTypes: types(101), endpoints: [endpoint('a', 'a.b0'), endpoint('c', 'a.b100')] };
  write('after.json', JSON.stringify(after));

  const planned = await line.shell('posthorn plan -f after.json --prune', workspace);
  const applied = await line.shell('posthorn apply -f after.json --prune --yes', workspace);

  expect([planned.code, JSON.parse(planned.stdout).counts.remove]).toEqual([0, 1]);
  expect(planned.stderr).toContain('What 1 of the parts change depends on the others');
  const { counts, changes } = JSON.parse(applied.stdout);
  const removed = changes.filter(({ action }: { action: string }) => action === 'remove');
  expect(removed.map(({ key }: { key: string }) => key)).toEqual(['b', 'a.b101']);
  expect(counts).toEqual({ create: 1, update: 1, remove: 2, none: 102 });
  const again = await line.shell('posthorn plan -f after.json --prune', workspace);
  expect(JSON.parse(again.stdout).counts).toEqual({ create: 0, update: 0, remove: 0, none: 104 });
  write('after.json', JSON.stringify({ ...after, eventTypes: [...types(101), { name: 'a.b0' }] }));
  expect(await line.shell('posthorn apply -f after.json --yes', workspace)).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('eventTypes[101] is the same as eventTypes[0]: a.b0') },
  });
}, 60_000);

test('the JSON Schema that it prints is the one in docs', async () => {
  const { stdout } = await line.shell('posthorn schema');
  const kept = new URL('../../docs/workspace.schema.json', import.meta.url);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(kept, 'utf8')));
});
