import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Posthorn, VERSION } from '@posthorn/client';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// Installs the npm package, as it would be published, into an empty project that knows nothing of this repository.

const root = fileURLToPath(new URL('../../', import.meta.url));
const library = join(root, 'sdks/typescript');

let stack: Stack;
let project: string;
let packed: string;
let packedReact: string;
beforeAll(async () => {
  stack = await startStack({ dispatchers: 0 });
  project = mkdtempSync(join(tmpdir(), 'posthorn-client-'));
  [packed, packedReact] = [library, join(root, 'sdks/react')].map((folder) => {
    const said = npm(folder, 'pack', '--json', '--pack-destination', project);
    const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as [{ filename: string }];
    return filename;
  }) as [string, string];
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  npm(project, 'install', '--offline', '--no-audit', '--no-fund', `./${packed}`);
}, 300_000);
afterAll(async () => {
  await stack.stop();
  rmSync(project, { recursive: true, force: true });
});

test('the package has no dependencies, and nothing of the workspace', () => {
  const text = readFileSync(join(project, 'node_modules/@posthorn/client/package.json'), 'utf8');
  expect(text).not.toMatch(/workspace:|catalog:/);
  expect(JSON.parse(text).dependencies).toBeUndefined();
  expect(JSON.parse(text).version).toBe(VERSION);
});

test('the first lines of the README run', async () => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(library, 'README.md'), 'utf8')) ?? [];
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
  writeFileSync(join(project, 'first.js'), program);
  await createType('order.paid');
  await new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken }).applications.upsert('ext:customer-42', {
    name: 'Customer 42',
  });
  expect(node('first.js')).toMatch(/^msg_[0-9a-z]{26} \w+\n$/);
});

const ENTRIES = ['', '/webhooks', '/check', '/express', '/fastify', '/fetch', '/next', '/outbox'].map(
  (entry) => `@posthorn/client${entry}`,
);

test('the types of every entry are found as CommonJS and as ES modules, in every way in which TypeScript looks for them', async () => {
  const program = `
    const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
    const { readFileSync } = await import('node:fs');
    const tarball = createPackageFromTarballData(readFileSync(process.argv[1]));
    const { types, problems } = await checkPackage(tarball, { excludeEntrypoints: ['./outbox.sql'] });
    console.log(JSON.stringify({ types, problems }));`;
  for (const tarball of [packed, packedReact]) {
    const args = ['--input-type=module', '--eval', program, join(project, tarball)];
    const { types, problems } = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
    expect({ tarball, types: types.kind, problems }).toEqual({ tarball, types: 'included', problems: [] });
  }
});

test('the tarballs have no tests', () => {
  for (const tarball of [packed, packedReact]) {
    const files = execFileSync('tar', ['-tzf', tarball], { cwd: project, encoding: 'utf8' }).split('\n');
    expect(files).toContain('package/dist/index.js');
    expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
  }
});

test('every entry of the package can be imported', () => {
  const imports = ENTRIES.map((entry, n) => `import * as entry${n} from '${entry}';`);
  const counts = ENTRIES.map((_, n) => `Object.keys(entry${n}).length`);
  writeFileSync(
    join(project, 'entries.js'),
    `${imports.join('\n')}\nconsole.log(Math.min(${counts.join(', ')}) > 0);\n`,
  );
  expect(node('entries.js')).toBe('true\n');
});

describe('in a project of CommonJS', () => {
  test('every entry of the package can be required, and is no ES module', () => {
    const program = `
      const { types } = require('node:util');
      const entries = ${JSON.stringify(ENTRIES)}.map((entry) => require(entry));
      console.log(entries.every((entry) => Object.keys(entry).length > 0 && !types.isModuleNamespaceObject(entry)));
    `;
    writeFileSync(join(project, 'entries.cjs'), program);
    expect(node('entries.cjs')).toBe('true\n');
  });

  test('Jest with its own settings runs a test that imports the library', () => {
    writeFileSync(join(project, 'jest.config.cjs'), `module.exports = { testMatch: ['**/signs.spec.cjs'] };\n`);
    writeFileSync(
      join(project, 'signs.spec.cjs'),
      `const { sign, verify } = require('@posthorn/client/webhooks');
      test('signs', async () => {
        const headers = await sign('{}', 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=', { id: 'msg_1' });
        expect(await verify('{}', headers, 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=')).toMatchObject({ id: 'msg_1' });
      });\n`,
    );
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const { status, output } = run(process.execPath, [jest, '--config', 'jest.config.cjs', '--ci']);
    expect([status, output]).toEqual([0, expect.anything()]);
  });

  // These are the settings with which NestJS compiles a program by default.
  test('a program compiles with the settings of old, and runs', () => {
    writeFileSync(
      join(project, 'old.cts'),
      `import { Posthorn, OptionError } from '@posthorn/client';
      import { webhookHandler } from '@posthorn/client/express';
      import { verify } from '@posthorn/client/webhooks';
      const kept: [typeof Posthorn, typeof verify] = [Posthorn, verify];
      try { webhookHandler(process.env['NO_SUCH_SECRET'], (webhook) => console.log(webhook.id)); }
      catch (error) { console.log(kept.length, error instanceof OptionError); }
      declare const process: { env: Record<string, string | undefined> };\n`,
    );
    const old = [
      '--strict',
      '--module',
      'commonjs',
      '--moduleResolution',
      'node10',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
    ];
    const compiler = join(root, 'node_modules/typescript-api/bin/tsc');
    const { status, output } = run(process.execPath, [compiler, ...old, 'old.cts']);
    expect([status, output]).toEqual([0, '']);
    expect(node('old.cjs')).toBe('2 true\n');
  });
});

test('a strict project compiles: a producer takes only the names and payloads of `posthorn types`, and the receiver of the README', () => {
  const readme = readFileSync(join(library, 'README.md'), 'utf8');
  const [, receiver = ''] = /^```ts\n(import \{ webhookHandler \}.*?)^```/ms.exec(readme) ?? [];
  expect(receiver).toContain('process.env.WEBHOOK_SECRET');
  writeFileSync(join(project, 'receiver.ts'), `${receiver}\ndeclare function fulfil(order: unknown): Promise<void>;\n`);
  writeFileSync(join(project, 'shop.ts'), SHOP);
  writeFileSync(join(project, 'events.ts'), PAYLOADS);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true };
  const compilerOptions = { ...strict, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: ['node'] };
  // The README does not install the types of Express and of Node, so they come from this checkout.
  const typeRoots = [join(root, 'node_modules/@types')];
  const paths = { express: [join(root, 'node_modules/@types/express')] };
  const settings = { ...compilerOptions, typeRoots, paths };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: settings, files: ['shop.ts', 'receiver.ts'] }),
  );
  const { status, output } = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  expect([status, output]).toEqual([0, '']);
});

const SHOP = `
import { ALL_APPLICATIONS, type Delivery, NotFoundError, Posthorn, RateLimitedError } from '@posthorn/client';
import { webhookHandler } from '@posthorn/client/fetch';
import { outbox, relay, type Database, type Sql } from '@posthorn/client/outbox';
import { verify } from '@posthorn/client/webhooks';
import type { Payloads } from './events.js';

const posthorn = new Posthorn({ baseUrl: 'https://posthorn.example.com', token: 'phm_x', apiKey: 'phk_x', retries: 3 });
const answer = await posthorn.events.send('order.paid', { id: 1 }, { application: ALL_APPLICATIONS, deliverAt: new Date() });
const isNew: boolean = !answer.duplicate;
const letters: Delivery[] = await posthorn.deliveries.list({ status: 'dead_letter' }).toArray({ limit: 10 });
const counted = await posthorn.endpoints.recover('ep_1', { since: new Date(), mode: 'failed', dryRun: true });
const matched: number = counted.matched;
await posthorn.applications.update('app_1', { externalId: null });
try {
  await posthorn.endpoints.get('ep_1');
} catch (error) {
  if (error instanceof RateLimitedError) console.log(error.retryAfter?.toFixed());
  if (error instanceof NotFoundError && error.code === 'not_found') console.log(error.requestId);
}
export const POST = webhookHandler('whsec_x', async (webhook) => {
  const order = webhook.json<{ id: string }>();
  console.log(order.id, webhook.type, isNew, letters.length, matched);
});
export const checked = verify(new Uint8Array(), new Headers(), ['whsec_a', 'whpk_b'], { toleranceSeconds: 60 });
const all: Delivery[] = await posthorn.deliveries.list().toArray();
console.log(all.length);
// @ts-expect-error: an event names its customer
await posthorn.events.send('order.paid', { id: 1 });
// @ts-expect-error: so does an event of a batch
await posthorn.events.sendBatch([{ eventType: 'order.paid', data: 1 }]);
await posthorn.events.sendBatch([{ eventType: 'order.paid', applicationId: 'ext:a', data: 1 }]);
await posthorn.events.sendBatch([{ eventType: 'order.paid', data: 1 }], { application: 'ext:a' });
// @ts-expect-error: an endpoint has a URL or a type
await posthorn.endpoints.create({ url: 1 });

const kafka = { brokers: ['kafka.example.com:9093'], topic: 'events' };
await posthorn.endpoints.create({ type: 'kafka', config: { destination: kafka, signature: 'standard' } });
// @ts-expect-error: the destination of another type
await posthorn.endpoints.create({ type: 'sqs', config: { destination: kafka } });
// @ts-expect-error: a webhook has a URL and no destination
await posthorn.endpoints.create({ url: 'https://example.com', config: { destination: kafka } });
// @ts-expect-error: no such signature
await posthorn.endpoints.create({ url: 'https://example.com', config: { signature: 'githup' } });
const hmac = { scheme: 'hmac', header: 'X-Signature' } as const;
const created = await posthorn.endpoints.create({
  url: 'https://example.com',
  config: { signature: hmac },
  eventTypes: ['order.*', { name: 'order.paid', filter: { total: 1 } }],
  metadata: { level: 1 },
});
// @ts-expect-error: neither a name nor a pattern
await posthorn.endpoints.create({ url: 'https://example.com', eventTypes: [{ filter: {} }] });
// @ts-expect-error: metadata has no objects
await posthorn.endpoints.create({ url: 'https://example.com', metadata: { a: {} } });
const region: string | undefined = created.type === 'kinesis' ? created.config.destination.region : undefined;
const topic: string | undefined = created.type === 'kafka' ? created.config.destination.topic : region;
await posthorn.endpoints.update(created.id, { config: { ...created.config, timeoutSeconds: 5 } });
console.log(topic);

const typed = new Posthorn<Payloads>();
const everybody = { application: ALL_APPLICATIONS };
await typed.events.send('order.paid', { id: 'a', total: 1 }, everybody);
// @ts-expect-error: a field of the payload is missing
await typed.events.send('order.paid', { id: 'a' }, everybody);
// @ts-expect-error: no event type has this name
await typed.events.send('order.payd', { id: 'a', total: 1 }, everybody);
await typed.events.sendBatch([{ eventType: 'user.gone', data: { id: 1 } }, { endpointId: 'ep_1', data: 'x' }], everybody);
// @ts-expect-error: the payload of another event type
await typed.events.sendBatch([{ eventType: 'user.gone', data: { id: 'a', total: 1 } }], everybody);
// @ts-expect-error: no customer
await typed.events.sendBatch([{ eventType: 'user.gone', data: { id: 1 } }]);
await typed.events.create({ eventType: 'user.gone', data: { id: 1 } });
// @ts-expect-error: a field of the payload has another type
await typed.events.create({ eventType: 'user.gone', data: { id: '1' } });
declare const sql: Sql;
await outbox<Payloads>(sql).send('user.gone', { id: 1 }, everybody);
// @ts-expect-error: a field of the payload has another type
await outbox<Payloads>(sql).send('user.gone', { id: '1' }, everybody);
declare const database: Database;
await relay(database, typed);
`;

/** Types in the form that `posthorn types` writes. */
const PAYLOADS = `export type Payloads = {
  'order.paid': { id: string; total: number };
  'user.gone': { id: number };
};
`;

async function createType(name: string): Promise<void> {
  const url = `${stack.api.url}/management/v1/workspaces/${stack.workspaceId}/event-types`;
  const headers = { authorization: `Bearer ${stack.managementToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name, publishIn: [stack.environmentId] });
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function node(file: string): string {
  return execFileSync(process.execPath, [file], {
    cwd: project,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      POSTHORN_BASE_URL: stack.api.url,
      POSTHORN_API_KEY: stack.apiKey,
      POSTHORN_TOKEN: stack.managementToken,
    },
  });
}

function run(program: string, args: string[]): { status: number; output: string } {
  try {
    return { status: 0, output: execFileSync(program, args, { cwd: project, encoding: 'utf8' }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { status, output: stdout };
  }
}
