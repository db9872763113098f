import { createInterface } from 'node:readline/promises';
import { buffer as readBytes, text as readText } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';
import { Usage } from './failure.ts';

/** What the command line gets from the process that runs it. */
export type Terminal = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: ReadStream & { fd: 0 };
  stdout: WriteStream & { fd: 1 };
  stderr: WriteStream & { fd: 2 };
  /** Calls back at Ctrl-C, SIGTERM and SIGHUP, with the signal. */
  onInterrupt: (interrupt: (signal?: NodeJS.Signals) => void) => void;
  /** As Ctrl-C does: a question has the terminal for itself, and the process gets no signal. */
  interrupt: () => void;
  exit: (code: number) => never;
};

/** `NO_COLOR` wins over a terminal that has colours. */
export function hasColor({ env }: Terminal, stream: WriteStream): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Asks on stderr, so that stdout stays the output. Without a terminal nobody can answer: a Usage error. */
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

/** All of stdin, unless Ctrl-C ends it. */
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
