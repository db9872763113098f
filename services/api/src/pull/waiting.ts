import { LIMITS } from '@posthorn/contract/limits';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import { ApiError } from '../transport/error.ts';

/** A call that waits for something to lease. While it waits, it holds nothing but its place here. */
export type Place = {
  /**
   * Waits until there may be something to lease, the time is over, or the call or the process ends. Resolves to whether
   * there may be something. A wake since the last wait counts, so look before you wait.
   */
  wait(forMs: number): Promise<boolean>;
  /** Whether the call must be answered now, even with nothing. */
  isOver(): boolean;
  leave(): void;
};

export type Waiting = {
  /** Takes a place; throws `rate_limited` when the endpoint has no more. */
  enter(endpointId: string): Place;
  /** There may be something to lease at these endpoints. At each, the call that has waited longest looks. */
  wake(endpointIds: Iterable<string>): void;
  /** The first delivery of the endpoint is due after this time. */
  wakeAfter(endpointId: string, seconds: number): void;
  /** All calls may look: messages may have been missed. */
  wakeAll(): void;
  close(): Promise<void>;
};

type WaitingDeps = {
  /** For each of these endpoints that has something waiting, the seconds until it is due. */
  nextDue: (endpointIds: string[]) => Promise<Map<string, number>>;
  /** Called before the first call waits. */
  listen: () => void;
  /** How often all waiting calls look together if nobody wakes them: a retry became due, or a message was lost. */
  looksEveryMs?: number;
  onError: (error: unknown) => void;
};

const LOOKS_EVERY_MS = 5_000;

type Entry = { isWaiting: boolean; isWoken: boolean; resume: () => void };

/** The calls of this process that wait. One statement looks for all of them, so none holds a connection. */
export function createWaiting({ nextDue, listen, looksEveryMs = LOOKS_EVERY_MS, onError }: WaitingDeps): Waiting {
  const queues = new Map<string, Set<Entry>>();
  const timers = new Map<string, { timer: NodeJS.Timeout; atMs: number }>();
  let isClosed = false;
  let looking: Repeating | undefined;

  const wakeOne = (endpointId: string) => {
    const entries = [...(queues.get(endpointId) ?? [])];
    const entry = entries.find((one) => one.isWaiting) ?? entries.find((one) => !one.isWoken);
    if (entry === undefined) return;
    entry.isWoken = true;
    entry.resume();
  };
  const wakeAfter = (endpointId: string, seconds: number) => {
    const inMs = Math.max(0, 1_000 * seconds);
    if (inMs >= looksEveryMs || !queues.has(endpointId)) return;
    const known = timers.get(endpointId);
    const atMs = performance.now() + inMs;
    if (known !== undefined && known.atMs <= atMs) return;
    clearTimeout(known?.timer);
    const run = () => {
      timers.delete(endpointId);
      wakeOne(endpointId);
    };
    timers.set(endpointId, { atMs, timer: setTimeout(run, inMs) });
  };
  const look = async () => {
    if (queues.size > 0) for (const [id, seconds] of await nextDue([...queues.keys()])) wakeAfter(id, seconds);
    return looksEveryMs;
  };
  return {
    enter(endpointId) {
      const queue = queues.get(endpointId) ?? new Set<Entry>();
      if (queue.size >= LIMITS.waitingCallsPerEndpoint) {
        const message = `At most ${LIMITS.waitingCallsPerEndpoint} calls may wait at an endpoint at once`;
        throw new ApiError('rate_limited', message, { 'Retry-After': '1' });
      }
      queues.set(endpointId, queue);
      listen();
      looking ??= repeat({ round: look, waitAfterErrorMs: looksEveryMs, onError });
      const entry: Entry = { isWaiting: false, isWoken: false, resume() {} };
      let isOver = isClosed;
      queue.add(entry);
      return {
        wait: (forMs) =>
          new Promise((resolve) => {
            const end = () => {
              clearTimeout(timer);
              resolve(entry.isWoken);
              entry.isWaiting = false;
              entry.isWoken = false;
            };
            const timer = setTimeout(end, forMs);
            entry.isWaiting = true;
            entry.resume = end;
            if (entry.isWoken || isOver || isClosed) end();
          }),
        isOver: () => isOver || isClosed,
        leave() {
          isOver = true;
          queue.delete(entry);
          if (queue.size === 0 && queues.get(endpointId) === queue) queues.delete(endpointId);
          // Pass a wake that this call has not used to the next one.
          if (entry.isWoken) wakeOne(endpointId);
          entry.resume();
        },
      };
    },
    wake(endpointIds) {
      for (const endpointId of endpointIds) wakeOne(endpointId);
    },
    wakeAfter,
    wakeAll() {
      for (const endpointId of queues.keys()) wakeOne(endpointId);
    },
    async close() {
      isClosed = true;
      for (const queue of queues.values()) for (const entry of queue) entry.resume();
      for (const { timer } of timers.values()) clearTimeout(timer);
      await looking?.stop();
    },
  };
}
