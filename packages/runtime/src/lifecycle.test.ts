import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, test } from '@jest/globals';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/**
 * Runs `body` in its own process, with a lifecycle whose deadline is `deadlineMs`, and returns how the process ended.
 */
async function run(body: string, { deadlineMs = 10_000, signal }: { deadlineMs?: number; signal?: NodeJS.Signals }) {
  const built = (name: string) => new URL(`../dist/${name}.js`, import.meta.url).href;
  const program = `
    import { createProcessLifecycle } from '${built('lifecycle')}';
    import { createLogger } from '${built('logger')}';
    const say = (text) => process.stdout.write(text + '\\n');
    const logger = createLogger({ service: 'test', level: 'error', write: (line) => say('error: ' + JSON.parse(line).message) });
    const lifecycle = createProcessLifecycle({ logger, deadlineMs: ${deadlineMs} });
    setInterval(() => {}, 1_000);
    ${body}
    say('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    if (signal !== undefined && output.endsWith('ready\n')) child.kill(signal);
  });
  // Waits for `close`, because the last lines may still be in the pipe at `exit`.
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, lines: output.trim().split('\n') };
}

describe('a process', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    'stopped by %s closes in the reverse order of opening',
    async (signal) => {
      const body = `for (const name of ['a', 'b', 'c']) lifecycle.onStop(name, async () => say('closed ' + name));`;
      const { code, lines } = await run(body, { signal });
      expect(lines).toEqual(['ready', 'closed c', 'closed b', 'closed a']);
      expect(code).toBe(0);
    },
  );

  test('begins at once to end long work, and waits for it in its turn', async () => {
    const body = `
      let closedOthers = () => {};
      const others = new Promise((resolve) => { closedOthers = resolve; });
      lifecycle.onStop('a', () => say('closed a'));
      lifecycle.onStop('work', async () => { say('ends'); await others; say('ended'); }, { atOnce: true });
      lifecycle.onStop('b', () => { say('closed b'); closedOthers(); });`;
    const { code, lines } = await run(body, { signal: 'SIGTERM' });
    expect(lines).toEqual(['ready', 'ends', 'closed b', 'ended', 'closed a']);
    expect(code).toBe(0);
  });

  test('closes the rest when one cannot be closed, and ends with 1', async () => {
    const body = `
      lifecycle.onStop('a', () => say('closed a'));
      lifecycle.onStop('b', () => { throw new Error('stuck'); });`;
    const { code, lines } = await run(body, { signal: 'SIGTERM' });
    expect(lines).toEqual(['ready', 'error: could not be closed cleanly', 'closed a']);
    expect(code).toBe(1);
  });

  test('ends with 1 at the deadline, whatever is still open', async () => {
    const { code } = await run(`lifecycle.onStop('a', () => new Promise(() => {}));`, {
      signal: 'SIGTERM',
      deadlineMs: 50,
    });
    expect(code).toBe(1);
  });

  test.each([
    [`setImmediate(() => { throw new Error('oops'); });`, 'an exception was not caught'],
    [`setImmediate(() => void Promise.reject(new Error('oops')));`, 'a rejection was not handled'],
  ])('closes and ends with 1 after an uncaught error', async (fault, message) => {
    const { code, lines } = await run(`lifecycle.onStop('a', () => say('closed a')); ${fault}`, {});
    expect(lines).toEqual(['ready', `error: ${message}`, 'closed a']);
    expect(code).toBe(1);
  });
});
