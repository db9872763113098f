import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from './project-root.ts';

// Windows has no users by numbers, no process groups and no POSIX shell. Nobody has run the launcher there, so this
// test searches its sources for things that it must not use.

const START = join(projectRoot, 'devstack/start.mjs');
/** The file that guards its use of process groups. */
const GROUPS = join(projectRoot, 'devstack/process-group.mjs');

type Rule = { what: string; pattern: RegExp; refuses: string; allows: string; guard?: RegExp };
const rules: Rule[] = [
  {
    what: 'a user or group by its number, where there may be none',
    pattern: /process\.(get|set)e?[ug]id\(/,
    refuses: 'if (process.getuid() === 0)',
    allows: 'if (process.getuid?.() === 0)',
  },
  {
    what: 'a process group',
    pattern: /process\.kill\(\s*-|detached: true/,
    refuses: 'process.kill(-pid, signal)',
    allows: 'process.kill(pid, 0)',
  },
  {
    what: 'a program of POSIX, in a file that does not ask for the system or the user',
    pattern:
      /\b(spawn|spawnSync|execFile|execFileSync|runCommand)\(\s*'(\/bin\/)?(sh|ps|id|kill|chmod|chown|useradd|which)'/,
    refuses: "spawn('/bin/sh', ['-c', SCRIPT])",
    allows: "spawn('docker', ['info'])",
    guard: /process\.platform (===|!==) '(win32|linux)'|process\.getuid\?\.\(\)/,
  },
  {
    what: 'a command with its extension left out, which only a shell would find',
    pattern: /spawn\(\s*'(npm|npx|pnpm)'/,
    refuses: "spawn('npx', ['pnpm'])",
    allows: 'spawn(process.execPath, [npx])',
  },
];

/** The files that `npm start` loads from devstack. */
function launcherFiles(): string[] {
  const found = new Set<string>();
  const waiting = [START];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(path), specifier);
      const source = imported.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      if (source.startsWith(join(projectRoot, 'devstack/')) && existsSync(source)) waiting.push(source);
    }
  }
  return [...found];
}

test('the launcher uses nothing that Windows lacks, unless it asks on which system it runs', () => {
  const files = launcherFiles();
  for (const name of [
    'prepare.mjs',
    'src/start.ts',
    'src/child.ts',
    'src/postgres-place.ts',
    'src/guard.ts',
    'src/command.ts',
  ])
    expect(files).toContain(join(projectRoot, 'devstack', name));
  const faults = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (path === GROUPS) return [];
    const broken = rules.filter(({ pattern, guard }) => pattern.test(text) && !guard?.test(text));
    return broken.map(({ what }) => `${path}: ${what}`);
  });
  expect(faults).toEqual([]);
});

test.each(rules)('such a use is found: $what', ({ pattern, refuses, allows }) => {
  expect([pattern.test(refuses), pattern.test(allows)]).toEqual([true, false]);
});
