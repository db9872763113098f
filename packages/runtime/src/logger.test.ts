import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createLogger, createQuietLogger, errorFields, type LogLevel } from './logger.ts';

function logged(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({ service: 'api', level, write: (line) => lines.push(JSON.parse(line)) });
  return { logger, lines };
}

describe('a logger', () => {
  test('writes one line of JSON for each call, with the service and the time', () => {
    const { logger, lines } = logged('info');
    logger.info('started', { port: 3 });
    logger.warn('two\nlines');
    expect(lines).toEqual([
      { level: 'info', message: 'started', port: 3, service: 'api', timestamp: expect.stringMatching(/^20.*Z$/) },
      { level: 'warn', message: 'two\nlines', service: 'api', timestamp: expect.any(String) },
    ]);
  });

  test.each<[LogLevel, string[]]>([
    ['silent', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ])('at level %s writes %j', (level, written) => {
    const { logger, lines } = logged(level);
    for (const one of ['error', 'warn', 'info', 'debug'] as const) logger[one](one);
    expect(lines.map((line) => line.message)).toEqual(written);
  });
});

test('a line about an error has its type and place, never its data', () => {
  const error = Object.assign(new TypeError('refused', { cause: new Error('away') }), { payload: 'hunter2' });
  const fields = errorFields(error);
  expect(fields).toEqual({ error: 'refused', errorName: 'TypeError', stack: expect.any(String), cause: 'away' });
  expect(JSON.stringify(fields)).not.toContain('hunter2');
  expect(errorFields('a text')).toEqual({ error: 'a text' });
});

test('a quiet logger writes one line a second in total, with a count for each, and leaves no message out', async () => {
  const lines: { message: string; fields: unknown; atMs: number }[] = [];
  const quiet = createQuietLogger({
    warn: (message, fields) => lines.push({ message, fields, atMs: performance.now() }),
  });
  for (let n = 0; n < 1_000; n += 1) {
    quiet.warn('redis is away', { n });
    quiet.warn('another', { n });
  }
  expect(lines).toHaveLength(1);
  await waitFor(() => lines.length === 3, { what: 'what waited' });
  expect(lines.map(({ message, fields }) => [message, fields])).toEqual([
    ['redis is away', { n: 0, repeated: 0 }],
    ['another', { n: 999, repeated: 999 }],
    ['redis is away', { n: 999, repeated: 998 }],
  ]);
  const [first, , third] = lines;
  expect((third?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(1_900);
});

test('a process that exits has written every line before', () => {
  const program = `
    import { createLogger } from '${new URL('../dist/logger.js', import.meta.url).href}';
    const logger = createLogger({ service: 'test', level: 'info' });
    for (let n = 1; n <= 3; n += 1) logger.info(String(n));
    process.exit(3);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  expect([status, lines.map((line) => JSON.parse(line).message)]).toEqual([3, ['1', '2', '3']]);
});

describe('a process whose log has no reader any more', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  test('keeps serving, however much it logs', async () => {
    const program = `
      import { createServer } from 'node:http';
      import { createLogger } from '${new URL('../dist/logger.js', import.meta.url).href}';
      import { createLifecycle } from '${new URL('../dist/lifecycle.js', import.meta.url).href}';
      const logger = createLogger({ service: 'test', level: 'info' });
      createLifecycle({ logger, deadlineMs: 1_000 });
      let served = 0;
      const server = createServer((request, response) => {
        for (let n = 0; n < 100; n += 1) logger.error('served', { url: request.url });
        response.end(String(++served));
      });
      server.listen(0, '127.0.0.1', () => logger.info('listening', { port: server.address().port }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const listening: { port: number } = await new Promise((resolve) =>
      child.stdout.once('data', (line) => resolve(JSON.parse(String(line)))),
    );
    child.stdout.destroy();
    child.stderr.destroy();
    for (let n = 1; n <= 20; n += 1) {
      const reply = await fetch(`http://127.0.0.1:${listening.port}/`);
      expect(await reply.text()).toBe(String(n));
    }
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});
