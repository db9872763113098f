import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import tiers from '../jest/tiers.cjs';
import { projectRoot } from './project-root.ts';

const { whyNotUnit, whySystem } = tiers;

const folder = mkdtempSync(join(tmpdir(), 'posthorn-tiers-'));
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
  expect(whyNotUnit(file)).toBeUndefined();
  expect(whySystem(file)).toBeUndefined();
});

test.each([
  ['starts a process', `import { spawn } from 'node:child_process';`],
  ['starts a stack', `import { startStack } from '@posthorn/testkit/stack';`],
  ['opens a browser', `import { chromium } from '@playwright/test';`],
  ['starts a broker', `import { startKafka } from '@posthorn/testkit/kafka';`],
])('a file that %s is a system test, and the path is told', (_what, text) => {
  expect(whySystem(write('program.test.ts', text))).toMatch(
    /program\.test\.ts → .*(node:child_process|@playwright\/test)$/,
  );
});

test.each([
  ['the stores of the run', `import { createTestDatabase } from '@posthorn/testkit/database';`],
  ['the services in its process', `import { startServices } from '${projectRoot}/e2e/services-in-process.ts';`],
  ['product code that can start a program', `import { open } from '${projectRoot}/packages/cli/src/commands/open.ts';`],
])('a file that uses %s is a fast test', (_what, text) => {
  expect(whySystem(write('fast.test.ts', text))).toBeUndefined();
});

test('no unit test of this repository names the stores of the tests, and each tier has many files', () => {
  // Node's recursive listing would also read the installed packages: hundreds of times as many files.
  const testsBelow = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return /^(node_modules|dist|bundle|\..*)$/.test(entry.name) ? [] : testsBelow(path);
      return path.endsWith('.test.ts') ? [path] : [];
    });
  const files = testsBelow(projectRoot);
  const unit = files.filter((path) => whyNotUnit(path) === undefined);
  const system = files.filter((path) => whySystem(path) !== undefined);
  expect(unit.length).toBeGreaterThan(100);
  expect(system.length).toBeGreaterThan(50);
  expect(files.length - unit.length - system.length).toBeGreaterThan(100);
  const stores = /\bprocess\.env\.TEST_(DATABASE|REDIS|TEMPLATE)/;
  expect(unit.filter((path) => stores.test(readFileSync(path, 'utf8')))).toEqual([]);
});
