import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePython } from '@posthorn/testkit/python-environment';
import { projectRoot } from '../pages/run-page.ts';

// Pastes the install lines of the READMEs into a new project. No registry is reachable, so nothing comes from others.

const prepared = await preparePython();
const goCache = spawnSync('go', ['env', 'GOCACHE', 'GOMODCACHE'], { encoding: 'utf8' });
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'posthorn-install-'));
  symlinkSync(projectRoot, join(home, 'posthorn'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('the TypeScript library', () => {
  const { project, paste, run } = newProject('typescript');
  run('npm', 'init', '--yes');
  paste('sdks/typescript/README.md');
  writeFileSync(join(project, 'shop.mjs'), `import { VERSION } from '@posthorn/client';\nconsole.log(VERSION);\n`);
  expect(run(process.execPath, 'shop.mjs')).toBe(`${version}\n`);
}, 120_000);

test('the React library, beside the React of the project', () => {
  const { project, paste, run } = newProject('react');
  run('npm', 'init', '--yes');
  paste('sdks/react/README.md');
  symlinkSync(join(projectRoot, 'sdks/react/node_modules/react'), join(project, 'node_modules/react'));
  const program = `import { PosthornPortal } from '@posthorn/react';\nconsole.log(typeof PosthornPortal);\n`;
  writeFileSync(join(project, 'page.mjs'), program);
  expect(run(process.execPath, 'page.mjs')).toBe('function\n');
}, 120_000);

test('the command line', () => {
  const { project, paste, run } = newProject('cli');
  paste('packages/cli/README.md');
  expect(run(join(project, 'global/bin/posthorn'), '--version')).toBe(`${version}\n`);
}, 60_000);

if (prepared.kind === 'missing') test.skip(`the Python library: ${prepared.what}`, () => undefined);
else {
  test('the Python library', () => {
    const { project, paste, run } = newProject('python');
    const [packages = ''] = runIn(project, {}, prepared.python, ['-c', 'import httpx; print(httpx.__path__[0])']).split(
      '/httpx\n',
    );
    run(prepared.python, '-m', 'venv', 'venv');
    // The build tools and the dependencies come from the environment of the library's tests.
    const variables = { PYTHONPATH: packages, PIP_NO_INDEX: '1', PIP_NO_BUILD_ISOLATION: '0' };
    paste('sdks/python/README.md', { ...variables, PATH: `${project}/venv/bin:${process.env.PATH}` });
    const program = 'import posthorn_client; print(posthorn_client.__file__, posthorn_client.__version__)';
    const [file, found] = runIn(project, variables, join(project, 'venv/bin/python'), ['-c', program]).split(' ');
    expect([file, found]).toEqual([expect.stringContaining(`${project}/venv/`), `${version}\n`]);
  }, 120_000);
}

if (goCache.status !== 0) test.skip('the Go library: Go is not installed', () => undefined);
else {
  test('the Go library', () => {
    const { project, paste, run } = newProject('go');
    run('go', 'mod', 'init', 'example.com/shop');
    paste('sdks/go/README.md');
    const program = `package main\n\nimport (\n\t"fmt"\n\n\t"github.com/posthorn/posthorn-go"\n)\n\nfunc main() { fmt.Println(posthorn.Version) }\n`;
    writeFileSync(join(project, 'main.go'), program);
    expect(run('go', 'run', '.')).toBe(`${version}\n`);
  }, 120_000);
}

/** Makes an empty folder. Its commands run without a network, for a user whose checkout is `~/posthorn`. */
function newProject(name: string) {
  const project = join(home, name);
  mkdirSync(project);
  return {
    project,
    run: (program: string, ...args: string[]) => runIn(project, {}, program, args),
    /** Runs the install lines of a README unchanged. */
    paste: (readme: string, variables: Record<string, string> = {}) => {
      const text = readFileSync(join(projectRoot, readme), 'utf8');
      const [, lines = ''] = /<!-- install -->.*?```sh\n(.*?)```/s.exec(text) ?? [];
      expect(lines).not.toBe('');
      return runIn(project, variables, 'bash', ['-euc', lines]);
    },
  };
}

function runIn(cwd: string, variables: Record<string, string>, program: string, args: string[]): string {
  const [build = '', modules = ''] = goCache.status === 0 ? goCache.stdout.split('\n') : [];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ...{ npm_config_offline: 'true', npm_config_prefix: join(home, 'cli/global'), npm_config_legacy_peer_deps: 'true' },
    ...{ GOCACHE: build, GOMODCACHE: modules, GOPROXY: 'off', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
    ...variables,
  };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stdout + stderr}`);
  return stdout;
}
