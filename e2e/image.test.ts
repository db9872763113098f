import { execFile } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase, testRedis } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { awaitReady, type ServiceName, startService } from '@posthorn/testkit/service-process';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { projectRoot } from './pages/run-page.ts';

// Runs the image's build steps in an empty folder with the files that Docker would copy, and starts the result. It
// takes minutes and installs packages, so it runs only on request: `IMAGE=true npm test -- e2e/image`.

const run = promisify(execFile);
const WITHIN_MS = 600_000;
const isWanted = process.env.IMAGE === 'true';
const folder = mkdtempSync(join(tmpdir(), 'posthorn-image-'));
const out = join(folder, 'out');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

(isWanted ? test : test.skip)(
  'the image’s build steps make a folder in which each role starts, with the dashboard and without build tools',
  async () => {
    const sources = join(folder, 'app');
    for (const file of await copiedFiles()) cpSync(join(projectRoot, file), join(sources, file));
    await run('sh', ['deploy/build.sh', out], { cwd: sources, maxBuffer: 1e8 });
    // The services must run without the files that the image leaves behind.
    rmSync(sources, { recursive: true });

    const installed = readdirSync(join(out, 'node_modules/.pnpm'));
    expect(installed.filter((name) => /^(prisma|typescript|vite|jest|playwright[^@]*)@/.test(name))).toEqual([]);
    expect(shownPrograms()).toContain('isGenuine');

    const { databaseUrl, drop } = await createTestDatabase(join(out, 'prisma/migrations'));
    try {
      const settings = serviceSettings({ databaseUrl, ...testRedis() });
      const { stdout } = await run('sh', ['deploy/entrypoint.sh', 'migrate'], {
        cwd: out,
        env: { PATH: process.env.PATH, ...settings },
      });
      expect(JSON.parse(stdout)).toEqual({ applied: [] });
      const [page, documents] = await whileRunning('api', settings, (url) =>
        Promise.all([url, `${url}/llms-full.txt`].map(async (address) => (await fetch(address)).text())),
      );
      expect(page).toMatch(/<script [^>]*src="\/assets\//);
      expect(documents).toContain('<!-- docs/operating/watch.md -->');
      await whileRunning('dispatcher', settings, async () => undefined);
    } finally {
      await drop();
    }
  },
  WITHIN_MS,
);

/** The tracked files that Dockerfile.dockerignore does not exclude. */
async function copiedFiles(): Promise<string[]> {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: projectRoot, maxBuffer: 1e8 });
  const rules = readFileSync(join(projectRoot, 'deploy/Dockerfile.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('**'))
    .map((line) => ({ leavesOut: !line.startsWith('!'), path: line.replace('!', '') }));
  const isCopied = (file: string) => {
    const last = rules.findLast(({ path }) => file === path || file.startsWith(`${path}/`));
    return last === undefined || !last.leavesOut;
  };
  // Tracked files that are submodules or were deleted are not there.
  return stdout
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(projectRoot, file)) && lstatSync(join(projectRoot, file)).isFile())
    .filter(isCopied);
}

function shownPrograms(): string {
  const assets = join(out, 'packages/web/dist/assets');
  return readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n');
}

async function whileRunning<T>(
  service: ServiceName,
  settings: Record<string, string>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const started = startService({ service, port: await freePort(), settings, checkout: out });
  try {
    await awaitReady(started);
    return await work(started.url);
  } finally {
    await started.end('SIGTERM');
  }
}
