import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onServer } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';

type InstanceProcess = { name: string; pid: number; metricsUrl?: string; adminUrl?: string };
type Instance = {
  baseUrl: string;
  dashboardUrl: string;
  mailboxUrl: string;
  metricsUrl: string;
  databaseUrl: string;
  redisUrl: string;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  login: { email: string; password: string };
  admin: { user: string; password: string };
  processes: InstanceProcess[];
};

const launcherScript = fileURLToPath(new URL('../devstack/dist/start.js', import.meta.url));
const receiverScript = fileURLToPath(new URL('../devstack/dist/receiver/main.js', import.meta.url));
const demoScript = fileURLToPath(new URL('../devstack/dist/showcase/main.js', import.meta.url));

describe('npm start', () => {
  const home = mkdtempSync(join(tmpdir(), 'posthorn-start-'));
  const instanceFile = join(home, 'instance.json');
  let launcher: ChildProcess;
  let words = '';

  beforeAll(async () => {
    launcher = spawn(process.execPath, [launcherScript], {
      env: { ...withoutGivenStores(process.env), PORT: '0', POSTHORN_HOME: home, DISPATCHERS: '2' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    launcher.stderr?.on('data', (chunk) => {
      words += String(chunk);
    });
    await waitFor(() => existsSync(instanceFile) || ended(launcher), { what: 'the instance file', timeoutMs: 120_000 });
    if (ended(launcher)) throw new Error(`the launcher ended:\n${words}`);
  }, 130_000);

  afterAll(async () => {
    if (!ended(launcher)) launcher.kill('SIGTERM');
    await waitFor(() => ended(launcher), { what: 'the end of the launcher', timeoutMs: 35_000 });
    // If root runs it, Postgres has its data elsewhere, and the home has a link to it.
    const postgres = join(home, 'postgres');
    if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }, 40_000);

  const read = () => JSON.parse(readFileSync(instanceFile, 'utf8')) as Instance;
  const pidOf = (name: string) => read().processes.find((process) => process.name === name)?.pid ?? 0;

  test('the instance file has everything needed to use the instance, readable by its owner only', async () => {
    const instance = read();
    expect(statSync(instanceFile).mode & 0o777).toBe(0o600);
    expect(instance).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboardUrl: expect.stringMatching(/^http:\/\/(localhost|127\.0\.0\.1):\d+$/),
      metricsUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/),
      databaseUrl: expect.stringMatching(/^postgresql:\/\//),
      redisUrl: expect.stringMatching(/^redis:\/\//),
      workspaceId: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
      environmentId: expect.stringMatching(/^env_[0-9a-z]{26}$/),
      managementToken: expect.stringMatching(/^phm_/),
      apiKey: expect.stringMatching(/^phk_/),
      login: { email: expect.any(String), password: expect.any(String) },
      admin: { user: expect.any(String), password: expect.any(String) },
    });
    const names = instance.processes.map((process) => process.name);
    expect(names).toEqual(['postgres', 'redis', 'api', 'dispatcher-1', 'dispatcher-2']);
    for (const { pid } of instance.processes) expect(lives(pid)).toBe(true);
  });

  test('a mail of Posthorn arrives in the mailbox of the instance, and nowhere else', async () => {
    const { baseUrl, mailboxUrl, login } = read();
    const asked = await fetch(`${baseUrl}/api/auth/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: login.email }),
    });
    expect(asked.ok).toBe(true);
    const listed = async () => (await (await fetch(mailboxUrl)).text()).includes(login.email);
    await waitFor(listed, { what: 'the mail in the mailbox', timeoutMs: 30_000 });
    const mail = await (await fetch(`${mailboxUrl}/mails/1`)).text();
    expect(mail).toContain(`${baseUrl}/`);
  });

  test('the API, its metrics and each dispatcher answer at the addresses in the instance file', async () => {
    const { baseUrl, dashboardUrl, processes } = read();
    for (const url of [baseUrl, dashboardUrl]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    for (const { name, metricsUrl, adminUrl } of processes.filter((process) => process.metricsUrl)) {
      expect([name, (await fetch(metricsUrl ?? '')).status]).toEqual([name, 200]);
      if (name !== 'api') expect([name, (await fetch(adminUrl ?? '')).status]).toEqual([name, 401]);
    }
  });

  test('no dispatcher reports a fault of the reconciler at its start', () => {
    for (const number of [1, 2]) {
      expect(readFileSync(join(home, `logs/dispatcher-${number}.log`), 'utf8')).not.toContain(
        'reconciler round failed',
      );
    }
  });

  test('no port is open beyond the loopback address', async () => {
    const { baseUrl, processes } = read();
    const urls = [baseUrl, ...processes.flatMap(({ metricsUrl, adminUrl }) => [metricsUrl, adminUrl])];
    for (const url of urls.filter((one) => one !== undefined)) {
      // This is another address of the same machine. It answers only if a port is open on all addresses.
      await expect(fetch(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
    }
  });

  test('the services are not superusers: the API and the dispatchers use the runtime role', async () => {
    const { databaseUrl } = read();
    const roles = await onServer(
      databaseUrl,
      `select distinct a.usename as role, r.rolsuper as super from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
       where a.datname = current_database() and a.pid <> pg_backend_pid()`,
    );
    expect(roles).toContainEqual({ role: 'posthorn_runtime', super: false });
    expect(roles.filter((one) => one.super)).toEqual([]);
  });

  test('both credentials work for the workspace and environment in the instance file', async () => {
    const { baseUrl, workspaceId, environmentId, managementToken, apiKey } = read();
    const management = `${baseUrl}/management/v1/workspaces/${workspaceId}`;
    const visibility = await fetch(`${management}/environments/${environmentId}/event-types`, {
      headers: { authorization: `Bearer ${managementToken}` },
    });
    expect(await visibility.json()).toMatchObject([{ eventTypeName: 'demo.order_created', published: true }]);
    const event = await fetch(`${baseUrl}/api/ingest/event/demo.order_created`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(event.status).toBe(202);
    expect(await event.json()).toMatchObject({ environmentId, published: true });
  });

  test('the login in the instance file works, and the dashboard links to the queue board of the first dispatcher', async () => {
    const { baseUrl, login, processes } = read();
    const reply = await fetch(`${baseUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    });
    const { token } = (await reply.json()) as { token: string };
    const me = await fetch(`${baseUrl}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    const board = processes.find(({ name }) => name === 'dispatcher-1')?.adminUrl;
    expect(await me.json()).toMatchObject({ user: { email: login.email }, queueBoardUrl: board });
  });

  test('the closing box names every address; its commands bring a webhook to npm run receiver when they are pasted', async () => {
    const { baseUrl, dashboardUrl, processes } = read();
    await waitFor(() => words.includes('start        took'), { what: 'the closing box', timeoutMs: 10_000 });
    const box = words.slice(words.indexOf('Posthorn is ready.'));
    expect(box).toContain(`Dashboard   ${dashboardUrl}\n`);
    const addresses = processes.flatMap(({ metricsUrl, adminUrl }) => [metricsUrl ?? '', adminUrl ?? '']);
    for (const address of [`${baseUrl}/reference`, ...addresses]) expect(box).toContain(address);
    expect(statSync(join(home, 'env')).mode & 0o777).toBe(0o600);

    const receiver = spawn(process.execPath, [receiverScript, '--port', '0', '--json'], {
      env: { ...process.env, POSTHORN_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { lines: '', words: '' };
    receiver.stdout.on('data', (chunk) => (output.lines += String(chunk)));
    receiver.stderr.on('data', (chunk) => (output.words += String(chunk)));
    try {
      const address = () => /https:\/\/127\.0\.0\.1:\d+/.exec(output.words)?.[0];
      await waitFor(() => address() !== undefined, { what: 'the receiver', timeoutMs: 20_000 });
      const variables = `. ${home}/env`;
      const commands = box.slice(box.indexOf(variables) + variables.length, box.lastIndexOf('─'.repeat(100)));
      const pasted = `${variables}\nRECEIVER_URL=${address()}/hook\n${commands}`;
      execFileSync('bash', ['-eu', '-o', 'pipefail', '-c', pasted], { encoding: 'utf8' });
      await waitFor(() => output.lines.includes('\n'), { what: 'the webhook', timeoutMs: 10_000 });
      expect(JSON.parse(output.lines)).toMatchObject({
        path: '/hook',
        headers: { 'webhook-event-type': 'account.opened' },
        body: '{"id":"account_1","name":"Ada"}',
        signature: 'verified',
        status: 204,
      });
      const { workspaceId, managementToken } = read();
      const workspace = `${baseUrl}/management/v1/workspaces/${workspaceId}`;
      const headers = { authorization: `Bearer ${managementToken}`, 'content-type': 'application/json' };
      const get = async (path: string) =>
        (await (await fetch(`${workspace}/${path}`, { headers })).json()) as Record<string, string>;
      const eventId = JSON.parse(output.lines).headers['webhook-id'];
      const { id: customer } = await get('applications/ext:fabrikam');
      expect(await get(`events/${eventId}`)).toMatchObject({ applicationId: customer });
      const endpoints = (await get('endpoints')) as unknown as Record<string, string>[];
      const ours = endpoints.find(({ url }) => url === `${address()}/hook`);
      expect(ours).toMatchObject({ applicationId: customer });
      const endpointId = ours?.id;
      const ask = async (path: string, body: object) => {
        const answer = await fetch(`${workspace}/endpoints/${endpointId}/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (await answer.json()) as Record<string, unknown>;
      };
      expect(await ask('test', { payload: { tested: true } })).toMatchObject({ responseStatus: 204 });
      const { verdict, checks } = await ask('doctor', {});
      expect({ verdict, checks }).toMatchObject({ verdict: 'healthy', checks: expect.anything() });
    } finally {
      receiver.kill('SIGTERM');
      await waitFor(() => ended(receiver), { what: 'the end of the receiver', timeoutMs: 10_000 });
    }
    expect(receiver.exitCode).toBe(0);
  }, 60_000);

  test('npm run receiver verifies every preset beside endpoints of the same address, and takes what is not signed at /unsigned', async () => {
    const { baseUrl, workspaceId, managementToken, apiKey } = read();
    const receiver = spawn(process.execPath, [receiverScript, '--port', '0', '--json'], {
      env: { ...process.env, POSTHORN_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { lines: '', words: '' };
    receiver.stdout.on('data', (chunk) => (output.lines += String(chunk)));
    receiver.stderr.on('data', (chunk) => (output.words += String(chunk)));
    const received = () => output.lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    const post = async (url: string, token: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const workspace = `${baseUrl}/management/v1/workspaces/${workspaceId}`;
    try {
      const address = () => /https:\/\/127\.0\.0\.1:\d+/.exec(output.words)?.[0];
      await waitFor(() => address() !== undefined, { what: 'the receiver', timeoutMs: 20_000 });
      const secret = 'a secret of another service';
      const endpoints = [
        {},
        ...['svix', 'stripe', 'github', 'shopify', 'slack', 'convoy', 'convoy-advanced', 'outpost', 'hook0'].map(
          (signature) => ({ secret, config: { signature, standardHeaders: false } }),
        ),
      ];
      let standard = '';
      for (const [n, endpoint] of endpoints.entries()) {
        const { id = '' } = await post(`${workspace}/endpoints`, managementToken, {
          url: `${address()}/same`,
          ...endpoint,
        });
        if (n === 0) standard = id;
        expect(await post(`${baseUrl}/api/ingest/${id}`, apiKey, { n })).toMatchObject({
          deliveryId: expect.anything(),
        });
      }
      await waitFor(() => received().length >= endpoints.length, { what: 'a webhook of each', timeoutMs: 20_000 });
      const bad = received().filter(({ signature, status }) => signature !== 'verified' || status !== 204);
      expect(bad).toEqual([]);
      // The test belongs to no delivery, so every endpoint with the address is tried.
      const tested = await post(`${workspace}/endpoints/${standard}/test`, managementToken, { payload: {} });
      expect(tested).toMatchObject({ responseStatus: 204 });
      const rule = {
        name: 'Chat',
        channel: 'slack',
        target: `${address()}/unsigned`,
        events: ['posthorn.endpoint.failing'],
      };
      const { id = '' } = await post(`${workspace}/alert-rules`, managementToken, rule);
      await post(`${workspace}/alert-rules/${id}/test`, managementToken, {});
      const alert = () => received().find(({ path }) => path === '/unsigned');
      await waitFor(() => alert() !== undefined, { what: 'the alert', timeoutMs: 20_000 });
      expect(alert()).toMatchObject({ signature: 'unsigned', status: 204, body: expect.stringContaining('Chat') });
    } finally {
      receiver.kill('SIGTERM');
      await waitFor(() => ended(receiver), { what: 'the end of the receiver', timeoutMs: 10_000 });
    }
  }, 90_000);

  test('the demo event arrived and its signature was verified before the start reported ready', () => {
    expect(words).toMatch(/demo .*msg_\w+ arrived at https:\/\/127\.0\.0\.1:\d+\/webhooks .*signature verified/);
    expect(words.indexOf('signature verified')).toBeLessThan(words.indexOf('Posthorn is ready.'));
  });

  test('npm run demo fills the workspace once, however often it is run, and Ctrl-C ends it', async () => {
    const { baseUrl, workspaceId, managementToken } = read();
    const list = async (path: string): Promise<Record<string, unknown>[]> => {
      const headers = { authorization: `Bearer ${managementToken}` };
      const answer = await fetch(`${baseUrl}/management/v1/workspaces/${workspaceId}/${path}`, { headers });
      const body = (await answer.json()) as Record<string, unknown>[] | Record<string, Record<string, unknown>[]>;
      return Array.isArray(body) ? body : (Object.values(body)[0] ?? []);
    };
    const made = async () => ({
      customers: (await list('applications')).filter(({ externalId }) => externalId !== 'fabrikam').length,
      eventTypes: (await list('event-types')).filter(({ name }) => String(name).startsWith('demo.')).length,
      examples: (await list('event-types')).filter(({ example }) => example !== null).length,
      endpoints: (await list('endpoints')).filter(({ metadata }) => Object.hasOwn(Object(metadata), 'demo')).length,
    });
    const arrivals = 'deliveries?limit=100&status=delivered&event_type=demo.order.created';
    const delivered = async () => (await list(arrivals)).length;
    for (let run = 1; run <= 2; run += 1) {
      const before = run === 1 ? 0 : await delivered();
      const demo = spawn(process.execPath, [demoScript, '--rate', '20'], {
        env: { ...process.env, POSTHORN_HOME: home },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      demo.stderr.on('data', (chunk) => (said += String(chunk)));
      try {
        const arrived = async () =>
          ended(demo) || (said.includes('endpoints are there') && (await delivered()) > before);
        await waitFor(arrived, { what: 'deliveries of the demo', timeoutMs: 30_000 });
      } finally {
        demo.kill('SIGINT');
        await waitFor(() => ended(demo), { what: 'the end of the demo', timeoutMs: 10_000 });
      }
      expect([demo.exitCode, said]).toEqual([0, expect.stringContaining('8 endpoints are there')]);
      expect(said).not.toContain('not accepted');
      expect(await made()).toEqual({ customers: 3, eventTypes: 7, examples: 6, endpoints: 8 });
    }
  }, 90_000);

  test.each(['api', 'dispatcher-2', 'redis', 'postgres'])('%s is restarted when it is killed', async (name) => {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    await waitFor(() => lives(pidOf(name)) && pidOf(name) !== before, { what: `another ${name}`, timeoutMs: 20_000 });
    const { baseUrl } = read();
    await waitFor(async () => (await statusOf(`${baseUrl}/readyz`)) === 200, { what: 'readiness', timeoutMs: 20_000 });
  });

  test('SIGTERM ends every process within 30 s and removes the instance file', async () => {
    const pids = read().processes.map((process) => process.pid);
    const beganMs = performance.now();
    launcher.kill('SIGTERM');
    await waitFor(() => ended(launcher), { what: 'the end of the launcher', timeoutMs: 35_000 });
    expect(performance.now() - beganMs).toBeLessThan(30_000);
    expect(launcher.exitCode).toBe(0);
    expect(pids.filter(lives)).toEqual([]);
    expect(existsSync(instanceFile)).toBe(false);
  }, 40_000);
});

/** Removes the test stores, which the instance must not use. */
function withoutGivenStores({ DATABASE_URL, REDIS_URL, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest;
}

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).status;
  } catch {
    return 0; // Nothing listens there now.
  }
}

function ended(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function lives(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
