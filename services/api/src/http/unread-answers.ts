import type { ServerResponse } from 'node:http';

/** An answer as Express writes it. */
export type Answer = ServerResponse & { locals?: Record<string, unknown> };

export type UnreadAnswersOptions = {
  /** The most bytes of all answers that wait in this process for their clients. */
  mostBytes: number;
  /** Called with the workspace, or the address of a client without one, each time that a connection is cut. */
  onCut: (owner: string) => void;
};

/** Fewer bytes than these are not counted. */
const SMALL_BYTES = 16_384;

type Unread = { owner: string; bytes: number };

/**
 * Bounds the bytes that clients do not read: a client with one credential could otherwise fill the memory by many
 * connections. To be called after each write to an answer. Beyond the bound, the connection of the oldest such answer
 * of the workspace that has the most is cut, so that clients of the other workspaces get theirs.
 */
export function createUnreadAnswers({ mostBytes, onCut }: UnreadAnswersOptions): (answer: Answer) => void {
  /** Oldest first. */
  const unread = new Map<Answer, Unread>();
  let total = 0;
  const count = (answer: Answer, known: Unread) => {
    const bytes = answer.writableLength;
    total += bytes - known.bytes;
    known.bytes = bytes;
  };
  const forget = (answer: Answer) => {
    total -= unread.get(answer)?.bytes ?? 0;
    unread.delete(answer);
  };
  const watch = (answer: Answer) => {
    const known = { owner: ownerOf(answer), bytes: 0 };
    unread.set(answer, known);
    const done = () => forget(answer);
    answer.once('finish', done).once('close', done);
    return known;
  };
  /** Node emits no `drain` below 64 KiB, and no `close` for an answer that waits behind another one of its connection. */
  const countAgain = () => {
    for (const [answer, known] of unread) {
      if (answer.req.socket.destroyed) forget(answer);
      else count(answer, known);
    }
  };
  const cutOldest = () => {
    countAgain();
    if (total <= mostBytes) return;
    const owner = ownerOfMost(unread.values());
    for (const [answer, { owner: its, bytes }] of unread) {
      if (its !== owner || bytes === 0) continue;
      forget(answer);
      answer.req.socket.destroy();
      onCut(owner);
      return;
    }
  };
  return (answer) => {
    if (answer.writableLength < SMALL_BYTES && !unread.has(answer)) return;
    count(answer, unread.get(answer) ?? watch(answer));
    while (total > mostBytes) cutOldest();
  };
}

function ownerOf({ locals, req }: Answer): string {
  return String(locals?.workspaceId ?? req.socket.remoteAddress);
}

function ownerOfMost(answers: Iterable<Unread>): string {
  const sums = new Map<string, number>();
  for (const { owner, bytes } of answers) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
  const [most = ''] = [...sums].sort(([, a], [, b]) => b - a)[0] ?? [];
  return most;
}
