import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';
import { Usage } from './failure.ts';

/** What the command line gets from the process that runs it. */
export type Terminal = {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: ReadStream & { fd: 0 };
  stdout: WriteStream & { fd: 1 };
  stderr: WriteStream & { fd: 2 };
  /** Calls back at Ctrl-C. */
  onInterrupt: (interrupt: () => void) => void;
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
  try {
    const answer = await asked.question(`${question} [y/N] `, { signal });
    return ['y', 'yes'].includes(answer.trim().toLowerCase());
  } finally {
    asked.close();
  }
}

/** All of stdin. */
export function readStdin({ stdin }: Terminal): Promise<string> {
  return readText(stdin);
}
