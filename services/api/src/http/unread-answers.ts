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

/**
 * Bounds the bytes of answers that clients do not read: with one credential and many connections, a client could fill
 * the memory. Call it after each write to an answer. Beyond the bound, it cuts the connection of the oldest such answer
 * of the workspace with the most bytes, so that clients of other workspaces get their answers.
 */
export function createUnreadAnswers({ mostBytes, onCut }: UnreadAnswersOptions): (answer: Answer) => void {
  /** The oldest answer is the first. */
  const unread = new Map<Answer, { owner: string; bytes: number }>();
  let total = 0;
  const forget = (answer: Answer) => {
    total -= unread.get(answer)?.bytes ?? 0;
    unread.delete(answer);
  };
  const watch = (answer: Answer) => {
    const known = { owner: ownerOf(answer), bytes: 0 };
    unread.set(answer, known);
    const done = () => forget(answer);
    answer.once('finish', done).once('close', done);
    answer.on('drain', () => {
      total -= known.bytes;
      known.bytes = 0;
    });
    return known;
  };
  const cutOldest = () => {
    // Node emits no `close` for an answer that waits behind another one of its connection.
    for (const answer of unread.keys()) if (answer.req.socket.destroyed) forget(answer);
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
    const bytes = answer.writableLength;
    if (bytes < SMALL_BYTES && !unread.has(answer)) return;
    const known = unread.get(answer) ?? watch(answer);
    total += bytes - known.bytes;
    known.bytes = bytes;
    while (total > mostBytes) cutOldest();
  };
}

function ownerOf({ locals, req }: Answer): string {
  return String(locals?.workspaceId ?? req.socket.remoteAddress);
}

function ownerOfMost(answers: Iterable<{ owner: string; bytes: number }>): string {
  const sums = new Map<string, number>();
  for (const { owner, bytes } of answers) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
  const [most = ''] = [...sums].sort(([, a], [, b]) => b - a)[0] ?? [];
  return most;
}
