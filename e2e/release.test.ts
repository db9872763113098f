import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { hasTools, toolsPath } from './chart/tools.ts';
import { projectRoot } from './pages/run-page.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const git = (...args: string[]) => spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).stdout;
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['deploy/release/release.mjs', ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    // As in the workflow: helm packs the chart.
    env: {
      ...process.env,
      PATH: toolsPath,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'example/webhooks',
    },
  });

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
    // Helm says there which links it followed.
    expect([dry.status, dry.stderr]).toEqual([0, expect.not.stringContaining('release:')]);
    expect(dry.stdout).toMatch(/\d\d places name the version: \d+\.\d+\.\d+ → 9\.9\.9/);
    expect(git('status', '--porcelain')).toBe(before);
    const built = readdirSync(folder);
    expect(built).toEqual(expect.arrayContaining(['SHA256SUMS', 'posthorn.cdx.json', 'release-notes.md']));
    const { version } = JSON.parse(read('package.json'));
    const packed = ['posthorn-cli', 'posthorn-client', 'posthorn-react', ...(hasTools ? ['posthorn'] : [])];
    expect(built.filter((name) => name.endsWith('.tgz')).sort()).toEqual(
      packed.map((name) => `${name}-${version}.tgz`).sort(),
    );
  });

  test('a package names the repository that built it, which npm compares, and knows nothing of this workspace', () => {
    for (const [file, name] of [
      ['client', '@posthorn/client'],
      ['react', '@posthorn/react'],
      ['cli', '@posthorn/cli'],
    ]) {
      const packed = readdirSync(folder).find((one) => one.startsWith(`posthorn-${file}-`)) ?? '';
      const tar = (...args: string[]) => spawnSync('tar', args, { cwd: folder, encoding: 'utf8' }).stdout;
      const manifest = tar('-xzOf', packed, 'package/package.json');
      expect(JSON.parse(manifest)).toMatchObject({
        name,
        repository: { type: 'git', url: 'git+https://github.com/example/webhooks.git' },
      });
      expect(manifest).not.toMatch(/workspace:|catalog:/);
      expect(tar('-tzf', packed)).not.toContain('.test.');
    }
  });

  test('at the tag of a release, the notes come from its section of the changelog', () => {
    const program = `const { releasedNotes, unreleasedNotes, withRelease } = await import('./deploy/release/changelog.mjs');
      const before = '# Changelog\\n\\n## Unreleased\\n\\n### Added\\n\\n- New.\\n\\n## 1.2.2 (2026-01-01, a)\\n\\n- Old.\\n';
      const tagged = withRelease(before, { version: '1.2.3', date: '2026-02-01', commit: 'b' });
      const notes = [unreleasedNotes(before), unreleasedNotes(tagged)];
      for (const version of ['1.2.3', '1.2.2', '1.2']) notes.push(releasedNotes(tagged, version));
      console.log(JSON.stringify(notes));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: projectRoot });
    expect(JSON.parse(String(stdout))).toEqual(['### Added\n\n- New.', '', '### Added\n\n- New.', '- Old.', '']);
  });

  test('every file of a release has its checksum, and the notes have none', () => {
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums).toHaveLength(readdirSync(folder).length - 2);
    expect(sums.join()).not.toContain('release-notes.md');
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

  test('a job that builds has installed the packages and generated the client before', () => {
    const { steps } = parse(read('.github/workflows/release.yml')).jobs.artefacts;
    const commands: string[] = steps.flatMap(({ run }: Step) => run ?? []);
    const release = commands.findIndex((one) => one.startsWith('npm run release'));
    expect(commands.slice(0, release)).toEqual([
      expect.stringMatching(/pnpm@\S+ install --frozen-lockfile$/),
      'npm run db:generate',
      'node devstack/bundle.mjs',
    ]);
  });

  // actions/checkout fetches the commit of a pushed tag into its place (actions/checkout#882).
  test.each([
    ['a signed tag', '-----BEGIN SSH SIGNATURE-----', 0],
    ['a tag without a signature', 'Posthorn 1.2.3', 1],
  ])('%s is seen as what it is', (_name, message, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-tag-'));
    try {
      const { steps } = parse(read('.github/workflows/release.yml')).jobs.check;
      const step = steps.find(({ name }: { name?: string }) => name === 'The tag is signed');
      const script = `
        author='-c user.name=a -c user.email=a@example.com -c commit.gpgsign=false -c tag.gpgsign=false'
        git init --quiet origin
        git -C origin $author commit --quiet --allow-empty --message first
        git -C origin $author tag --annotate v1.2.3 --message '${message}'
        git init --quiet checkout && cd checkout
        git remote add origin ../origin
        git fetch --quiet --no-tags origin "+$(git -C ../origin rev-parse 'v1.2.3^{commit}'):refs/tags/v1.2.3"
        ${step.run}`;
      const env = { ...process.env, GITHUB_REF_NAME: 'v1.2.3' };
      const shell = spawnSync('bash', ['-e', '-c', script], { cwd: folder, encoding: 'utf8', env });
      expect([shell.status, shell.stderr]).toEqual([status, '']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('nothing is published before the checks have passed', () => {
    const { jobs } = parse(read('.github/workflows/release.yml'));
    for (const [name, { needs = [] }] of Object.entries<{ needs?: string | string[] }>(jobs)) {
      if (name !== 'check') expect([name, [needs].flat()]).toEqual([name, expect.arrayContaining(['check'])]);
    }
  });
});
