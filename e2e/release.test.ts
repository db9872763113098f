import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { projectRoot } from './pages/run-page.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const git = (...args: string[]) => spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).stdout;
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['deploy/release/release.mjs', ...args], { cwd: projectRoot, encoding: 'utf8' });

describe('npm run release', () => {
  let folder: string;
  let before: string;
  let dry: ReturnType<typeof release>;
  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'posthorn-release-')), 'out');
    before = git('status', '--porcelain');
    dry = release('9.9.9', '--dry-run', '--output', folder);
  }, 60_000);
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  test('a dry run builds everything that needs no network, and changes nothing in the checkout', () => {
    expect([dry.status, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toMatch(/\d\d places name the version: \d+\.\d+\.\d+ → 9\.9\.9/);
    expect(git('status', '--porcelain')).toBe(before);
    const built = readdirSync(folder);
    expect(built).toEqual(expect.arrayContaining(['SHA256SUMS', 'posthorn.cdx.json', 'release-notes.md']));
    for (const library of ['client', 'react'])
      expect(built.filter((name) => name.startsWith(`posthorn-${library}-`) && name.endsWith('.tgz'))).toHaveLength(1);
  });

  test('every file has its checksum', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums).toHaveLength(readdirSync(folder).length - 1);
    for (const line of sums) {
      const [sum, name = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ).toBe(sum);
    }
  });

  test('the bill of materials has what the image runs, with hashes and dependencies, and no tool of tests', () => {
    type Part = { name: string; group?: string; version: string; purl: string; 'bom-ref': string; hashes?: unknown[] };
    const bom: { specVersion: string; components: Part[]; dependencies: { ref: string; dependsOn?: string[] }[] } =
      JSON.parse(readFileSync(join(folder, 'posthorn.cdx.json'), 'utf8'));
    expect(bom.specVersion).toBe('1.6');
    const names = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(names).toEqual(expect.arrayContaining(['express', 'bullmq', 'ioredis', '@prisma/client', 'got', 'react']));
    expect(names.filter((name) => /^(jest|@jest|playwright|@playwright|vite|supertest)/.test(name))).toEqual([]);
    const catalog: Record<string, string> = parse(read('pnpm-workspace.yaml')).catalog;
    expect(bom.components.find((one) => one.name === 'express' && one.group === undefined)).toMatchObject({
      version: catalog.express,
      purl: `pkg:npm/express@${catalog.express}`,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
    const refs = new Set(bom.components.map((one) => one['bom-ref']));
    const named = bom.dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
  });

  test.each([
    [[], 'name the version'],
    [['1.2'], 'name the version'],
    [[JSON.parse(read('package.json')).version], 'has the version'],
  ])('%j is refused before anything is written', (args, reason) => {
    const refused = release(...args);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(git('status', '--porcelain')).toBe(before);
  });
});

describe('the workflows of the public repository', () => {
  type Step = { uses?: string; run?: string };
  type Workflow = { permissions: object; jobs: Record<string, { steps: Step[]; 'timeout-minutes'?: number }> };
  const workflows = ['ci', 'release'].map((name): [string, Workflow] => [
    name,
    parse(read(`.github/workflows/${name}.yml`)),
  ]);

  test.each(workflows)(
    '%s can do no more than it says, ends in time, and uses actions of a fixed version',
    (_name, file) => {
      expect(file.permissions).toEqual({ contents: 'read' });
      for (const [job, { steps, 'timeout-minutes': minutes }] of Object.entries(file.jobs)) {
        expect([job, minutes]).toEqual([job, expect.any(Number)]);
        for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w.-]+\/[\w.-]+@[\w./-]+$/);
      }
    },
  );

  test.each(workflows)('%s runs only files and npm scripts that exist', (_name, file) => {
    const commands = Object.values(file.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, script = ''] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty(script);
    for (const [, path = ''] of commands.join('\n').matchAll(/\b(?:bash|sh) (\S+)/g)) {
      expect([path, existsSync(join(projectRoot, path))]).toEqual([path, true]);
    }
  });

  test('nothing is published before the checks have passed', () => {
    const { jobs } = parse(read('.github/workflows/release.yml'));
    for (const [name, { needs = [] }] of Object.entries<{ needs?: string | string[] }>(jobs)) {
      if (name !== 'check') expect([name, [needs].flat()]).toEqual([name, expect.arrayContaining(['check'])]);
    }
  });
});
