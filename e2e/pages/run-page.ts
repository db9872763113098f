import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

const MARK = '--- the end of a block of the page ---';
const PAGE_MAY_TAKE_MS = 90_000;

/**
 * A ```bash block or a program of a page, and the text of an ```output block that follows directly. In that text, `…`
 * stands for anything.
 */
type Block = { commands: string; output: string | undefined };

export type PageRun = {
  /** The exit code of the shell; null if it was ended after 90 s. */
  code: number | null;
  /** The standard output of each block that ran. */
  outputs: string[];
  /** The standard error of the shell. */
  errors: string;
  /** The blocks whose output differs from the page. */
  differences: { commands: string; shown: string; got: string }[];
};

type PageOptions = {
  cwd?: string;
  before?: string;
  replace?: Record<string, string>;
  /**
   * The languages, such as `go`, whose blocks run. The command `program <language>` gets each on its standard input.
   */
  programs?: readonly string[];
};

/** The ```bash blocks of a page, and its programs in these languages, in order. Other blocks are left out. */
export function readBlocks(file: string, programs: readonly string[] = []): Block[] {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const found = text.matchAll(/^```(\w+)\n(.*?)^```\n(?:\s*^```output\n(.*?)^```$)?/gms);
  return [...found].flatMap(([, language = '', code = '', output]) => {
    if (language === 'bash') return [{ commands: code, output }];
    if (!programs.includes(language)) return [];
    return [{ commands: `program ${language} <<'END_OF_PROGRAM'\n${code}END_OF_PROGRAM\n`, output }];
  });
}

/**
 * Runs all blocks of a page in one shell, as a reader pastes them from top to bottom. A command that fails ends the
 * page, such as a curl that gets a status of 400 or above. `before` runs first, and can define commands. `replace`
 * replaces texts in the commands, such as a fixed port.
 */
export async function runPage(
  file: string,
  env: Record<string, string>,
  { cwd = projectRoot, before = '', replace = {}, programs = [] }: PageOptions = {},
): Promise<PageRun> {
  const edited = (text: string) =>
    Object.entries(replace).reduce((kept, [from, to]) => kept.replaceAll(from, to), text);
  const blocks = readBlocks(file, programs).map(({ commands, output }) => ({ commands: edited(commands), output }));
  const curlHome = mkdtempSync(join(tmpdir(), 'posthorn-page-'));
  writeFileSync(join(curlHome, '.curlrc'), 'fail-with-body\nshow-error\nmax-time = 60\n');
  const marked = blocks.map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${MARK}'\n`);
  const script = [`${before}\n`, ...marked].join('');
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  try {
    const variables = { PATH, HOME, NODE_COMPILE_CACHE, CURL_HOME: curlHome, ...env };
    const { code, output, errors } = await runBash(script, variables, cwd);
    const outputs = output.split(`\n${MARK}\n`);
    const differences = blocks.flatMap(({ commands, output: shown }, index) => {
      const got = outputs[index] ?? '';
      return shown === undefined || looksLike(got, shown) ? [] : [{ commands, shown, got }];
    });
    return { code, outputs, errors, differences };
  } finally {
    rmSync(curlHome, { recursive: true, force: true });
  }
}

function runBash(script: string, env: NodeJS.ProcessEnv, cwd: string) {
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve, reject) => {
    // The shell has its own process group, so that background processes of a page end with it.
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, detached: true });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    const endGroup = () => endProcessGroup(child.pid);
    const timer = setTimeout(endGroup, PAGE_MAY_TAKE_MS);
    child.once('error', reject);
    child.once('exit', endGroup);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output, errors });
    });
  });
}

function endProcessGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // Every process of the group has ended.
  }
}

function looksLike(got: string, shown: string): boolean {
  const escaped = shown.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '[^]*?')}$`).test(got.trim());
}
