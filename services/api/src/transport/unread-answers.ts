import type { ServerResponse } from 'node:http';
import type { Claimant } from '@posthorn/runtime/gate';

/** An answer as Express writes it. */
export type Answer = ServerResponse & { locals?: { claimant?: Claimant } & Record<string, unknown> };

export type UnreadAnswersOptions = {
  /** The most bytes in all answers of this process that wait for their clients. */
  mostBytes: number;
  /** Called each time that a connection is cut, with the workspace, or with the client's address if it has none. */
  onCut: (whose: string) => void;
};

/** An answer with fewer waiting bytes is not counted. */
const SMALL_BYTES = 16_384;

/** `path` goes from the owner to a portal's application. Without a credential, it is the client's address. */
type Unread = { path: readonly string[]; bytes: number };

/**
 * Bounds the bytes of answers that clients do not read: with one credential and many connections, a client could fill
 * the memory. Call it after each write to an answer. Beyond the bound, it cuts the connection of the oldest such answer
 * of the claimant with the most bytes: of the owner, then of the owner's workspaces, then of the workspace itself or
 * its portals, then of the portals. So all others get their answers.
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
    const known = { path: pathOf(answer), bytes: 0 };
    unread.set(answer, known);
    const done = () => forget(answer);
    answer.once('finish', done).once('close', done);
    return known;
  };
  /**
   * Counts all answers again. Node emits no `drain` below 64 KiB, and no `close` for an answer that waits behind
   * another one of its connection.
   */
  const countAgain = () => {
    for (const [answer, known] of unread) {
      if (answer.req.socket.destroyed) forget(answer);
      else count(answer, known);
    }
  };
  const cutOldest = () => {
    countAgain();
    if (total <= mostBytes) return;
    const [oldest] = ofMost([...unread].filter(([, { bytes }]) => bytes > 0));
    if (oldest === undefined) return;
    const [answer, { path }] = oldest;
    forget(answer);
    answer.req.socket.destroy();
    onCut(path[1] ?? path[0] ?? '');
  };
  return (answer) => {
    if (answer.writableLength < SMALL_BYTES && !unread.has(answer)) return;
    count(answer, unread.get(answer) ?? watch(answer));
    while (total > mostBytes) cutOldest();
  };
}

const OWN = 'own';
const PORTALS = 'portals';

function pathOf({ locals, req }: Answer): string[] {
  const claimant = locals?.claimant;
  if (claimant === undefined) return [String(req.socket.remoteAddress)];
  const { ownerId, workspaceId, applicationId } = claimant;
  return [ownerId, workspaceId, ...(applicationId === undefined ? [OWN] : [PORTALS, applicationId])];
}

type Entry = [answer: Answer, unread: Unread];

/** Picks the answers of the claimant with the most bytes at each step of the path. They stay in their order. */
function ofMost(entries: readonly Entry[], step = 0): readonly Entry[] {
  const sums = new Map<string, number>();
  for (const [, { path, bytes }] of entries) {
    const name = path[step];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  const [most] = [...sums].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (most === undefined) return entries;
  return ofMost(
    entries.filter(([, { path }]) => path[step] === most),
    step + 1,
  );
}
