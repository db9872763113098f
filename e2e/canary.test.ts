import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, onServer, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { askRedis } from '@posthorn/testkit/redis-place';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { awaitReady, type ServiceName, type ServiceProcess, startService } from '@posthorn/testkit/service-process';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { seedSession } from '@posthorn/testkit/session';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Canaries, readDatabase, readRedis, secretsIn, walWith } from './canary-places.ts';

// Every place for a secret gets a different secret. Then the real processes run through every kind of failure. No
// secret may appear in any other place.
const key = () => randomBytes(32).toString('base64');
const plant = (name: string) => `canary${name}${randomBytes(6).toString('hex')}`;
const canaries: Canaries = {
  payload: plant('Payload'),
  header: plant('Header'),
  query: plant('Query'),
  urlPassword: plant('UrlPassword'),
  endpointPassword: plant('EndpointPassword'),
  password: plant('Password'),
  wrongPassword: plant('WrongPassword'),
  answer: plant('Answer'),
  redisPassword: plant('RedisPassword'),
  databasePassword: 'canaryDatabasePassword5d1f',
  adminPassword: plant('AdminPassword'),
  bootstrapPassword: plant('BootstrapPassword'),
  sealingKey: key(),
  cursorKey: key(),
  brokenSetting: plant('BrokenSetting'),
};

/** Columns that may hold customers' own data in plain text: their configuration and requests. */
const MAY_HOLD: Record<string, string[]> = {
  'endpoint.config': ['header'],
  'endpoint.url': ['query'],
  'attempt.url': ['query'],
  'audit_entry.metadata': ['query'],
};

let folder: string;
let database: TestDatabase;
let gate: TcpGate;
let receiver: Receiver;
let seeded: SeededWorkspace;
let settings: Record<string, string>;
let redisUser: string;
const startedAtMs = Date.now();
let output = '';
/** The text of all error responses. */
let errors = '';
const processes: ServiceProcess[] = [];

const { redisUrl, prefix } = testRedis();

async function start(service: ServiceName, own: Record<string, string> = {}): Promise<ServiceProcess> {
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  const started = startService({ service, port: await freePort(), settings: { ...settings, ...own }, onOutput });
  processes.push(started);
  return started;
}

async function startReady(service: ServiceName): Promise<ServiceProcess> {
  const started = await start(service);
  await awaitReady(started);
  return started;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-canary-'));
  receiver = await startReceiver();
  database = await createTestDatabase();
  gate = await startTcpGate(database.databaseUrl);
  redisUser = prefix;
  await askRedis(redisUrl, 'ACL', 'SETUSER', redisUser, 'on', `>${canaries.redisPassword}`, '~*', '&*', '+@all');
  await database.db.$executeRaw`drop role if exists canary_login`;
  await database.db.$executeRaw`create role canary_login superuser login password 'canaryDatabasePassword5d1f'`;
  seeded = await seedWorkspace(database.db);
  Object.assign(canaries, { managementToken: seeded.managementToken, apiKey: seeded.apiKey });
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, receiver.caPem);
  settings = {
    ...serviceSettings({
      databaseUrl: login(gate.url, 'canary_login', canaries.databasePassword),
      redisUrl: login(redisUrl, redisUser, canaries.redisPassword),
      prefix,
      caFile,
    }),
    SEALING_KEYS: `k1:${canaries.sealingKey}`,
    CURSOR_KEYS: `k1:${canaries.cursorKey}`,
    ADMIN_PASSWORD: canaries.adminPassword ?? '',
    BOOTSTRAP_EMAIL: 'first@example.com',
    BOOTSTRAP_PASSWORD: canaries.bootstrapPassword ?? '',
    RETRY_SCHEDULE: '1',
    // The timeout is short, because leases last as long.
    DELIVERY_TIMEOUT_SECONDS: '2',
    SWEEP_INTERVAL_MS: '200',
    LOG_LEVEL: 'debug',
  };
}, 60_000);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.end('SIGTERM')));
  await gate.close();
  await database.drop();
  await askRedis(redisUrl, 'ACL', 'DELUSER', redisUser);
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function login(url: string, username: string, password = ''): string {
  return Object.assign(new URL(url), { username, password }).href;
}

type Reply = { status: number; body: Record<string, unknown>; cookie: string };

async function call(api: ServiceProcess, method: string, path: string, given: CallGiven = {}): Promise<Reply> {
  const { token, headers = {}, body } = given;
  const reply = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (reply.status >= 400) errors += `${method} ${path.split('?')[0]} ${reply.status} ${text}\n`;
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: reply.status, body: isJson ? JSON.parse(text) : {}, cookie: reply.headers.get('set-cookie') ?? '' };
}
type CallGiven = { token?: string; headers?: Record<string, string>; body?: unknown };

const management = () => `/management/v1/workspaces/${seeded.workspaceId}`;
const secretsFound = (text: string) => secretsIn(text, canaries);

/** Makes and uses credentials of every kind, valid and invalid. */
async function useCredentials(api: ServiceProcess): Promise<void> {
  const { db } = database;
  const owner = await seedSession(db, { workspaceId: seeded.workspaceId, role: 'owner' });
  canaries.ownerSession = owner;
  const members = `/api/workspaces/${seeded.workspaceId}/members`;
  const invited = await call(api, 'POST', members, { token: owner, body: { email: 'ann@example.com', role: 'admin' } });
  canaries.setPasswordToken = String(invited.body.setPasswordToken);
  const password = canaries.password;
  const choice = { token: canaries.setPasswordToken, password };
  await call(api, 'POST', '/api/auth/set-password', {
    body: { ...choice, password: canaries.wrongPassword, x: 1, token: 'x' },
  });
  expect((await call(api, 'POST', '/api/auth/set-password', { body: choice })).status).toBe(204);
  expect((await call(api, 'POST', '/api/auth/set-password', { body: choice })).status).toBe(401);
  const email = 'ann@example.com';
  const wrong = { email, password: canaries.wrongPassword };
  expect((await call(api, 'POST', '/api/auth/login', { body: wrong })).status).toBe(401);
  await call(api, 'POST', '/api/auth/login', { body: { password } });
  await call(api, 'POST', '/api/auth/login', { body: `{"email":"${email}","password":"${password}"` });
  const session = await call(api, 'POST', '/api/auth/login', { body: { email, password } });
  canaries.session = String(session.body.token);
  const cookie = session.cookie.split(';')[0] ?? '';
  expect((await call(api, 'GET', '/api/auth/me', { headers: { cookie } })).status).toBe(200);
  for (const secret of [canaries.session, seeded.managementToken, seeded.apiKey]) {
    for (const path of ['/api/auth/me', `${management()}/endpoints`, '/api/portal/session', '/nowhere']) {
      await call(api, 'GET', path, { token: `${secret}x` });
      await call(api, 'GET', `${path}?token=${secret}&page=-1`, { token: secret, headers: { cookie } });
    }
    await call(api, 'POST', '/api/ingest/event/order.created', {
      token: secret,
      headers: { 'x-deliver-at': 'x' },
      body: {},
    });
  }
  await call(api, 'POST', `${management()}/api-keys`, { token: seeded.managementToken, body: { name: 'second' } });
}

type Endpoint = { id: string; url: string };

/** Makes endpoints with secrets that succeed, fail and never answer, and sends endpoint requests that are refused. */
async function makeEndpoints(api: ServiceProcess): Promise<Endpoint[]> {
  const token = seeded.managementToken;
  const base = management();
  const publishIn = [seeded.environmentId];
  const searchKeys = [{ name: 'card', path: 'card' }];
  await call(api, 'POST', `${base}/event-types`, { token, body: { name: 'order.created', publishIn, searchKeys } });
  const types = await fetch(`${api.url}${base}/event-types`, { headers: { authorization: `Bearer ${token}` } });
  const [type] = (await types.json()) as { id: string }[];
  const common = {
    environmentId: seeded.environmentId,
    authUsername: 'user',
    authPassword: canaries.endpointPassword,
    config: { headers: { 'x-api-key': canaries.header } },
  };
  const urls = ['well', 'badly', 'cut'].map((path) => `${receiver.url}${path}?key=${canaries.query}`);
  urls.push(`https://127.0.0.1:${await freePort()}/away?key=${canaries.query}`);
  const made: Endpoint[] = [];
  for (const [index, url] of urls.entries()) {
    const { status, body } = await call(api, 'POST', `${base}/endpoints`, { token, body: { ...common, url } });
    expect(status).toBe(201);
    const id = String(body.id);
    canaries[`signingSecret${index}`] = String(body.secret).replace('whsec_', '');
    await call(api, 'POST', `${base}/endpoints/${id}/subscriptions`, { token, body: { eventTypeIds: [type?.id] } });
    made.push({ id, url });
  }
  const [first] = made;
  const rotated = await call(api, 'POST', `${base}/endpoints/${first?.id}/secret/rotate`, { token, body: {} });
  canaries.rotatedSecret = String(rotated.body.secret).replace('whsec_', '');
  const refused = [
    { ...common, url: `https://user:${canaries.urlPassword}@localhost/` },
    { ...common, url: `http://localhost/?key=${canaries.query}` },
    { ...common, url: receiver.url, secret: canaries.sealingKey?.slice(1) },
    { ...common, url: receiver.url, config: { headers: { 'x-api-key': `${canaries.header}\n` } } },
    { ...common, url: receiver.url, config: { headers: { 'x key': canaries.header } } },
    { ...common, url: receiver.url, config: { headers: { authorization: canaries.header } } },
    { ...common, url: receiver.url, authUsername: 'a:b' },
    { ...common, url: receiver.url, authPassword: { a: canaries.endpointPassword } },
    { ...common, url: receiver.url, metadata: { a: [canaries.header] } },
    { ...common, url: receiver.url, environmentId: canaries.header },
  ];
  for (const body of refused) {
    expect((await call(api, 'POST', `${base}/endpoints`, { token, body })).status).toBeGreaterThanOrEqual(400);
    await call(api, 'PATCH', `${base}/endpoints/${first?.id}`, { token, body });
  }
  await call(api, 'POST', `${base}/endpoints`, { token, body: `{"authPassword":"${canaries.endpointPassword}` });
  return made;
}

/** Uses a customer's portal with its token. */
async function usePortal(api: ServiceProcess): Promise<void> {
  const token = seeded.managementToken;
  const { body } = await call(api, 'POST', `${management()}/applications`, { token, body: { name: 'Customer' } });
  const sessions = `${management()}/applications/${body.id}/portal-sessions`;
  const session = await call(api, 'POST', sessions, { token, body: {} });
  canaries.portalToken = String(session.body.token);
  const portal = { token: canaries.portalToken };
  expect((await call(api, 'GET', '/api/portal/session', portal)).status).toBe(200);
  await call(api, 'GET', '/api/portal/endpoints', portal);
  await call(api, 'POST', '/api/portal/endpoints', {
    ...portal,
    body: { url: `https://a:${canaries.urlPassword}@b.test` },
  });
  await call(api, 'GET', '/api/portal/session', { token: `${canaries.portalToken}x` });
}

/** Ingests events that are accepted and events that are refused. */
async function ingestAll(api: ServiceProcess, endpoints: Endpoint[]): Promise<void> {
  const token = seeded.apiKey;
  const payload = JSON.stringify({ card: canaries.payload });
  const event = '/api/ingest/event/order.created';
  expect((await call(api, 'POST', event, { token, body: payload })).status).toBe(202);
  const headers = { 'idempotency-key': 'k1' };
  await call(api, 'POST', event, { token, headers, body: payload });
  await call(api, 'POST', event, { token, headers, body: `${payload} ` });
  await call(api, 'POST', event, { token, body: payload.slice(0, -1) });
  await call(api, 'POST', event, { token, body: payload + 'x'.repeat(300_000) });
  await call(api, 'POST', event, { token, headers: { 'content-encoding': 'gzip' }, body: payload });
  await call(api, 'POST', `/api/ingest/event/unknown`, { token, body: payload });
  await call(api, 'POST', `/api/ingest/${endpoints[0]?.id}`, { token, body: payload });
  const data = { card: canaries.payload };
  const events = [{ eventType: 'order.created', data }, { eventType: 'unknown', data }, { data }, canaries.payload];
  await call(api, 'POST', '/api/ingest/batch', { token, body: { events } });
  await call(api, 'POST', '/api/ingest/batch', { token, body: `{"events":[{"data":"${canaries.payload}` });
}

/**
 * Searches for the value in the payloads in every way, with accepted and refused searches, and indexes older
 * events by it.
 */
async function searchAll(api: ServiceProcess): Promise<void> {
  const token = seeded.managementToken;
  const value = canaries.payload ?? '';
  const named = `card:${value}`;
  for (const list of ['events', 'deliveries']) {
    const path = `${management()}/${list}`;
    const headers = { 'idempotency-key': `search of ${list}`.replaceAll(' ', '-') };
    for (const search of [[named], [value], [`${named}\0`], Array.from({ length: 5 }, () => value), value, [[value]]]) {
      await call(api, 'POST', `${path}/search`, { token, headers, body: { search } });
    }
    await call(api, 'POST', `${path}/search`, { token, body: { search: [value.repeat(50)] } });
    await call(api, 'POST', `${path}/search`, { token, body: `{"search":["${value}` });
    await call(api, 'POST', `${path}/search`, { token: seeded.apiKey, body: { search: [named] } });
    for (const query of [`search=${named}`, `search=${value}&limit=none`, `search=${value.repeat(50)}`]) {
      await call(api, 'GET', `${path}?${query}`, { token });
    }
  }
  const find = `/api/workspaces/${seeded.workspaceId}/find`;
  const body = { text: value, environmentId: seeded.environmentId };
  for (const one of [body, { ...body, environmentId: value }, { ...body, text: [value] }]) {
    await call(api, 'POST', find, { token: canaries.ownerSession ?? '', body: one });
  }
  await call(api, 'POST', `${management()}/search-index`, { token, body: { eventType: 'order.created' } });
}

/** Waits until all deliveries have ended. */
async function settleAll(): Promise<void> {
  const open = { status: { in: ['pending' as const, 'delivering' as const, 'scheduled_retry' as const] } };
  const { db } = database;
  const done = async () => (await db.pendingFanOut.count()) === 0 && (await db.delivery.count({ where: open })) === 0;
  await waitFor(done, { what: 'every delivery to end', timeoutMs: 30_000 });
}

/** Makes Postgres refuse every row of these tables, with the row in the error, as for a constraint. */
async function refuse(...tables: string[]): Promise<void> {
  for (const table of tables) await database.db.$executeRaw`select make_canary(${table})`;
}

/** Makes Postgres refuse rows, with the row in the error. The service answers 500. */
async function refuseRows(api: ServiceProcess, endpoints: Endpoint[]): Promise<void> {
  const { db } = database;
  await db.$executeRaw`
    create function refuse_canary() returns trigger language plpgsql as $$ begin
      raise exception 'the row is refused' using errcode = '23000', detail = 'Failing row contains ' || new::text;
    end $$`;
  await db.$executeRaw`
    create function make_canary(name text) returns void language plpgsql as $$ begin
      execute format('create trigger canary before insert or update on %I for each row execute function refuse_canary()', name);
    end $$`;
  await refuse('endpoint', 'user', 'session', 'attempt');
  const token = seeded.managementToken;
  const body = {
    url: `${receiver.url}?key=${canaries.query}`,
    config: { headers: { 'x-api-key': canaries.header } },
    authUsername: 'u',
    authPassword: canaries.endpointPassword,
  };
  expect((await call(api, 'POST', `${management()}/endpoints`, { token, body })).status).toBe(500);
  expect((await call(api, 'PATCH', `${management()}/endpoints/${endpoints[0]?.id}`, { token, body })).status).toBe(500);
  const login = { email: 'ann@example.com', password: canaries.password };
  expect((await call(api, 'POST', '/api/auth/login', { body: login })).status).toBe(500);
  const members = `/api/workspaces/${seeded.workspaceId}/members`;
  const member = { email: 'bob@example.com', role: 'admin', password: canaries.password };
  expect((await call(api, 'POST', members, { token: canaries.ownerSession ?? '', body: member })).status).toBe(500);
  const before = receiver.requests.length;
  await ingestAll(api, endpoints);
  await receiver.received(before + 3);
  await waitFor(() => output.includes('settled one by one'), { what: 'a settle to be refused' });
  await refuse('event', 'event_token', 'audit_entry');
  await ingestAll(api, endpoints).catch(() => undefined);
  await searchAll(api);
  // Uses one transaction for each table, and tries again after a deadlock: the services are writing, and a partitioned
  // table is many tables.
  for (const table of ['endpoint', '"user"', 'session', 'attempt', 'event', 'event_token', 'audit_entry']) {
    const drop = () => onServer(database.databaseUrl, `drop trigger if exists canary on ${table}`);
    await waitFor(() => drop().then(() => true), { what: `the trigger of ${table} to be dropped` });
  }
}

/** Takes Postgres away, so that every request gets an error. */
async function takePostgresAway(api: ServiceProcess, endpoints: Endpoint[]): Promise<void> {
  await gate.shut();
  await call(api, 'POST', '/api/auth/login', { body: { email: 'ann@example.com', password: canaries.password } });
  await call(api, 'GET', `${management()}/endpoints`, { token: seeded.managementToken });
  await call(api, 'POST', `/api/ingest/${endpoints[0]?.id}`, {
    token: seeded.apiKey,
    body: { card: canaries.payload },
  });
  const search = { search: [`card:${canaries.payload}`] };
  await call(api, 'POST', `${management()}/events/search`, { token: seeded.managementToken, body: search });
  await call(api, 'GET', '/readyz');
  await gate.open();
  await awaitReady(api);
}

/** Starts processes that report that they cannot start or cannot reach their stores. */
async function failToStart(): Promise<void> {
  const broken = canaries.brokenSetting ?? '';
  const bad: Record<string, string>[] = [
    { DATABASE_URL: `mysql://${broken}`, REDIS_URL: broken, SEALING_KEYS: `k1:${broken}`, CURSOR_KEYS: broken },
    { SEALING_KEYS: `${canaries.sealingKey}`, BOOTSTRAP_PASSWORD: 'x', ADMIN_PASSWORD_FILE: `/nowhere/${broken}` },
    { BOOTSTRAP_MANAGEMENT_TOKEN: broken, BOOTSTRAP_API_KEY: broken, REDIS_URL: broken },
    { OTEL_EXPORTER_OTLP_ENDPOINT: broken },
  ];
  for (const own of bad) {
    const [api, dispatcher] = await Promise.all([start('api', own), start('dispatcher', own)]);
    const codes = await Promise.all([api.ended, dispatcher.ended]);
    expect(codes).toEqual([1, 1]);
  }
  const wrong = {
    REDIS_URL: login(redisUrl, redisUser, canaries.brokenSetting),
    DATABASE_URL: login(`postgres://127.0.0.1:${await freePort()}/a`, 'a', canaries.databasePassword),
  };
  const before = output.length;
  const lost = await start('dispatcher', wrong);
  // Searches the output of all processes, because a process keeps only the last part of its own.
  const said = (line: string) => output.slice(before).includes(line);
  await waitFor(() => said("Postgres' clock could not be read") && said('the queues report a fault'), {
    what: 'the dispatcher to log that it cannot reach the stores',
    timeoutMs: 30_000,
  });
  await lost.end('SIGTERM');
}

test('no secret appears in logs, Redis, other columns, metrics or errors, after success and every failure', async () => {
  receiver.respondWith(({ url }) => {
    if (url.startsWith('/cut')) return { raw: ({ reset }) => reset() };
    return { status: url.startsWith('/badly') ? 500 : 200, body: `answered with ${canaries.answer}` };
  });
  const api = await startReady('api');
  await useCredentials(api);
  const endpoints = await makeEndpoints(api);
  await usePortal(api);

  // Without a dispatcher, the jobs stay in Redis.
  await ingestAll(api, endpoints);
  const waiting = await readRedis(redisUrl, prefix);
  expect(waiting.text).toContain('eventIds');
  expect(secretsFound(waiting.text)).toEqual([]);

  const dispatcher = await startReady('dispatcher');
  await settleAll();
  const ofCard = { search: [`card:${canaries.payload}`] };
  const search = { token: seeded.managementToken, body: ofCard };
  const { body: found } = await call(api, 'POST', `${management()}/events/search`, search);
  expect((found.events as unknown[]).length).toBeGreaterThan(0);
  await searchAll(api);
  await refuseRows(api, endpoints);
  await takePostgresAway(api, endpoints);
  await settleAll();
  await failToStart();
  await dispatcher.end('SIGKILL');
  const another = await startReady('dispatcher');
  await settleAll();

  for (const [place, content] of await readDatabase(database)) {
    const found = secretsFound(content).filter((name) => !MAY_HOLD[place]?.includes(name));
    expect([place, found]).toEqual([place, []]);
  }
  expect(secretsFound((await readRedis(redisUrl, prefix)).text)).toEqual([]);
  const metricsPort = /"part":"metrics","port":(\d+)/.exec(api.output())?.[1];
  const pages = [`${api.url}/readyz`, `${another.url}/readyz`, `${another.url}/metrics`];
  for (const page of [...pages, ...(metricsPort ? [`http://127.0.0.1:${metricsPort}/metrics`] : [])]) {
    expect(secretsFound(await (await fetch(page)).text())).toEqual([]);
  }
  expect(linesWithSecrets(errors)).toEqual([]);
  expect(linesWithSecrets(output)).toEqual([]);
  // This search finds the secrets in their own places.
  const stored = await readDatabase(database);
  for (const [place, names] of Object.entries(MAY_HOLD)) {
    expect([place, secretsFound(stored.get(place) ?? '')]).toEqual([place, expect.arrayContaining(names)]);
  }
  // A dump and a backup have the contents of the tables. The write-ahead log has everything that was ever in them.
  const wal = (name: string) => walWith(database, canaries[name] ?? '', startedAtMs);
  const withQuery = await wal('query');
  if (withQuery !== undefined) expect([withQuery.length > 0, await wal('payload')]).toEqual([true, []]);
  expect(receiver.requests.every(({ body }) => secretsFound(body.toString()).includes('payload'))).toBe(true);
}, 180_000);

function linesWithSecrets(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const found = secretsFound(line);
    return found.length === 0 ? [] : [`${found.join(', ')}: ${line.slice(0, 1_500)}`];
  });
}
