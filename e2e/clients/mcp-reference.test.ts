import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { freePort } from '@posthorn/testkit/free-port';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { startAiSdkAgent } from '../ai-sdk-agent.ts';
import { type Services, startServices } from '../services-in-process.ts';
import { lackOf, MCP_CONFORMANCE, MCP_REFERENCE, saySkipped } from './tools.ts';

// Checks that the AI SDK does the same with Posthorn as with a third-party server of MCP Events: `CLIENTS=quick npm
// test -- e2e/clients`.

const PROGRAM = fileURLToPath(new URL('programs/mcp_events_reference.py', import.meta.url));
const run = promisify(execFile);
const RUN_MS = 300_000;
const isWanted = process.env.CLIENTS !== undefined;
const lack = isWanted ? lackOf('python3') : undefined;
if (lack !== undefined) saySkipped('the reference server of MCP Events', [lack]);
const reference = isWanted && lack === undefined ? test : test.skip;
const conformance = isWanted ? test : test.skip;

const folder = mkdtempSync(join(tmpdir(), 'posthorn-mcp-reference-'));
let receiver: Receiver;
let services: Services | undefined;
let ours: Server;
let server: ChildProcessWithoutNullStreams | undefined;
beforeAll(async () => {
  if (!isWanted) return;
  receiver = await startReceiver();
  ours = await startOurs();
}, 120_000);
afterAll(async () => {
  server?.kill('SIGKILL');
  await services?.stop();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

type Server = { url: string; key: string; send: (data: object) => Promise<unknown> };

async function startOurs(): Promise<Server> {
  services = await startServices({ settings: { MCP_EVENTS: 'true' } });
  const { environmentId } = services;
  const client = createApiClient({ ...services, baseUrl: services.api.url });
  const schema = { type: 'object', properties: { country: { type: 'string' } } };
  const type = { name: 'order.shipped', description: 'An order has left.', schema };
  await client.call('POST', '/event-types', { ...type, publishIn: [environmentId] });
  await client.call('PUT', `/environments/${environmentId}/agents`, { enabled: true });
  const made = await client.call<{ key: string }>('POST', '/agent-keys', { name: 'AI SDK', environmentId });
  return {
    url: `${services.api.url}/mcp/events/${environmentId}`,
    key: made.body.key,
    send: (data) => client.call('POST', '/events', { eventType: 'order.shipped', data }),
  };
}

async function startReference(): Promise<Server> {
  const venv = join(folder, 'venv');
  await run('python3', ['-m', 'venv', venv]);
  await run(join(venv, 'bin/pip'), ['install', '--quiet', ...MCP_REFERENCE], { timeout: RUN_MS });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  const port = await freePort();
  const started = spawn(join(venv, 'bin/python'), [PROGRAM, String(port), join(folder, 'events.sqlite3')], {
    env: { ...process.env, SSL_CERT_FILE: ca },
  });
  server = started;
  started.stderr.pipe(process.stderr);
  const url = `http://127.0.0.1:${port}/mcp`;
  await waitFor(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { what: 'the reference server', timeoutMs: 60_000 },
  );
  return { url, key: 'none', send: async (data) => void started.stdin.write(`${JSON.stringify(data)}\n`) };
}

/** One life of a subscription as the client and its callback see it, without ids, times and signatures. */
async function live({ url, key, send }: Server, protocolVersionDiscovery: boolean) {
  const agent = await startAiSdkAgent({ receiver, url, key, protocolVersionDiscovery });
  try {
    const { events } = await agent.list();
    const subscribed = await agent.subscribe({ name: 'order.shipped', arguments: { country: 'DE' } });
    const secretOf = () => agent.store.all()[0]?.delivery.secret ?? '';
    const secrets = [secretOf()];
    await send({ country: 'FR', number: 1 });
    await send({ country: 'DE', number: 2 });
    await waitFor(() => agent.events.length === 1, { what: 'the event' });
    const refreshed = await agent.rotate(subscribed.id);
    secrets.push(secretOf());
    await send({ country: 'DE', number: 3 });
    await waitFor(() => agent.events.length === 2, { what: 'the event after the refresh' });
    await agent.unsubscribe(subscribed.id);
    // The client forgets a subscription that it has ended, so the requests do not say which client it was.
    const requests = agent.handled.map(({ request, status }) => {
      const { eventId, timestamp, challenge, ...body } = JSON.parse(request.body.toString()) as Record<string, unknown>;
      const id = String(request.headers['webhook-id']);
      return {
        ...{ body, status, hasChallenge: typeof challenge === 'string', hasTime: typeof timestamp === 'string' },
        contentType: request.headers['content-type'],
        isOfSubscription: request.headers['x-mcp-subscription-id'] === subscribed.id,
        id: eventId === undefined ? id.startsWith('msg_verification_') : id === eventId,
        signedBy: secrets.map((secret) => isSignedBy(secret, request)),
      };
    });
    const answers = [subscribed, refreshed].map(({ id, refreshBefore, cursor, truncated }) => {
      return { isSame: id === subscribed.id, expires: typeof refreshBefore === 'string', cursor, truncated };
    });
    const listed = events.map(({ name, description, delivery, payloadSchema }) => {
      return { name, description, delivery, payloadSchema };
    });
    return { listed, answers, requests, events: agent.events.map(({ data }) => data), errors: agent.errors };
  } finally {
    await agent.close();
  }
}

function isSignedBy(secret: string, { body, headers }: { body: Buffer; headers: object }): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

reference(
  'the AI SDK sees the same of us and of the reference server',
  async () => {
    const theirs = await startReference();
    for (const discovery of [true, false]) {
      const [here, there] = [await live(ours, discovery), await live(theirs, discovery)];
      expect(here).toEqual(there);
      expect(here.requests).toMatchObject([
        { signedBy: [true, false] },
        { signedBy: [true, false] },
        { signedBy: [true, true] },
      ]);
    }
  },
  RUN_MS,
);

const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'server-stateless', 'http-header-validation', 'caching'];
/** Checks for prompts, resources and a certain tool, which Posthorn does not offer to agents. */
const NOT_OFFERED = [
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-rejects-undeclared-capability',
];

conformance(
  'the conformance tests of the protocol find no fault in what agents are offered',
  async () => {
    const packages = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, MCP_CONFORMANCE];
    await run('npm', packages, { timeout: RUN_MS });
    const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const proxy = await startProxy(ours);
    const results = join(folder, 'results');
    for (const scenario of SCENARIOS) {
      const options = ['server', '--url', proxy.url, '--scenario', scenario, '--output-dir', results];
      // The program ends with an error when a check fails.
      await run(process.execPath, [program, ...options], { timeout: RUN_MS }).catch(() => undefined);
    }
    await proxy.close();
    const checks = readdirSync(results).flatMap(
      (name) =>
        JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as { id: string; status: string }[],
    );
    const failed = checks.flatMap(({ id, status }) => (status === 'FAILURE' ? id : []));
    expect(failed.sort()).toEqual(NOT_OFFERED);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(25);
  },
  RUN_MS,
);

/** Adds the credential, which the conformance tests do not know. */
async function startProxy({ url, key }: Server) {
  const port = await freePort();
  const proxy = createServer((incoming, outgoing) => {
    const { host: _, ...headers } = incoming.headers;
    const options = { method: incoming.method, headers: { ...headers, authorization: `Bearer ${key}` } };
    const passed = send(url, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(resolve);
        proxy.closeAllConnections();
      }),
  };
}
