import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Terminal } from '../terminal.ts';
import { type Keys, readKeys } from './keys.ts';

function openTerminal(isTTY: boolean) {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: (mode: boolean) => modes.push(mode) });
  return { stdin, modes, terminal: { stdin, stdout: { isTTY } } as unknown as Terminal };
}

function record() {
  const pressed: string[] = [];
  const names = ['r', 'o', 'd', 'q', 'interrupt'] as const;
  const keys = Object.fromEntries(names.map((name) => [name, () => pressed.push(name)])) as unknown as Keys;
  return { pressed, keys };
}

test('each key does its own, Ctrl-C interrupts, and the terminal gets its mode back', async () => {
  const { stdin, modes, terminal } = openTerminal(true);
  const { pressed, keys } = record();
  const stop = readKeys(terminal, keys);
  stdin.write('rxodq\u0003');
  await new Promise(setImmediate);
  expect(pressed).toEqual(['r', 'o', 'd', 'q', 'interrupt']);
  stop();
  expect(modes).toEqual([true, false]);
});

test('without a terminal nothing is read', async () => {
  const { stdin, modes, terminal } = openTerminal(false);
  const { pressed, keys } = record();
  readKeys(terminal, keys);
  stdin.write('q');
  await new Promise(setImmediate);
  expect([pressed, modes]).toEqual([[], []]);
});
