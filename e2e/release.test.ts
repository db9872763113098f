import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    // As in the workflow, helm packs the chart.
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
    // On stderr, Helm prints the links that it has followed.
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

describe('actions and images', () => {
  const FILES = [
    ...['.github/workflows/ci.yml', '.github/workflows/release.yml', 'deploy/Dockerfile'],
    ...['docker-compose.yml', 'deploy/helm/posthorn/values.yaml'],
  ];
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'posthorn-pins-'));
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      cpSync(join(projectRoot, file), join(root, file));
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Runs the script in another process, because the registry of the test answers in this one. */
  const pins = async (...args: string[]) => {
    const command = ['deploy/release/pins.mjs', '--root', root, ...args];
    const child = spawn(process.execPath, command, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const [status] = await once(child, 'close');
    return { status, stderr };
  };
  const textOf = () => FILES.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');

  /** Makes repositories with an annotated tag for each action that a workflow uses. Returns their commits. */
  function makeRepositories(folder: string): Map<string, string> {
    const used = [...textOf().matchAll(/uses: ([\w.-]+\/[\w.-]+)\S*@(\S+)/g)];
    expect(used.length).toBeGreaterThan(10);
    const commits = new Map<string, string>();
    for (const [, name = '', tag = ''] of used) {
      if (commits.has(name)) continue;
      const git = (...args: string[]) =>
        execFileSync(
          'git',
          ['-C', join(folder, name), '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args],
          {
            encoding: 'utf8',
          },
        ).trim();
      mkdirSync(join(folder, name), { recursive: true });
      git('init', '--quiet');
      git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--allow-empty', '--message', name);
      git('-c', 'tag.gpgsign=false', 'tag', '--annotate', tag, '--message', tag);
      commits.set(name, git('rev-parse', 'HEAD'));
    }
    return commits;
  }

  test('what is not pinned is named and refused, and is pinned to what its tag means in GitHub and the registry', async () => {
    const github = join(root, 'github');
    const commits = makeRepositories(github);
    const manifest = (path: string) => JSON.stringify({ schemaVersion: 2, for: path });
    // Like Docker Hub, this registry names another address that gives anybody a token.
    const registry = createServer(({ url = '', headers }, response) => {
      const { port } = registry.address() as AddressInfo;
      const realm = `http://127.0.0.1:${port}/token`;
      if (url.startsWith('/token?')) return response.end(JSON.stringify({ token: url.slice('/token?'.length) }));
      const scope = `repository:${url.slice('/v2/'.length, url.indexOf('/manifests/'))}:pull`;
      if (headers.authorization === `Bearer ${new URLSearchParams({ service: 'hub', scope })}`) {
        return response.end(manifest(url));
      }
      return response
        .writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="hub",scope="${scope}"` })
        .end();
    });
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    try {
      const refused = await pins();
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('not pinned: docker-compose.yml:')]);
      expect(refused.stderr).toContain('not pinned: .github/workflows/release.yml: actions/checkout@v');

      const hub = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      expect(await pins('--write', '--github', `file://${github}`, '--hub', hub)).toEqual({ status: 0, stderr: '' });
      const pinned = textOf();
      const digest = createHash('sha256').update(manifest('/v2/library/redis/manifests/7.4-bookworm')).digest('hex');
      expect(pinned.split(`image: redis:7.4-bookworm@sha256:${digest}\n`)).toHaveLength(3);
      expect(pinned).toMatch(new RegExp(`uses: actions/checkout@${commits.get('actions/checkout')} # v\\d+\\n`));
      expect(pinned).toMatch(/^ARG NODE_IMAGE=node:\S+@sha256:[0-9a-f]{64}$/m);
      // A second run changes nothing, because no tag has moved.
      await pins('--write', '--github', `file://${github}`, '--hub', hub);
      expect(textOf()).toBe(pinned);
      expect(await pins()).toEqual({ status: 0, stderr: '' });
    } finally {
      registry.close();
    }
  }, 60_000);

  test('nothing is written when one of them is not found', async () => {
    const before = textOf();
    const { status, stderr } = await pins(
      '--write',
      '--github',
      `file://${root}/nowhere`,
      '--hub',
      'http://127.0.0.1:9',
    );
    expect([status, stderr]).toEqual([1, expect.any(String)]);
    expect(textOf()).toBe(before);
  });
});

describe('the workflows of the public repository', () => {
  type Step = { uses?: string; run?: string };
  type Workflow = {
    permissions: object;
    jobs: Record<string, { steps: Step[]; permissions?: object; 'timeout-minutes'?: number }>;
  };
  const workflows = ['ci', 'release'].map((name): [string, Workflow] => [
    name,
    parse(read(`.github/workflows/${name}.yml`)),
  ]);

  test('a workflow and each of its jobs can do no more than it says, and ends in time', () => {
    const [[, ci], [, publishing]] = workflows as [[string, Workflow], [string, Workflow]];
    expect([ci.permissions, publishing.permissions]).toEqual([{ contents: 'read' }, {}]);
    for (const { jobs } of [ci, publishing]) {
      for (const [job, { 'timeout-minutes': minutes }] of Object.entries(jobs)) {
        expect([job, minutes]).toEqual([job, expect.any(Number)]);
      }
    }
    const rights = Object.entries(publishing.jobs).map(([job, { permissions }]) => [job, permissions]);
    const sign = { 'id-token': 'write' };
    expect(Object.fromEntries(rights)).toEqual({
      check: { contents: 'read' },
      artefacts: { contents: 'read', ...sign, attestations: 'write' },
      image: { contents: 'read', packages: 'write', ...sign, attestations: 'write' },
      chart: { packages: 'write', ...sign },
      npm: sign,
      pypi: { contents: 'read', ...sign },
      maven: { contents: 'read' },
      go: { contents: 'read' },
      release: { contents: 'write' },
    });
  });

  test('the host of the Go module is known by the key that GitHub publishes', () => {
    const { jobs } = parse(read('.github/workflows/release.yml'));
    const commands = jobs.go.steps.map(({ run }: Step) => run ?? '').join('\n');
    expect(commands).toContain('UserKnownHostsFile=$PWD/deploy/release/known_hosts -o StrictHostKeyChecking=yes');
    const [, , key = ''] = read('deploy/release/known_hosts').trim().split(' ');
    const fingerprint = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
    // The fingerprint of GitHub's Ed25519 key, from docs.github.com, GitHub's SSH key fingerprints.
    expect(fingerprint).toBe('+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU=');
  });

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

  // actions/checkout puts the commit of a pushed tag in the place of the tag (actions/checkout#882).
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

  test.each([
    ['a commit of main', 'main', 0],
    ['a commit of another branch', 'other', 1],
  ])('a tag of %s is seen as what it is', (_name, branch, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-main-'));
    try {
      const { steps } = parse(read('.github/workflows/release.yml')).jobs.check;
      const step = steps.find(({ name }: { name?: string }) => name === 'The tag is a commit of main');
      const script = `
        commit='git -C origin -c user.name=a -c user.email=a@example.com -c commit.gpgsign=false commit --quiet --allow-empty'
        git init --quiet --initial-branch main origin && $commit --message first
        git -C origin checkout --quiet -b other && $commit --message second
        git -C origin tag v1.2.3 ${branch} && git -C origin checkout --quiet main && $commit --message third
        git clone --quiet --branch v1.2.3 -c advice.detachedHead=false origin checkout && cd checkout
        ${step.run}`;
      const shell = spawnSync('bash', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' });
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
