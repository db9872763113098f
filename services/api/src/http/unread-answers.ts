import type { ServerResponse } from 'node:http';

/** An answer as Express writes it. */
export type Answer = ServerResponse & { locals?: Record<string, unknown> };

export type UnreadAnswersOptions = {
  /** The most bytes in all answers of this process that wait for their clients. */
  mostBytes: number;
  /** Called each time that a connection is cut, with the workspace, or with the client's address if it has none. */
  onCut: (owner: string) => void;
};

/** An answer with fewer waiting bytes is not counted. */
const SMALL_BYTES = 16_384;

type Unread = { owner: string; bytes: number };

/**
 * Bounds the bytes of answers that clients do not read: with one credential and many connections, a client could fill
 * the memory. Call it after each write to an answer. Beyond the bound, it cuts the connection of the oldest such answer
 * of the workspace with the most bytes, so that clients of other workspaces get their answers.
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
