import { describe, expect, test } from '@jest/globals';
import { createLogger, createQuietLogger, errorFields, type LogLevel } from './logger.ts';

function logged(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({ service: 'api', level, write: (line) => lines.push(JSON.parse(line)) });
  return { logger, lines };
}

describe('a logger', () => {
  test('writes one line of JSON a call, with the service and the time', () => {
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

test('of an error, a line says what it was and where, never its data', () => {
  const error = Object.assign(new TypeError('refused', { cause: new Error('away') }), { payload: 'hunter2' });
  const fields = errorFields(error);
  expect(fields).toEqual({ error: 'refused', errorName: 'TypeError', stack: expect.any(String), cause: 'away' });
  expect(JSON.stringify(fields)).not.toContain('hunter2');
  expect(errorFields('a text')).toEqual({ error: 'a text' });
});

test('a quiet logger writes one line a second for each message, and says how many it stands for', () => {
  const { logger, lines } = logged('info');
  let nowMs = 5_000;
  const quiet = createQuietLogger(logger, () => nowMs);
  for (let n = 0; n < 1_000; n += 1) quiet.warn('redis is away', { n });
  quiet.warn('another');
  nowMs += 999;
  quiet.warn('redis is away');
  nowMs += 1;
  quiet.warn('redis is away', { n: 'last' });
  expect(lines.map(({ message, repeated, n }) => [message, repeated, n])).toEqual([
    ['redis is away', 0, 0],
    ['another', 0, undefined],
    ['redis is away', 1_000, 'last'],
  ]);
});
