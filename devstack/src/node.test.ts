import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot } from './project-root.ts';

// Tests which Node.js devstack/node.sh gives a program. Every npm script goes through it.

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const systems = readdirSync(join(projectRoot, 'devstack/node'));
const versions = systems.map((system) => pinned(system, 'package.json').dependencies[`node-${system}`]);
const [version = ''] = versions;
const [major = ''] = version.split('.');

describe('one version of Node.js', () => {
  test('is the same for every system, and pinned by its checksum', () => {
    expect([systems.length, new Set(versions)]).toEqual([2, new Set([version])]);
    for (const system of systems) {
      const { packages } = pinned(system, 'package-lock.json');
      expect(packages[`node_modules/node-${system}`]).toMatchObject({
        ...{ version, integrity: expect.stringMatching(/^sha512-/) },
      });
    }
  });

  test('is what the image, CI, the types and the services name', () => {
    expect(/^ARG NODE_IMAGE=node:(\d+)-/m.exec(read('deploy/Dockerfile'))?.[1]).toBe(major);
    expect(/"@types\/node": (\d+)\./.exec(read('pnpm-workspace.yaml'))?.[1]).toBe(major);
    for (const service of ['api', 'dispatcher']) {
      expect(JSON.parse(read(`services/${service}/package.json`)).engines.node).toBe(`>=${major}`);
    }
    const inWorkflows = readdirSync(join(projectRoot, '.github/workflows')).flatMap((file) =>
      Object.values<{ steps: { with?: Record<string, unknown> }[] }>(parse(read(`.github/workflows/${file}`)).jobs)
        .flatMap(({ steps }) => steps.map((step) => step.with?.['node-version']))
        .filter((one) => one !== undefined),
    );
    expect([...new Set(inWorkflows)]).toEqual([Number(major)]);
  });

  test('begins in the scripts of package.json, which any Node.js since its own floor may start', () => {
    const { engines, scripts } = JSON.parse(read('package.json'));
    expect(read('devstack/prepare.mjs')).toContain(`requireNode(${engines.node.slice(2).replace('.', ', ')})`);
    expect(Object.entries<string>(scripts).filter(([, script]) => /\bnode(?!\.sh) /.test(script))).toEqual([]);
  });
});

/** The package.json or the lock file of npm: both are JSON. */
function pinned(system: string, file: string) {
  return JSON.parse(read(`devstack/node/${system}/${file}`));
}

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;
describeOnLinux('devstack/node.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-node-'));
  const manifest = JSON.stringify({ name: 'node', version, bin: { node: 'bin/node' } });
  let registry: Server;
  let fetched = 0;
  let checksum: string;
  beforeAll(async () => {
    // A package whose program says which Node it is, and runs the real one.
    mkdirSync(join(folder, 'package/bin'), { recursive: true });
    writeFileSync(join(folder, 'package/package.json'), manifest);
    program(join(folder, 'package/bin/node'), `FROM=registry exec '${process.execPath}' "$@"`);
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
    const packed = readFileSync(join(folder, 'package.tgz'));
    checksum = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
    registry = createServer(({ url }, response) => {
      if (url?.endsWith('.tgz')) {
        fetched += 1;
        response.end(packed);
        return;
      }
      const tarball = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/node.tgz`;
      const dist = { tarball, integrity: checksum };
      response.end(JSON.stringify({ versions: { [version]: { ...JSON.parse(manifest), dist } } }));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function program(path: string, line: string): void {
    writeFileSync(path, `#!/bin/sh\n${line}\n`);
    chmodSync(path, 0o755);
  }

  /** Makes a checkout that wants the package above, on a machine with the version `machine` of Node. */
  function checkout(name: string, machine: string, integrity = checksum): (...args: string[]) => Promise<unknown> {
    const root = join(folder, name);
    cpSync(join(projectRoot, 'devstack/node'), join(root, 'devstack/node'), { recursive: true });
    cpSync(join(projectRoot, 'devstack/node.sh'), join(root, 'devstack/node.sh'));
    for (const system of systems) {
      const name = `node-${system}`;
      const lock = JSON.parse(read(`devstack/node/${system}/package-lock.json`));
      const { os, cpu, ...everywhere } = lock.packages[`node_modules/${name}`];
      lock.packages[`node_modules/${name}`] = { ...everywhere, integrity };
      writeFileSync(join(root, `devstack/node/${system}/package-lock.json`), JSON.stringify(lock));
    }
    mkdirSync(join(root, 'bin'));
    const own = `[ "$1" = --version ] && echo ${machine} || FROM=machine exec '${process.execPath}' "$@"`;
    program(join(root, 'bin/node'), own);
    return async (...args) => {
      const child = spawn('sh', [join(root, 'devstack/node.sh'), ...args], {
        env: {
          ...{ PATH: `${join(root, 'bin')}:${process.env.PATH}`, HOME: root },
          npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
        },
      });
      const [[status], stdout, stderr] = await Promise.all([
        once(child, 'close'),
        text(child.stdout),
        text(child.stderr),
      ]);
      const left = existsSync(join(root, '.posthorn')) ? readdirSync(join(root, '.posthorn')) : [];
      return { status, stdout, stderr, left };
    };
  }

  const who = ['--print', 'process.env.FROM'];

  test('runs a program with the machine’s own where that is new enough, and fetches nothing', async () => {
    const before = fetched;
    const run = checkout('new', `v${major}.0.0`);
    expect(await run(...who)).toEqual({ status: 0, stdout: 'machine\n', stderr: '', left: [] });
    expect(fetched).toBe(before);
  });

  test('fetches the pinned one once where it is older, also for two commands that begin together', async () => {
    const run = checkout('old', 'v20.19.0');
    const left = [`node-${version}`];
    const first = { status: 0, stdout: 'registry\n', left: expect.arrayContaining(left) };
    const stderr = `posthorn  fetching Node.js ${version}, because this is 20.19.0 …\n`;
    const runs = await Promise.all([run(...who), run(...who)]);
    expect(runs).toEqual([
      { ...first, stderr },
      { ...first, stderr },
    ]);
    const before = fetched;
    expect(await run(...who)).toEqual({ status: 0, stdout: 'registry\n', stderr: '', left });
    expect(fetched).toBe(before);
  });

  test('gives it to programs that are started by name, too', async () => {
    const run = checkout('by-name', 'v20.19.0');
    const byName = `require('node:child_process').execFileSync('node', ['--print', 'process.env.FROM'], { encoding: 'utf8' })`;
    expect(await run('--print', byName)).toMatchObject({ status: 0, stdout: 'registry\n\n' });
  });

  test('passes the arguments and the exit code on', async () => {
    const run = checkout('arguments', `v${major}.1.0`);
    const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1))); process.exit(7)';
    expect(await run('--eval', script, '--', 'a b', "'", '')).toMatchObject({ status: 7, stdout: `["a b","'",""]` });
  });

  test('refuses one with another checksum, keeps nothing of it, and says what to do', async () => {
    const run = checkout('changed', 'v20.19.0', `sha512-${createHash('sha512').update('other').digest('base64')}`);
    expect(await run(...who)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /EINTEGRITY[\s\S]*could not fetch Node\.js [\d.]+\.\n {10}Check the network .*install Node/,
      ),
      left: [],
    });
  });
});
