import { createStay, type Stay } from './duration-estimate.ts';
import { createTurnLine, type TurnLine } from './return-times.ts';

/** A ticket that asks for a place. */
export type Turn = {
  endpointId: string;
  workspaceId: string;
  /** The endpoint's own limit on attempts at once, when it is known. */
  maxConcurrency: number | null;
  /** The time that the endpoint's own rate has set aside for it: put off, it would be lost. */
  reservedAtMs?: number;
};

export type AttemptOutcome = { succeeded: boolean; durationMs: number };

/** What one process knows of an endpoint while it delivers to it. */
export type EndpointState = {
  /** Attempts under way, oldest first. */
  inside: Set<{ enteredAtMs: number }>;
  /** Told, one at a time, that a place came free. */
  waiting: (() => void)[];
  /** What its last attempt here was; before the first, `slow` where others have just seen it fail. */
  last: 'quick' | 'slow' | 'none';
  stay: Stay;
  line: TurnLine;
};

const QUICK_MS = 1_000;
const HESITATES_MS = 250;
const STAY = { firstMs: 500, weight: 1 / 5 };
const MOST_ENDPOINTS = 10_000;

/**
 * States of endpoints, bounded: those with nothing under way are forgotten first. `knownToFail` are those that were
 * failing when this process began.
 */
export function createEndpointStates(random: () => number, knownToFail: Iterable<string>) {
  const states = new Map<string, EndpointState>();
  const failing = new Set(knownToFail);
  return {
    of(endpointId: string): EndpointState {
      const known = states.get(endpointId);
      if (known !== undefined) return known;
      if (states.size >= MOST_ENDPOINTS) forgetIdle(states);
      const line = createTurnLine(random);
      const stay = createStay(STAY);
      const last = failing.delete(endpointId) ? 'slow' : 'none';
      const fresh: EndpointState = { inside: new Set(), waiting: [], last, stay, line };
      states.set(endpointId, fresh);
      return fresh;
    },
  };
}

/**
 * `quick`: its last attempt succeeded within a second, and none under way is older than that. `new`: nothing is known
 * of it, and none under way is older than a second. `slow`: all others.
 */
export function paceOf({ last, inside }: EndpointState, nowMs: number): 'quick' | 'new' | 'slow' {
  const [oldest] = inside;
  if (last === 'slow' || (oldest !== undefined && nowMs - oldest.enteredAtMs >= QUICK_MS)) return 'slow';
  return last === 'none' ? 'new' : last;
}

/** The part of all places that one endpoint may take. A new one is only to be tried. */
const SHARES = { quick: 1 / 2, slow: 1 / 4, new: 1 / 32 };

/** What one endpoint may take of the places, and never more than its owner allows. */
export function capOf(
  { maxConcurrency }: Pick<Turn, 'maxConcurrency'>,
  state: EndpointState,
  { places, nowMs }: { places: number; nowMs: number },
): number {
  const pace = paceOf(state, nowMs);
  const share = Math.max(1, Math.ceil(places * SHARES[pace === 'quick' && hesitates(state, nowMs) ? 'slow' : pace]));
  return maxConcurrency === null ? share : Math.min(maxConcurrency, share);
}

/** An attempt takes longer than its endpoint's do: it may be the first of many that hang. */
function hesitates({ inside, stay }: EndpointState, nowMs: number): boolean {
  const [oldest] = inside;
  return oldest !== undefined && nowMs - oldest.enteredAtMs >= Math.max(HESITATES_MS, 2 * stay.averageMs());
}

export function learn(state: EndpointState, { succeeded, durationMs }: AttemptOutcome): void {
  state.last = succeeded && durationMs < QUICK_MS ? 'quick' : 'slow';
}

/** Resolves when a place came free, or after the time. */
export function placeFreed(state: EndpointState, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      state.waiting = state.waiting.filter((one) => one !== wake);
      resolve();
    };
    const timer = setTimeout(wake, withinMs);
    state.waiting.push(wake);
  });
}

function forgetIdle(states: Map<string, EndpointState>): void {
  for (const [endpointId, { inside, waiting }] of states) {
    if (inside.size === 0 && waiting.length === 0) states.delete(endpointId);
    if (states.size <= MOST_ENDPOINTS / 2) return;
  }
}
