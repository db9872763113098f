import type { Clock } from '@posthorn/runtime/clock';
import {
  type AttemptOutcome,
  capOf,
  createEndpointStates,
  type EndpointState,
  isQuick,
  learn,
  placeFreed,
  type Turn,
} from './endpoint-state.ts';
import { createTurnLine } from './turn-line.ts';
import { createWorkspaceShares } from './workspace-shares.ts';

/** Who gets this process's places for attempts (faults M8). Everything here is decided before the database is asked. */
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

/** What was full: the endpoint's cap, its workspace's share, or all places for endpoints that are not quick. */
export type RefusalReason = 'endpoint' | 'workspace' | 'slow_endpoints';

export type AdmissionOptions = {
  /** Attempts under way at once. */
  places: number;
  clock: Pick<Clock, 'monotonicMs'>;
  random: () => number;
};

/** What the first slow attempt is taken to last. */
const SLOW_MS = 1_000;

/**
 * A quarter of the places is kept for quick endpoints (whose last attempt succeeded within a second). Among the others
 * one endpoint takes at most a quarter of all places, and one workspace three quarters of theirs while others want some.
 */
export function createAdmission({ places, clock, random }: AdmissionOptions): Admission {
  const slowPlaces = Math.max(1, places - Math.floor(places / 4));
  const workspaceShare = Math.max(1, Math.floor((slowPlaces * 3) / 4));
  const endpoints = createEndpointStates(random);
  const shares = createWorkspaceShares(clock);
  const slowLine = createTurnLine(random);
  const now = () => clock.monotonicMs();
  let [inside, slowInside, waiting, slowMs] = [0, 0, 0, SLOW_MS];

  const refusal = (turn: Turn, state: EndpointState): RefusalReason | undefined => {
    if (state.inside.size >= capOf(turn, state, { places, nowMs: now() })) return 'endpoint';
    if (isQuick(state, now())) return undefined;
    if (slowInside >= slowPlaces) return 'slow_endpoints';
    return shares.slowInside(turn) >= workspaceShare && shares.othersWant(turn) ? 'workspace' : undefined;
  };
  const take = (turn: Turn, state: EndpointState): Entry => {
    const attempt = { enteredAtMs: now() };
    const slow = isQuick(state, now()) ? 0 : 1;
    const count = (by: 1 | -1) => {
      inside += by;
      slowInside += by * slow;
      shares.count(turn, by * slow);
    };
    state.inside.add(attempt);
    count(1);
    const leave = (outcome?: AttemptOutcome) => {
      if (!state.inside.delete(attempt)) return;
      count(-1);
      if (outcome !== undefined) learn(state, outcome);
      if (outcome !== undefined && slow === 1) slowMs += (outcome.durationMs - slowMs) / 10;
      state.waiting.shift()?.();
    };
    return { kind: 'entered', leave };
  };
  const turnSeconds = (turn: Turn): number => {
    const state = endpoints.of(turn.endpointId);
    return state.line(now(), state.averageMs / capOf(turn, state, { places, nowMs: now() })) / 1_000;
  };
  return {
    async enter(turn) {
      shares.seen(turn);
      const state = endpoints.of(turn.endpointId);
      let reason = refusal(turn, state);
      // Cheaper than a put-off, which is a write: whoever leaves lets the next one in.
      if (reason === 'endpoint' && isQuick(state, now()) && state.waiting.length < state.inside.size) {
        waiting += 1;
        await placeFreed(state);
        waiting -= 1;
        reason = refusal(turn, state);
      }
      if (reason === undefined) return take(turn, state);
      const delaySeconds = reason === 'endpoint' ? turnSeconds(turn) : slowLine(now(), slowMs / slowPlaces) / 1_000;
      return { kind: 'refused', reason, delaySeconds };
    },
    turnSeconds,
    isFull: () => inside + waiting >= places,
  };
}
