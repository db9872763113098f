import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder `sdks/python`. */
const library = fileURLToPath(new URL('../../../sdks/python/', import.meta.url));

export type PythonEnvironment = { kind: 'ready'; python: string } | { kind: 'missing'; what: string };

/**
 * Prepares a Python environment with everything that the Python library and its tests need. It requires Python 3.9 or
 * newer. It is made once, and kept under ~/.cache/posthorn. Only then packages are downloaded.
 */
export async function preparePython(): Promise<PythonEnvironment> {
  const probe = 'import ensurepip, sys, venv; assert sys.version_info >= (3, 9); print(sys.version)';
  const { status, stdout } = spawnSync('python3', ['-c', probe], { encoding: 'utf8' });
  if (status !== 0) return { kind: 'missing', what: 'Python 3.9 or newer with venv is not installed' };
  const requirements = join(library, 'tests/requirements.txt');
  const hash = createHash('sha256').update(stdout).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const place = join(homedir(), '.cache/posthorn', `python-${hash}`);
  const python = join(place, 'bin/python');
  if (existsSync(python)) return { kind: 'ready', python };
  // Another run may prepare it at the same time. The first one to finish wins.
  const making = `${place}.${process.pid}`;
  mkdirSync(join(making, '..'), { recursive: true });
  const pip = ['-m', 'pip', '--disable-pip-version-check'];
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', making]],
    [join(making, 'bin/python'), [...pip, 'install', '-q', '-r', requirements]],
    [join(making, 'bin/python'), [...pip, 'download', '-q', '-d', join(making, 'wheels'), 'httpx']],
    // Pyright downloads its own program on the first call.
    [join(making, 'bin/python'), ['-m', 'pyright', '--version']],
  ];
  const end = Date.now() + 110_000;
  for (const [program, args] of steps) {
    const done = await runPython(program, args, Math.max(1, end - Date.now()));
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

/** Runs a Python program in `sdks/python`. `output` has both of its streams. */
export function runPython(
  program: string,
  args: string[],
  timeout = 60_000,
  variables: object = {},
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYRIGHT_PYTHON_IGNORE_WARNINGS: '1', ...variables };
    const child = spawn(program, args, { cwd: library, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}
