import { createInterface } from 'node:readline/promises';
import { buffer as readBytes, text as readText } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';
import { Usage } from './failure.ts';

/** Everything that the command line gets from its process. */
export type Terminal = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: ReadStream & { fd: 0 };
  stdout: WriteStream & { fd: 1 };
  stderr: WriteStream & { fd: 2 };
  /** Calls back at Ctrl-C, SIGTERM and SIGHUP, with the signal. */
  onInterrupt: (interrupt: (signal?: NodeJS.Signals) => void) => void;
  /** Acts as Ctrl-C does. While a question uses the terminal, the process gets no signal for that. */
  interrupt: () => void;
  exit: (code: number) => never;
};

/** `NO_COLOR` wins, even if the terminal has colours. */
export function hasColor({ env }: Terminal, stream: WriteStream): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/**
 * Asks on stderr, so that stdout has only the output. Throws a Usage error without a terminal, because nobody can
 * answer.
 */
export async function confirm(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) throw new Usage(`${question} Without a terminal nobody can be asked: add --yes`);
  const asked = createInterface({ input: stdin, output: stderr });
  asked.once('SIGINT', terminal.interrupt);
  // Ctrl-D ends the input without an answer.
  const ended = new Promise<string>((resolve) => asked.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([ended, asked.question(`${question} [y/N] `, { signal })]);
    return ['y', 'yes'].includes(answer.trim().toLowerCase());
  } finally {
    asked.close();
  }
}

/** All of stdin. Ctrl-C ends the read early. */
export function readStdin(terminal: Terminal): Promise<string> {
  return readText(interruptible(terminal));
}

export function readStdinBytes(terminal: Terminal): Promise<Uint8Array> {
  return readBytes(interruptible(terminal));
}

function interruptible({ stdin, onInterrupt }: Terminal): Terminal['stdin'] {
  onInterrupt(() => stdin.destroy(new Error('Interrupted')));
  return stdin;
}
