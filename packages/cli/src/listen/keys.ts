import { emitKeypressEvents } from 'node:readline';
import type { Terminal } from '../terminal.ts';

/** What a key does. Ctrl-C is `interrupt`: while single keys are read, the terminal sends no signal for it. */
export type Keys = Record<'r' | 'o' | 'd' | 'q' | 'interrupt', () => void>;

/** Reads single keys of a terminal until the returned function is called. Without a terminal there are none. */
export function readKeys({ stdin, stdout }: Terminal, keys: Keys): () => void {
  if (!stdin.isTTY || !stdout.isTTY) return () => undefined;
  const press = (_text: string | undefined, { name, ctrl }: { name?: string; ctrl?: boolean }) => {
    if (ctrl && name === 'c') keys.interrupt();
    else if (name === 'r' || name === 'o' || name === 'd' || name === 'q') keys[name]();
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('keypress', press);
  // The terminal was closed. Setting its mode back may fail, too, so this listener stays.
  stdin.on('error', keys.interrupt);
  return () => {
    stdin.off('keypress', press);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
