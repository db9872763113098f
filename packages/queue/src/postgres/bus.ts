import { KEEP_ALIVE_DELAY_MS } from '@posthorn/db/client';
import { openSession } from '@posthorn/db/session';
import { toError } from '@posthorn/runtime/describe-error';
import type { BusFigures } from '../queues.ts';

// The only file that uses LISTEN and NOTIFY. Messages hold ids and lease tokens, never a tenant's data. A message is a
// hint: a process that misses one finds the same in the tables later.

export type BusKind = keyof typeof KINDS;

/** The kinds of messages. Processes exchange the numbers, so never reuse one for something else. */
const KINDS = { self: 0, due: 1, offers: 2, live: 3, fetchable: 4, probe: 5, probe_ended: 6, probe_begun: 7 } as const;
const KIND_OF = new Map<number, BusKind>(Object.entries(KINDS).map(([kind, number]) => [number, kind as BusKind]));

/** While there is too much to send, the kind with the highest number is dropped first. */
const LEFT_OUT: Record<BusKind, number> = {
  self: 0,
  offers: 1,
  probe: 2,
  probe_ended: 2,
  probe_begun: 2,
  due: 3,
  fetchable: 4,
  live: 5,
};

export type Bus = {
  /** The id of this process and of its channel. */
  processId: string;
  /** Whether messages arrive: the last message to itself has come back. */
  isUp(): boolean;
  /**
   * Sends to one process. It never throws, and is never awaited. A message is dropped if there is no room, or after it
   * has waited for 50 ms.
   */
  send(to: string, kind: BusKind, body: Uint8Array): void;
  /** Calls the listener for each message of the kind until the returned function is called. */
  on(kind: BusKind, listener: (body: Buffer) => void): () => void;
  /** Calls the listener each time messages begin to arrive again. Any earlier ones may have been missed. */
  onConnected(listener: () => void): () => void;
  /** Counts a message that has arrived, but for which this process has no room. */
  countDropped(): void;
  figures(): BusFigures;
  close(): Promise<void>;
};

export type BusOptions = {
  processId: string;
  /** The address of Postgres itself: through a transaction pooler, no message arrives. */
  databaseUrl: string;
  monotonicMs: () => number;
  /** The number of processes. The more there are, the less often each sends. */
  workers: () => number;
  /** Called for recurring errors. The bus opens a new connection after each. */
  onError: (error: Error) => void;
};

const VERSION = 1;
const HEADER = 2;
/** A notification's text has at most 7,999 bytes, in base64url. */
export const MOST_BODY = Math.floor((7_900 * 3) / 4) - HEADER;
/** The most messages in one transaction: 64 kB. */
const AT_ONCE = 8;
const GAP_MS = 5;
const WORKERS_OF_A_GAP = 10;
const SENT_WITHIN_MS = 50;
/** The most messages that wait while a statement hangs: 5 MB. */
const MOST_WAITING = 500;

/** The longest wait for a connection that is still opening, which cannot be closed before. */
const CLOSES_WITHIN_MS = 500;
const SELF_EVERY_MS = 5_000;
const BACK_WITHIN_MS = 5_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** A long wait, because through a pooler no connection ever hears a message. */
const LONGEST_SILENT_WAIT_MS = 30_000;

/** The channel of a process: its id in 22 characters. */
export function channelOf(processId: string): string {
  return `posthorn_${Buffer.from(processId.replaceAll('-', ''), 'hex').toString('base64url')}`;
}

type Message = { channel: string; kind: BusKind; text: string; atMs: number };
type Pause = { over: Promise<void>; end: () => void };
type Session = ReturnType<typeof openSession>;

/** Opens the bus: one connection of this process, outside every pool. It is reopened after every fault. */
export function openBus({ processId, databaseUrl, monotonicMs, workers, onError }: BusOptions): Bus {
  const own = channelOf(processId);
  const listeners = new Map<BusKind, Set<(body: Buffer) => void>>();
  const onConnected = new Set<() => void>();
  const sent = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0])) as Record<BusKind, number>;
  let dropped = 0;
  let session: Session | undefined;
  let isUp = false;
  let lagSeconds = 0;
  let isClosed = false;
  let failures = 0;
  let silences = 0;
  const pauses = new Set<() => void>();
  let waiting: Message[] = [];
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isSending = false;
  let selfSentAtMs: number | undefined;
  let onSelf = () => {};

  const receive = (text: string | undefined) => {
    const frame = Buffer.from(text ?? '', 'base64url');
    const kind = frame[0] === VERSION ? KIND_OF.get(frame[1] ?? -1) : undefined;
    if (kind === undefined) {
      dropped += 1;
      return;
    }
    if (kind === 'self') return onSelf();
    for (const listener of listeners.get(kind) ?? []) listener(frame.subarray(HEADER));
  };

  const addToWaiting = (message: Message) => {
    waiting.push(message);
    if (waiting.length <= MOST_WAITING) return;
    dropped += 1;
    // Drop the oldest message of the kind that is dropped first.
    const rank = Math.max(...waiting.map(({ kind }) => LEFT_OUT[kind]));
    waiting.splice(
      waiting.findIndex(({ kind }) => LEFT_OUT[kind] === rank),
      1,
    );
  };
  const flush = async () => {
    timer = undefined;
    if (isSending || waiting.length === 0) return;
    const nowMs = monotonicMs();
    waiting.sort((one, other) => LEFT_OUT[one.kind] - LEFT_OUT[other.kind]);
    const messages = waiting.splice(0, AT_ONCE);
    const inTime = waiting.filter(({ atMs }) => nowMs - atMs <= SENT_WITHIN_MS);
    dropped += waiting.length - inTime.length;
    waiting = inTime;
    if (session === undefined || !isUp) {
      dropped += messages.length + waiting.length;
      waiting = [];
      return;
    }
    isSending = true;
    sentAtMs = nowMs;
    try {
      await notify(session, messages);
      for (const { kind } of messages) sent[kind] += 1;
    } catch {
      dropped += messages.length;
      // A connection that still works, such as one to a full queue, does not report the fault. The next message to
      // itself will.
      endPauses();
    } finally {
      isSending = false;
      if (waiting.length > 0) schedule();
    }
  };
  const schedule = () => {
    if (timer !== undefined || isSending) return;
    const gapMs = GAP_MS * Math.max(1, workers() / WORKERS_OF_A_GAP);
    const inMs = sentAtMs + gapMs - monotonicMs();
    // Messages from the same turn of the event loop go together.
    timer = setTimeout(() => void flush(), Math.max(0, inMs));
  };

  const pause = (ms: number): Pause => {
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => end(), isClosed ? 0 : ms);
      end = () => {
        clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
    });
    pauses.add(end);
    return { over, end };
  };
  const endPauses = () => {
    for (const end of pauses) end();
  };

  /** Resolves when the message to itself is back; false if it is not back in time. */
  const ask = async (asked: Session): Promise<boolean> => {
    const back = new Promise<true>((resolve) => {
      onSelf = () => resolve(true);
    });
    const beganMs = monotonicMs();
    selfSentAtMs = beganMs;
    await notify(asked, [{ channel: own, kind: 'self', text: frameOf('self', new Uint8Array()), atMs: beganMs }]);
    const late = pause(BACK_WITHIN_MS);
    const isBack = await Promise.race([back, late.over.then(() => false)]);
    late.end();
    if (isBack) lagSeconds = (monotonicMs() - beganMs) / 1_000;
    silences = isBack ? 0 : silences + 1;
    selfSentAtMs = undefined;
    return isBack;
  };

  /** Runs until the connection fails. */
  const hold = async () => {
    const opened = openSession({
      connectionString: databaseUrl,
      application_name: 'posthorn-bus',
      connectionTimeoutMillis: 5_000,
      statement_timeout: 5_000,
      query_timeout: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    let fault: Error | undefined;
    let isOver = false;
    const failed = new Promise<false>((resolve) => {
      const fail = (error?: Error) => {
        fault ??= error;
        resolve(false);
        // An abandoned connection ends later, and must not shorten the pause before the next one.
        if (!isOver) endPauses();
      };
      opened.on('error', fail);
      opened.on('end', () => fail());
    });
    try {
      await opened.connect();
      session = opened;
      opened.on('notification', ({ payload }) => receive(payload));
      await prepare(opened, own);
      while (!isClosed) {
        if (!(await Promise.race([ask(opened), failed]))) {
          if (isClosed) return;
          throw fault ?? new Error('no message arrives: does the URL lead to a pooler? Set DATABASE_DIRECT_URL');
        }
        if (!isUp) {
          isUp = true;
          failures = 0;
          for (const tell of onConnected) tell();
        }
        await pause(SELF_EVERY_MS).over;
      }
    } finally {
      isOver = true;
      isUp = false;
      session = undefined;
      // A half-open connection never confirms its end.
      void opened.end().catch(() => undefined);
    }
  };
  const run = async () => {
    while (!isClosed) {
      try {
        await hold();
      } catch (error) {
        if (isClosed) return;
        onError(toError(error));
      }
      failures += 1;
      const most = silences > 10 ? LONGEST_SILENT_WAIT_MS : LONGEST_WAIT_MS;
      if (!isClosed) await pause(Math.min(most, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10))).over;
    }
  };
  const running = run();
  return {
    processId,
    isUp: () => isUp,
    send(to, kind, body) {
      if (!isUp || isClosed) {
        dropped += 1;
        return;
      }
      addToWaiting({ channel: channelOf(to), kind, text: frameOf(kind, body), atMs: monotonicMs() });
      schedule();
    },
    on(kind, listener) {
      const ofKind = listeners.get(kind) ?? new Set();
      listeners.set(kind, ofKind.add(listener));
      return () => ofKind.delete(listener);
    },
    onConnected(listener) {
      onConnected.add(listener);
      if (isUp) listener();
      return () => onConnected.delete(listener);
    },
    countDropped() {
      dropped += 1;
    },
    figures: () => ({
      isUp,
      lagSeconds:
        selfSentAtMs === undefined ? lagSeconds : Math.max(lagSeconds, (monotonicMs() - selfSentAtMs) / 1_000),
      sent: { ...sent },
      dropped,
    }),
    async close() {
      await flush();
      isClosed = true;
      clearTimeout(timer);
      endPauses();
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, CLOSES_WITHIN_MS).unref())]);
    },
  };
}

function frameOf(kind: BusKind, body: Uint8Array): string {
  if (body.length > MOST_BODY) throw new Error(`a message has at most ${MOST_BODY} bytes`);
  return Buffer.concat([Buffer.from([VERSION, KINDS[kind]]), body]).toString('base64url');
}

/**
 * One statement, in a transaction that does nothing else, because a commit with a notification waits for the others.
 */
async function notify(session: Session, messages: readonly Message[]): Promise<void> {
  // A message may be lost, so nobody waits for its WAL. For this transaction only: a pooler hands the connection on to an
  // API, which must wait.
  await session.query(
    `select set_config('synchronous_commit', 'off', true), pg_notify(c, p)
      from unnest($1::text[], $2::text[]) as m(c, p)`,
    [messages.map(({ channel }) => channel), messages.map(({ text }) => text)],
  );
}

async function prepare(session: Session, own: string): Promise<void> {
  // A suspended process would let the notification queue fill up, so the server then closes its connection. Not every
  // system has these settings. A pooler, which has a number of its own, would give them to other clients.
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  // The types of the client leave it out.
  const { processID } = session as Session & { processID: number };
  const settings = ['tcp_user_timeout = 10000', 'tcp_keepalives_idle = 10', 'tcp_keepalives_interval = 5'];
  for (const set of rows[0]?.pid === processID ? settings : [])
    await session.query(`set ${set}`).catch(() => undefined);
  await session.query(`listen ${session.escapeIdentifier(own)}`);
  // This query frees what every session has read. Once the notification queue has been full, Postgres frees nothing by
  // itself.
  await session.query('select pg_notification_queue_usage()');
}

/** The bytes of ids, one after the other. */
export function bytesOfIds(ids: readonly string[]): Buffer {
  return Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
}

const ID_BYTES = 16;

/** The ids in these bytes. */
export function idsOf(bytes: Buffer): string[] {
  const ids: string[] = [];
  for (let at = 0; at + ID_BYTES <= bytes.length; at += ID_BYTES) {
    const hex = bytes.toString('hex', at, at + ID_BYTES);
    ids.push([hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'));
  }
  return ids;
}
