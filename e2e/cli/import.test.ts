import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Endpoint, Posthorn } from '@posthorn/client';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { type Services, startServices } from '../services-in-process.ts';
import { PEER_TOKEN, type PeerStub, startConvoy, startHook0, startOutpost, startSvix } from './peer-stubs.ts';
import { type CommandLine, type Ended, prepareCommandLine } from './posthorn.ts';

// Runs each service's import against a stub of its API, into a new workspace: planned, applied twice, and activated.

let services: Services;
let line: CommandLine;
beforeAll(async () => {
  services = await startServices({ dispatchers: 0, settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  line = prepareCommandLine({ POSTHORN_BASE_URL: services.api.url });
}, 60_000);
afterAll(async () => {
  line?.remove();
  await services?.stop();
});

type Line = { action: string; kind: string; name: string; note: string };

const linesOf = ({ stdout }: Ended): Line[] =>
  stdout
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => JSON.parse(one));
const countOf = (lines: readonly Line[]) => {
  const counts: Record<string, number> = {};
  for (const { action } of lines) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
};
const leftOf = (lines: readonly Line[]) =>
  lines.filter(({ action }) => action === 'left').map(({ name, note }) => `${name}: ${note}`);

/** Makes a workspace, and a command line for it. */
async function newWorkspace(peer: string, stub: PeerStub, more: string) {
  const seeded = await seedWorkspace(services.db);
  const env = { POSTHORN_TOKEN: seeded.managementToken, [TOKENS[peer] ?? '']: PEER_TOKEN };
  const posthorn = new Posthorn({ baseUrl: services.api.url, token: seeded.managementToken });
  const run = (way: string) => line.shell(`posthorn import ${peer} ${way} --from-url ${stub.url}${more}`, { env });
  const endpoints = async () => {
    const found = new Map<string, Endpoint>();
    for await (const one of posthorn.endpoints.list()) found.set(one.externalId ?? '', one);
    return found;
  };
  return { posthorn, run, endpoints, env };
}

const TOKENS: Record<string, string> = {
  svix: 'SVIX_TOKEN',
  convoy: 'CONVOY_API_KEY',
  outpost: 'OUTPOST_API_KEY',
  hook0: 'HOOK0_TOKEN',
};

type Peer = {
  start: () => Promise<PeerStub>;
  more: string;
  /** The number of event types, applications and endpoints that are created. */
  created: number;
  left: string[];
  endpoints: Record<string, object>;
  active: string[];
  applications: string[];
};

const PEERS: Record<string, Peer> = {
  svix: {
    start: startSvix,
    more: '',
    created: 3 + 3 + 6,
    left: [
      'Order.Refunded: is called order.refunded here',
      'user.created: only customers with the feature flag beta see it there: set its audience here',
      'ep_1: the header Content-Type is set by Posthorn itself',
      'ep_1: the header X-Hidden is secret, and its value is not shown: add it yourself',
      'ep_2: its transformation is not carried: write it again as config.transformation',
      'ep_3: the channels eu have no counterpart: use a filter',
      'svix-b: its rate limit of 20 a second is not carried: only endpoints have one',
      'ep_5: its rate limit of 20000 becomes 10000',
      'svix-c: not all of its metadata fits: Posthorn keeps five pairs',
      'svix-c: its rate limit of 30 a second is not carried: only endpoints have one',
      'ep_6: its secret is a private key: it gets a new secret, which its receiver must learn',
      'ep_4: the externalId billing is that of ep_1, too: it gets ep_4',
      'ep_7: Webhook URL must use HTTPS',
    ],
    endpoints: {
      billing: {
        url: 'https://127.0.0.1/ep_1',
        secret: expect.stringMatching(/^whsec_c2VjcmV0IG9mIGVwXzE/),
        config: {
          signature: 'svix',
          standardHeaders: false,
          headers: { 'X-Shop': 'shop-1' },
          rateLimit: { limit: 5, periodSeconds: 1 },
        },
        secretHeaderNames: ['X-Api-Key'],
        metadata: { importedFrom: 'svix', importedId: 'ep_1', importedActive: true },
      },
      ep_4: {
        eventTypePatterns: [{ pattern: '*', filter: null }],
        config: { rateLimit: { limit: 7, periodSeconds: 1 } },
      },
    },
    active: ['billing', 'ep_3', 'ep_4', 'ep_5', 'ep_6'],
    applications: ['app_a', 'svix-b', 'svix-c'],
  },
  convoy: {
    start: startConvoy,
    more: ' --from-project project-1',
    created: 1 + 3 + 7,
    left: [
      'con_1: its timeout of 90 s becomes 30 s',
      'con_3: the filter of the subscription sub_con_3 has another language: write it again',
      'con_4: the function of the subscription sub_con_4 is not carried: write a transformation',
      'con_5: its content type application/x-www-form-urlencoded is not carried: payloads arrive as they are sent',
      'con_6: its client certificate is not shown: set config.tls and the credentials yourself',
      'con_7: it has no subscription: it is not subscribed to anything here',
    ],
    endpoints: {
      con_1: {
        secret: 'secret-of-con_1-new',
        config: {
          signature: 'convoy',
          standardHeaders: false,
          rateLimit: { limit: 10, periodSeconds: 60 },
          timeoutSeconds: 30,
        },
      },
      con_2: { config: { signature: 'convoy-advanced', standardHeaders: false }, metadata: { importedActive: false } },
      con_3: { secretHeaderNames: ['X-Api-Key'] },
      con_4: { authUsername: 'u', hasAuth: true },
      con_7: { applicationId: null },
    },
    active: ['con_1', 'con_3', 'con_4', 'con_5', 'con_6', 'con_7'],
    applications: ['owner-a', 'owner-b', 'owner-c'],
  },
  outpost: {
    start: startOutpost,
    more: '/api/v1',
    created: 2 + 3 + 6,
    left: [
      'des_4: its secret is masked: it gets a new one, which its receiver must learn',
      'des_5: its filter has another language: write it again',
      'tenant-c: not all of its metadata fits: Posthorn keeps five pairs',
      'des_6: a destination of the type aws_sqs is not carried: its credentials are not shown',
      'des_7: not all of its metadata fits: Posthorn keeps two further pairs',
      'des_7: the topic *.created fits no pattern of Posthorn: subscribe it yourself',
    ],
    endpoints: {
      des_1: {
        secret: 'secret-of-des_1-new',
        config: { signature: 'outpost', standardHeaders: false, headers: { 'x-shop': 'shop-1' } },
        secretHeaderNames: ['x-api-key'],
      },
      des_3: { eventTypePatterns: [{ pattern: '*', filter: null }] },
      des_7: { eventTypePatterns: [{ pattern: 'order.*', filter: null }] },
    },
    active: ['des_1', 'des_3', 'des_4', 'des_5', 'des_7'],
    applications: ['tenant-a', 'tenant-b', 'tenant-c'],
  },
  hook0: {
    start: startHook0,
    more: ' --from-project application-1 --label customer',
    created: 2 + 3 + 7,
    left: [
      '00000005-0000-4000-8000-000000000000: its labels region are not carried: write a filter',
      '00000006-0000-4000-8000-000000000000: its method PUT becomes POST',
    ],
    endpoints: {
      '00000001-0000-4000-8000-000000000000': {
        secret: '00000001-0000-4000-9000-000000000000',
        config: { signature: 'hook0', standardHeaders: false, headers: { 'x-shop': 'shop-1' } },
        secretHeaderNames: ['authorization'],
      },
    },
    active: [1, 3, 4, 5, 6, 7].map((n) => `0000000${n}-0000-4000-8000-000000000000`),
    applications: ['customer-0', 'customer-1', 'customer-2'],
  },
};

describe.each(Object.entries(PEERS))('from %s', (name, peer) => {
  test('a plan changes nothing, an import creates inactive endpoints, a second one nothing, and activation only what was active', async () => {
    const stub = await peer.start();
    try {
      const { posthorn, run, endpoints } = await newWorkspace(name, stub, peer.more);
      expect((await run('--plan')).code).toBe(5);
      expect((await endpoints()).size).toBe(0);

      const applied = await run('--apply');
      expect(applied.code).toBe(5);
      const lines = linesOf(applied);
      expect(leftOf(lines)).toEqual(peer.left);
      expect(countOf(lines)).toEqual({ create: peer.created, left: peer.left.length });
      const found = await endpoints();
      for (const [externalId, wanted] of Object.entries(peer.endpoints))
        expect(found.get(externalId)).toMatchObject(wanted);
      expect([...found.values()].filter(({ isActive }) => isActive)).toEqual([]);
      const applications = await posthorn.applications.list().toArray({ limit: 100 });
      expect(applications.map(({ externalId }) => externalId).sort()).toEqual(peer.applications);

      const again = linesOf(await run('--apply'));
      expect(again.filter(({ action }) => action !== 'left').every(({ action }) => action === 'keep')).toBe(true);
      expect(leftOf(again)).toEqual(peer.left);
      expect(await endpoints()).toEqual(found);

      const activated = await run('--activate');
      expect([
        activated.code,
        linesOf(activated)
          .map((one) => one.name)
          .sort(),
      ]).toEqual([0, [...peer.active].sort()]);
      const active = [...(await endpoints()).values()].filter(({ isActive }) => isActive);
      expect(active.map(({ externalId }) => externalId).sort()).toEqual([...peer.active].sort());
      // Someone deactivates an endpoint. The import must not activate it again.
      await posthorn.endpoints.update(active[0]?.id ?? '', { isActive: false });
      expect(linesOf(await run('--activate'))).toEqual([]);
      expect(stub.asked.every((one) => one.startsWith('GET '))).toBe(true);
    } finally {
      await stub.close();
    }
  }, 120_000);
});

test('both secrets of an endpoint sign until the former one ends', async () => {
  const stub = await startConvoy();
  try {
    const { run, endpoints } = await newWorkspace('convoy', stub, PEERS.convoy?.more ?? '');
    await run('--apply');
    const endpoint = (await endpoints()).get('con_1');
    const stored = await services.db.signingSecret.findMany({
      where: { endpoint: { externalId: 'con_1', url: endpoint?.url ?? '' } },
      orderBy: { id: 'desc' },
      take: 2,
    });
    const [newest, former] = stored.map(({ expiresAt }) => expiresAt);
    expect(newest).toBeNull();
    expect((former?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((former?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3_000_000);
  } finally {
    await stub.close();
  }
});

test('advanced signatures of Convoy in another form are left, because no signature here has their content', async () => {
  const stub = await startConvoy({ header: 'X-Acme-Signature', versions: [{ hash: 'SHA512', encoding: 'base64' }] });
  try {
    const { run, endpoints } = await newWorkspace('convoy', stub, PEERS.convoy?.more ?? '');
    expect(leftOf(linesOf(await run('--apply')))).toContain(
      'con_2: its advanced signature (X-Acme-Signature, SHA512, base64) is not carried: it gets a new secret, with which its receiver must verify Standard Webhooks',
    );
    const found = await endpoints();
    const own = { scheme: 'hmac', header: 'X-Acme-Signature', algorithm: 'sha512', encoding: 'base64' };
    expect(found.get('con_3')?.config).toEqual({ signature: own, standardHeaders: false });
    expect(found.get('con_2')).toMatchObject({ config: {}, secret: expect.stringMatching(/^whsec_/) });
  } finally {
    await stub.close();
  }
});

test('an endpoint of the same externalId that was not imported is left alone', async () => {
  const stub = await startHook0();
  try {
    const { posthorn, run } = await newWorkspace('hook0', stub, PEERS.hook0?.more ?? '');
    const externalId = '00000007-0000-4000-8000-000000000000';
    const own = await posthorn.endpoints.create({ url: 'https://127.0.0.1/own', externalId });
    const lines = linesOf(await run('--apply'));
    expect(leftOf(lines)).toContain(`${externalId}: ${own.id} has this externalId already, and was not imported`);
    expect(await posthorn.endpoints.get(own.id)).toMatchObject({ url: 'https://127.0.0.1/own', isActive: true });
  } finally {
    await stub.close();
  }
});

test('a saved file can be corrected and read instead of the API', async () => {
  const stub = await startOutpost();
  const { run, endpoints, env } = await newWorkspace('outpost', stub, '/api/v1 --save found.json');
  const file = join(line.home, 'found.json');
  writeFileSync(file, '', { mode: 0o644 });
  await run('--plan');
  await stub.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const found = JSON.parse(readFileSync(file, 'utf8'));
  const masked = found.endpoints.find(({ id }: { id: string }) => id === 'des_4');
  masked.secrets = [{ value: 'the secret that the receiver has' }];
  writeFileSync(file, JSON.stringify(found));
  const applied = await line.shell('posthorn import outpost --apply --file found.json', { env });
  expect(countOf(linesOf(applied)).create).toBe(PEERS.outpost?.created);
  expect((await endpoints()).get('des_4')?.secret).toBe('the secret that the receiver has');
  const wrong = await line.shell('posthorn import svix --apply --file found.json', { env });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not a file that posthorn import svix')]);
});

test.each([
  ['nonsense --plan', 2, 'is not one of svix, convoy, outpost, hook0'],
  ['svix', 2, 'Give one of --plan, --apply and --activate'],
  ['svix --plan --apply', 2, 'Give one of'],
  ['svix --plan', 2, '--from-url must be the address'],
  ['svix --plan --from-url http://127.0.0.1:1', 2, '--from-token or SVIX_TOKEN is required'],
  ['svix --plan --from-url http://127.0.0.1:1 --from-token x', 6, 'cannot be reached'],
  ['convoy --plan --from-url http://127.0.0.1:1 --from-token x', 2, '--from-project is required'],
  ['svix --plan --file nothing.json', 2, 'nothing.json cannot be read: ENOENT'],
])('posthorn import %s ends with %i', async (args, code, words) => {
  const ended = await line.shell(`posthorn import ${args}`, { env: { POSTHORN_TOKEN: services.managementToken } });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(words)]);
});

test('a wrong token of the other service ends the import before anything is created', async () => {
  const stub = await startSvix();
  try {
    const env = { POSTHORN_TOKEN: services.managementToken };
    const command = `posthorn import svix --apply --from-url ${stub.url} --from-token wrong`;
    const { code, stderr } = await line.shell(command, { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('check --from-url and --from-token')]);
  } finally {
    await stub.close();
  }
});
