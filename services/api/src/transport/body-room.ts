import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Claimant, Gate } from '@posthorn/runtime/gate';
import { type Limits, MAX_SMALL_BYTES } from '../limits.ts';
import { ApiError } from './error.ts';

/** A body that is being read, as the room sees it. */
export type ArrivingBody = {
  /** The bytes that have arrived. */
  received: () => number;
  /** Ends the reading with this error. */
  cut: (error: ApiError) => void;
};

/** The room of one body. It is given back when the request has ended. */
export type BodyRoom = {
  /** The bytes that have room. */
  bytes: () => number;
  /**
   * Takes room for a body of this many bytes. Undefined if there is some, else a promise of it. Rejects with
   * `rate_limited` if the workspace's own room is full, and with `unavailable` if the process has none.
   */
  grow: (bytes: number) => Promise<void> | undefined;
  /** Call it when the whole body has arrived: from then on it cannot be cut. */
  arrived: () => void;
};

export type TakeBodyRoom = (response: ServerResponse, claimant: Claimant, body: ArrivingBody) => BodyRoom;

/** While others wait for room, a body must arrive at this rate: 256 KiB then take 8 s. */
const LEAST_BYTES_PER_SECOND = 32 * 1024;
/** A body is judged by its rate once it has had room for this long. */
const JUDGED_AFTER_MS = 500;
const JUDGED_EVERY_MS = 250;

type Reading = { ownerId: string; held: () => number; body: ArrivingBody; sinceMs: number };

/**
 * The rooms for bodies of at most 16 KiB and for larger ones. A body takes room as it arrives: first for its first KiB,
 * then for all of it. So a connection that only declares a long body holds next to nothing. While others wait, bodies
 * that arrive too slowly are cut, the slowest of the owner with the most room first.
 */
export function createBodyRoom(small: Gate, large: Gate, nowMs = () => performance.now()): TakeBodyRoom {
  const whenEnded = createEnds();
  const reading = new Set<Reading>();
  let waiting = 0;
  let judging: NodeJS.Timeout | undefined;

  function judge(): void {
    const slow = slowestOfLargest(reading, nowMs());
    if (slow === undefined) return;
    reading.delete(slow);
    slow.body.cut(
      new ApiError('rate_limited', 'The body arrives too slowly while others wait for room; try again', {
        'Retry-After': '1',
      }),
    );
  }

  /** Cuts slow bodies for as long as others wait. */
  async function whileWaiting(turn: Promise<void>): Promise<void> {
    waiting += 1;
    judge();
    judging ??= setInterval(judge, JUDGED_EVERY_MS).unref();
    try {
      await turn;
    } finally {
      waiting -= 1;
      if (waiting === 0) {
        clearInterval(judging);
        judging = undefined;
      }
    }
  }

  return (response, claimant, body) => {
    let gate = small;
    let held = 0;
    let ended = false;
    const giveBack = () => {
      if (held > 0) gate.leave(claimant, held);
      held = 0;
    };
    const one: Reading = { ownerId: claimant.ownerId, held: () => held, body, sinceMs: nowMs() };
    const take = (next: Gate, bytes: number, more: number): Promise<void> | undefined => {
      const taken = () => {
        if (ended) return next.leave(claimant, more);
        if (next !== gate) giveBack();
        gate = next;
        held = bytes;
        one.sinceMs = nowMs();
      };
      let turn: Promise<void> | undefined;
      try {
        turn = next.enter(claimant, more);
      } catch (refusal) {
        // The caller may be a handler of the request's events, in which nothing catches an error.
        return Promise.reject(refusal);
      }
      if (turn === undefined) return void taken();
      return whileWaiting(turn).then(taken);
    };
    reading.add(one);
    whenEnded(response, () => {
      ended = true;
      reading.delete(one);
      giveBack();
    });
    return {
      bytes: () => held,
      grow(bytes) {
        const next = bytes <= MAX_SMALL_BYTES ? small : large;
        return take(next, bytes, next === gate ? bytes - held : bytes);
      },
      arrived: () => reading.delete(one),
    };
  };
}

/** The slowest of the bodies that are too slow, of the owner that holds the most room. */
function slowestOfLargest(reading: ReadonlySet<Reading>, nowMs: number): Reading | undefined {
  const held = new Map<string, number>();
  for (const one of reading) held.set(one.ownerId, (held.get(one.ownerId) ?? 0) + one.held());
  const rateOf = ({ body, sinceMs }: Reading) => (1_000 * body.received()) / Math.max(1, nowMs - sinceMs);
  const isSlow = (one: Reading) => nowMs - one.sinceMs >= JUDGED_AFTER_MS && rateOf(one) < LEAST_BYTES_PER_SECOND;
  let worst: Reading | undefined;
  for (const one of reading) {
    if (one.held() === 0 || !isSlow(one)) continue;
    const [its, most] = [held.get(one.ownerId) ?? 0, held.get(worst?.ownerId ?? '') ?? 0];
    if (worst === undefined || its > most || (its === most && rateOf(one) < rateOf(worst))) worst = one;
  }
  return worst;
}

/** The rooms of this process: events have room of their own, which no portal and no page can fill. */
export function createBodyRooms(limits: Limits): { events: TakeBodyRoom; others: TakeBodyRoom } {
  return {
    events: createBodyRoom(limits.smallEvents, limits.largeEvents),
    others: createBodyRoom(limits.smallBodies, limits.largeBodies),
  };
}

/** Calls back once, when the answer is sent or the connection has closed. */
function createEnds(): (response: ServerResponse, onEnd: () => void) => void {
  // Node emits no `close` for an answer that waits behind another one of its connection.
  const ofSocket = new WeakMap<Socket, Set<() => void>>();
  const endsOf = (socket: Socket) => {
    const known = ofSocket.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    ofSocket.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
    return ends;
  };
  return (response, onEnd) => {
    const { socket } = response.req;
    if (response.closed || socket.destroyed) return onEnd();
    const ends = endsOf(socket);
    const end = () => {
      if (ends.delete(end)) onEnd();
    };
    ends.add(end);
    response.once('close', end);
  };
}
