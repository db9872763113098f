import type { Clock } from '@posthorn/runtime/clock';
import { createStay } from './duration-estimate.ts';
import {
  type AttemptOutcome,
  capOf,
  createEndpointStates,
  type EndpointState,
  learn,
  paceOf,
  placeFreed,
  type Turn,
} from './endpoint-load.ts';
import { createTurnLine } from './return-times.ts';
import { createWorkspaceShares } from './workspace-shares.ts';

/** Who gets this process's places for attempts. Everything here is decided before the database is asked. */
export type Admission = {
  /** Takes a place, or says when to come back. It may wait a moment for a place at an endpoint that answers quickly. */
  enter(turn: Turn): Promise<Entry>;
  /** When it is likely the turn of a delivery that its endpoint's own limits refuse: behind those refused before it. */
  turnSeconds(turn: Turn): number;
  /** Whether every place is taken, so that no ticket can be looked at. */
  isFull(): boolean;
};

export type Entry =
  | { kind: 'entered'; leave: (outcome?: AttemptOutcome) => void }
  | { kind: 'refused'; reason: RefusalReason; delaySeconds: number };

/** What was full: the endpoint's cap, its workspace's share, or all places for endpoints of its pace. */
export type RefusalReason = 'endpoint' | 'workspace' | 'slow_endpoints';

export type AdmissionOptions = {
  /** Attempts under way at once. */
  places: number;
  clock: Pick<Clock, 'monotonicMs'>;
  random: () => number;
  /** Endpoints that were failing when this process began; the others are new to it, and get places to show what they are. */
  knownToFail?: Iterable<string>;
};

/** Short, so that a process that has just begun soon tries again: what hangs shows by that none ends. */
const SLOW_STAY = { firstMs: 150, weight: 1 / 10 };

/** How long one may wait inside for a place at a quick endpoint. */
const WAIT_INSIDE_MS = 250;
/** The same, when a time is set aside for it: no longer than it may come late to that. */
const WAIT_RESERVED_MS = 700;

/** How far apart those come back that find a new endpoint full: what it is will be known in a moment. */
const NEW_APART_MS = 1;

/**
 * A quarter of the places is kept for quick endpoints (whose last attempt succeeded within a second), and another eighth
 * for these and new ones (of which nothing is known yet), so that a process that has just begun finds out who answers
 * while all its slow endpoints want places. Among those that are not quick one endpoint takes at most a quarter of all
 * places, and one workspace three quarters of theirs while others want some.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { places, clock, random, knownToFail = [] } = options;
  const slowPlaces = Math.max(1, places - Math.floor(places / 4));
  const knownSlowPlaces = Math.max(1, slowPlaces - Math.floor(places / 8));
  const endpoints = createEndpointStates(random, knownToFail);
  const shares = createWorkspaceShares(clock);
  const slowLine = createTurnLine(random);
  const newLine = createTurnLine(random);
  const now = () => clock.monotonicMs();
  const slowStay = createStay(SLOW_STAY);
  let [inside, slowInside, waiting] = [0, 0, 0];

  const refusal = (turn: Turn, state: EndpointState): RefusalReason | undefined => {
    if (state.inside.size >= capOf(turn, state, { places, nowMs: now() })) return 'endpoint';
    const pace = paceOf(state, now());
    if (pace === 'quick') return undefined;
    const most = pace === 'new' ? slowPlaces : knownSlowPlaces;
    if (slowInside >= most) return 'slow_endpoints';
    const workspaceShare = Math.max(1, Math.floor((most * 3) / 4));
    return shares.slowInside(turn) >= workspaceShare && shares.othersWant(turn) ? 'workspace' : undefined;
  };
  const take = (turn: Turn, state: EndpointState): Entry => {
    const attempt = { enteredAtMs: now() };
    const slow = paceOf(state, now()) === 'quick' ? 0 : 1;
    const count = (by: 1 | -1) => {
      inside += by;
      slowInside += by * slow;
      shares.count(turn, by * slow);
    };
    state.inside.add(attempt);
    state.stay.began(now());
    if (slow === 1) slowStay.began(now());
    count(1);
    const leave = (outcome?: AttemptOutcome) => {
      if (!state.inside.delete(attempt)) return;
      count(-1);
      if (outcome !== undefined) learn(state, outcome);
      state.stay.ended(now(), outcome?.durationMs);
      if (slow === 1) slowStay.ended(now(), outcome?.durationMs);
      state.waiting.shift()?.();
    };
    return { kind: 'entered', leave };
  };
  const mayWait = (turn: Turn, state: EndpointState): boolean => {
    const pace = paceOf(state, now());
    if (pace === 'quick') return state.waiting.length < state.inside.size;
    // Its first answer makes room for more than a few.
    if (pace === 'new') return waiting < places / 4 && state.waiting.length < 4 * state.inside.size;
    return turn.reservedAtMs !== undefined && waiting < places / 10;
  };
  const turnSeconds = (turn: Turn): number => {
    const state = endpoints.of(turn.endpointId);
    return state.line(now(), state.stay.expectedMs(now()) / capOf(turn, state, { places, nowMs: now() })) / 1_000;
  };
  const comeBackAfter = (turn: Turn, { state, reason }: { state: EndpointState; reason: RefusalReason }): number => {
    if (reason !== 'endpoint' && paceOf(state, now()) !== 'new')
      return slowLine(now(), slowStay.expectedMs(now()) / slowPlaces) / 1_000;
    return paceOf(state, now()) === 'new' ? newLine(now(), NEW_APART_MS) / 1_000 : turnSeconds(turn);
  };
  return {
    async enter(turn) {
      shares.seen(turn);
      const state = endpoints.of(turn.endpointId);
      let reason = refusal(turn, state);
      // Cheaper than a put-off, which is a write: whoever leaves lets the next one in.
      if (reason === 'endpoint' && mayWait(turn, state)) {
        waiting += 1;
        await placeFreed(state, turn.reservedAtMs === undefined ? WAIT_INSIDE_MS : WAIT_RESERVED_MS);
        waiting -= 1;
        reason = refusal(turn, state);
      }
      if (reason === undefined) return take(turn, state);
      return { kind: 'refused', reason, delaySeconds: comeBackAfter(turn, { state, reason }) };
    },
    turnSeconds,
    isFull: () => inside + waiting >= places,
  };
}
