import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import unitFiles from '../jest/unit-files.cjs';
import { projectRoot } from './project-root.ts';

const { whyNotUnit } = unitFiles;

const folder = mkdtempSync(join(tmpdir(), 'posthorn-unit-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('a file that reaches the database of the tests through other modules is not a unit test, and the path is told', () => {
  write('rows.ts', `import { createTestDatabase } from '@posthorn/testkit/database';\n`);
  const file = write(
    'rows.test.ts',
    `import { expect } from '@jest/globals';\nimport {\n  rows,\n} from './rows.ts';\n`,
  );
  expect(whyNotUnit(file)).toMatch(/rows\.test\.ts → .*rows\.ts → packages\/testkit\/src\/database\.ts$/);
});

test.each([
  ['starts a process', `import { spawn } from 'node:child_process';`],
  ['imports at run time what starts a process', `const { spawn } = await import('node:child_process');`],
  ['starts a stack', `import { startStack } from '@posthorn/testkit/stack';`],
  ['needs what a build makes', `const program = new URL('../dist/start.js', import.meta.url);`],
])('a file that %s is not a unit test', (_what, text) => {
  expect(whyNotUnit(write('heavy.test.ts', text))).toBeDefined();
});

test('a file that imports only types of them is a unit test', () => {
  const file = write(
    'light.test.ts',
    `import type { Stack } from '@posthorn/testkit/stack';\nexport type A = Stack;\n`,
  );
  expect(unitFiles([file]).filtered).toEqual([file]);
});

test('no unit test of this repository names the stores of the tests, and there are more than a hundred', () => {
  // Node's recursive listing would read what the packages have installed, too: hundreds of times the files.
  const testsBelow = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return /^(node_modules|dist|bundle|\..*)$/.test(entry.name) ? [] : testsBelow(path);
      return path.endsWith('.test.ts') ? [path] : [];
    });
  const files = testsBelow(projectRoot);
  const { filtered } = unitFiles(files);
  expect(filtered.length).toBeGreaterThan(100);
  expect(files.length - filtered.length).toBeGreaterThan(100);
  const stores = /\bprocess\.env\.TEST_(DATABASE|REDIS|TEMPLATE)/;
  expect(filtered.filter((path) => stores.test(readFileSync(path, 'utf8')))).toEqual([]);
});
