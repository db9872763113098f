import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// The tests of the Python library, which are written in Python. They need Python 3.9 or newer, and an environment of packages
// that is made once and kept under ~/.cache/posthorn: only then something is downloaded.

const folder = fileURLToPath(new URL('.', import.meta.url));
const prepared = await prepareEnvironment();

if (prepared.kind === 'missing') {
  test.skip(`the Python library: ${prepared.what}`, () => undefined);
} else {
  const { python } = prepared;
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ dispatchers: 0, settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  }, 90_000);
  afterAll(() => stack?.stop(), 60_000);

  // Most of the cases wait most of the time: for a pause before a retry.
  test.each([
    ['does what the conformance cases say, with both clients', ['-n', '4', 'tests/test_conformance.py']],
    ['works against a running Posthorn and its Postgres, and as a package', ['--ignore=tests/test_conformance.py']],
  ])(
    'the Python library %s',
    async (_name, chosen) => {
      const variables = {
        PYTHONPATH: 'src',
        POSTHORN_TEST_BASE_URL: stack.api.url,
        POSTHORN_TEST_TOKEN: stack.managementToken,
        POSTHORN_TEST_API_KEY: stack.apiKey,
        POSTHORN_TEST_ENVIRONMENT: stack.environmentId,
        POSTHORN_TEST_DATABASE_URL: stack.databaseUrl,
      };
      const args = ['-m', 'pytest', ...chosen];
      const { status, output } = await run(python, args, 110_000, variables);
      if (status !== 0) throw new Error(output);
      expect(output).toContain(' passed');
    },
    120_000,
  );

  test('the Python library is formatted, and ruff and pyright in its strict mode find nothing', async () => {
    expect(await run(python, ['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatchObject({ status: 0 });
    expect(await run(python, ['-m', 'ruff', 'check', '--no-cache', '.'])).toMatchObject({ status: 0 });
    const checked = await run(python, ['-m', 'pyright', '--pythonpath', python], 110_000);
    expect(checked.output).toContain('0 errors');
  }, 120_000);
}

type Environment = { kind: 'ready'; python: string } | { kind: 'missing'; what: string };

async function prepareEnvironment(): Promise<Environment> {
  const probe = 'import ensurepip, sys, venv; assert sys.version_info >= (3, 9); print(sys.version)';
  const { status, stdout } = spawnSync('python3', ['-c', probe], { encoding: 'utf8' });
  if (status !== 0) return { kind: 'missing', what: 'Python 3.9 or newer with venv is not installed' };
  const requirements = join(folder, 'tests/requirements.txt');
  const hash = createHash('sha256').update(stdout).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const place = join(homedir(), '.cache/posthorn', `python-${hash}`);
  const python = join(place, 'bin/python');
  if (existsSync(python)) return { kind: 'ready', python };
  // Another run may do the same: the first that is done stays.
  const making = `${place}.${process.pid}`;
  mkdirSync(join(making, '..'), { recursive: true });
  const pip = ['-m', 'pip', '--disable-pip-version-check'];
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', making]],
    [join(making, 'bin/python'), [...pip, 'install', '-q', '-r', requirements]],
    [join(making, 'bin/python'), [...pip, 'download', '-q', '-d', join(making, 'wheels'), 'httpx']],
    // Pyright loads its own program the first time.
    [join(making, 'bin/python'), ['-m', 'pyright', '--version']],
  ];
  const end = Date.now() + 110_000;
  for (const [program, args] of steps) {
    const done = await run(program, args, Math.max(1, end - Date.now()));
    if (done.status === 0) continue;
    rmSync(making, { recursive: true, force: true });
    return { kind: 'missing', what: `${args.slice(0, 3).join(' ')} failed: ${done.output.trim().slice(-300)}` };
  }
  try {
    renameSync(making, place);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  return { kind: 'ready', python };
}

type Ended = { status: number | null; output: string };

function run(program: string, args: string[], timeout = 60_000, variables: object = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYRIGHT_PYTHON_IGNORE_WARNINGS: '1', ...variables };
    const child = spawn(program, args, { cwd: folder, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}
