import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import type { Run } from './run.ts';
import { runTests } from './run-tests.ts';
import { type FileResult, failuresOf, type JestReport } from './test-results.ts';

// Each test runs a real, tiny project of Jest.
const root = mkdtempSync(join(tmpdir(), 'posthorn-jest-'));
const run: Run = { clock: systemClock, signal: new AbortController().signal, onStop() {}, fail() {} };

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  write('jest.config.cjs', 'module.exports = { transform: {} };');
  // `first` returns true the first time that a test calls it with a name.
  write(
    'first.cjs',
    `const { existsSync, writeFileSync } = require('node:fs');
     exports.first = (name) => !existsSync(__dirname + '/' + name) && (writeFileSync(__dirname + '/' + name, ''), true);`,
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a test that fails once and then passes does not fail the run, is named as flaky, and counts as passed', async () => {
  write('steady.test.js', `test('is steady', () => {});`);
  write(
    'wobbly.test.js',
    `const { first } = require('./first.cjs');
     describe('a stool', () => {
       test('stands', () => { if (first('wobbly')) throw new Error('it fell over'); });
       test('is brown', () => {});
     });`,
  );

  const { code, report, flaky, printed } = await runProject();

  expect(code).toBe(0);
  expect(report).toMatchObject({ success: true, numPassedTests: 3, numFailedTests: 0, numTotalTests: 3 });
  expect(report).toMatchObject({ numPassedTestSuites: 2, numFailedTestSuites: 0 });
  expect(flaky).toEqual([
    { file: 'wobbly.test.js', test: 'a stool › stands', message: expect.stringContaining('it fell over') },
  ]);
  expect(printed.trimEnd().split('\n').slice(-2)).toEqual([
    'FLAKY wobbly.test.js › a stool › stands',
    '3 passed, 0 failed, 0 skipped, 1 flaky',
  ]);
});

test('a test that fails twice fails the run, and is not named as flaky', async () => {
  write('broken.test.js', `test('holds', () => { throw new Error('broken'); }); test('is there', () => {});`);
  write('steady.test.js', `test('is steady', () => {});`);

  const { code, report, flaky, printed } = await runProject();

  expect(code).toBe(1);
  expect(report).toMatchObject({ success: false, numPassedTests: 2, numFailedTests: 1, numFailedTestSuites: 1 });
  expect(flaky).toEqual([]);
  expect(printed).toMatch(/2 passed, 1 failed, 0 skipped, 0 flaky\n$/);
});

test('a file that cannot be run at first is run again as well', async () => {
  write(
    'unloaded.test.js',
    `if (require('./first.cjs').first('unloaded')) throw new Error('not now');
     test('runs', () => {}); test.todo('more');`,
  );

  const { code, report, flaky } = await runProject();

  expect(code).toBe(0);
  expect(report).toMatchObject({ numRuntimeErrorTestSuites: 0, numPassedTests: 1, numTodoTests: 1, numTotalTests: 2 });
  expect(flaky).toMatchObject([{ file: 'unloaded.test.js', test: '(the file could not be run)' }]);
});

test('only what the arguments select is run again', async () => {
  write(
    'wobbly.test.js',
    `test('stands', () => { if (require('./first.cjs').first('wobbly')) throw new Error('it fell over'); });
     test('is broken', () => { throw new Error('broken'); });`,
  );
  write('other.test.js', `test('is broken', () => { throw new Error('broken'); });`);

  const { code, report } = await runProject(['wobbly', '-t', 'stands']);

  expect(code).toBe(0);
  expect(report).toMatchObject({ numPassedTests: 1, numPendingTests: 1, numTotalTests: 2 });
});

test('five flaky tests pass the run, six fail it', async () => {
  const wobbly = (most: number) => `const { first } = require('./first.cjs');
    for (let n = 1; n <= ${most}; n += 1) {
      test('stands ' + n, () => { if (first('leg-' + n)) throw new Error('leg ' + n + ' broke'); });
    }`;
  write('five.test.js', wobbly(5));
  expect(await runProject(['five'])).toMatchObject({ code: 0, flaky: { length: 5 } });

  for (let n = 1; n <= 5; n += 1) rmSync(join(root, `leg-${n}`));
  write('six.test.js', wobbly(6));
  const { code, report, flaky } = await runProject(['six']);
  expect(code).toBe(1);
  expect(flaky).toHaveLength(6);
  expect(report).toMatchObject({ success: true, numPassedTests: 6 });
});

test('a hook that fails is one failure, however many tests wait for it', async () => {
  write(
    'hook.test.js',
    `beforeAll(() => { if (require('./first.cjs').first('hook')) throw new Error('not ready'); });
     for (let n = 1; n <= 8; n += 1) test('test ' + n, () => {});`,
  );

  const { code, flaky } = await runProject();

  expect(code).toBe(0);
  expect(flaky).toMatchObject([{ file: 'hook.test.js', test: 'test 1' }]);
});

test('tests that fail with different words are failures of their own', () => {
  const failed = (title: string, message: string) => ({
    ancestorTitles: [],
    title,
    status: 'failed',
    failureMessages: [message],
  });
  const result: FileResult = {
    name: '/a.test.ts',
    status: 'failed',
    message: '',
    startTime: 0,
    endTime: 1,
    assertionResults: [failed('a', 'one'), failed('b', 'two'), failed('c', 'one')],
  };
  expect(failuresOf(result, 'a.test.ts').map(({ test }) => test)).toEqual(['a', 'b']);
});

async function runProject(args: string[] = []) {
  const { JEST_WORKER_ID: _, NODE_OPTIONS: _options, TEST_RESULTS: _results, ...env } = process.env;
  let printed = '';
  const write = process.stderr.write;
  process.stderr.write = (text) => {
    printed += text;
    return true;
  };
  try {
    const code = await runTests(run, { root, args, env, quiet: true });
    return { code, report: read<JestReport>('jest.json'), flaky: read<object[]>('flaky.json'), printed };
  } finally {
    process.stderr.write = write;
  }
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, '.test-results', name), 'utf8'));
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
