import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { confirm, readStdin, type Terminal } from './terminal.ts';

/** A fake terminal on which `keys` are pressed. */
function at(keys?: string) {
  const interruption = new AbortController();
  const interrupts = [() => interruption.abort(new Error('Ctrl-C'))];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  if (keys !== undefined) stdin.write(keys);
  const terminal = {
    stdin,
    stderr,
    onInterrupt: (interrupt: () => void) => interrupts.push(interrupt),
    interrupt: () => interrupts.forEach((interrupt) => void interrupt()),
  } as unknown as Terminal;
  return { terminal, signal: interruption.signal };
}

describe('a question', () => {
  test.each([
    ['y\r', true],
    ['YES\r', true],
    ['n\r', false],
    ['\r', false],
    ['\u0004', false],
  ])('%j is %j', async (keys, answer) => {
    const { terminal, signal } = at(keys);
    expect(await confirm(terminal, 'Delete it?', signal)).toBe(answer);
  });

  test('Ctrl-C interrupts the command', async () => {
    const { terminal, signal } = at('\u0003');
    await expect(confirm(terminal, 'Delete it?', signal)).rejects.toThrow();
    expect(signal.aborted).toBe(true);
  });

  test('without a terminal nobody is asked', async () => {
    const { terminal, signal } = at();
    terminal.stdin.isTTY = false;
    await expect(confirm(terminal, 'Delete it?', signal)).rejects.toThrow('add --yes');
  });
});

test('Ctrl-C ends the wait for stdin', async () => {
  const { terminal } = at('half of a body');
  const read = readStdin(terminal);
  terminal.interrupt();
  await expect(read).rejects.toThrow('Interrupted');
});
