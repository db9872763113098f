import { emitKeypressEvents } from 'node:readline';
import type { Terminal } from '../terminal.ts';

/**
 * The action of each key. Ctrl-C is `interrupt`: while the terminal passes single keys, it sends no signal for Ctrl-C.
 */
export type Keys = Record<'r' | 'o' | 'd' | 'q' | 'interrupt', () => void>;

/** Reads single keys from the terminal until the returned function is called. Does nothing without a terminal. */
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
  // The terminal was closed. Resetting its mode may fail too, so this listener stays.
  stdin.on('error', keys.interrupt);
  return () => {
    stdin.off('keypress', press);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
