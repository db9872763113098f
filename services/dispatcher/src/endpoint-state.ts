import { createTurnLine, type TurnLine } from './turn-line.ts';

/** A ticket that asks for a place. */
export type Turn = {
  endpointId: string;
  workspaceId: string;
  /** The endpoint's own limit on attempts at once, when it is known. */
  maxConcurrency: number | null;
};

export type AttemptOutcome = { succeeded: boolean; durationMs: number };

/** What one process knows of an endpoint while it delivers to it. */
export type EndpointState = {
  /** Attempts under way, oldest first. */
  inside: Set<{ enteredAtMs: number }>;
  /** Told, one at a time, that a place came free. */
  waiting: (() => void)[];
  lastWasQuick: boolean;
  averageMs: number;
  line: TurnLine;
};

const QUICK_MS = 1_000;
/** What an endpoint's first attempt is taken to last. */
const FIRST_AVERAGE_MS = 500;
const WAIT_INSIDE_MS = 250;
const MOST_ENDPOINTS = 10_000;

/** States of endpoints, bounded: those with nothing under way are forgotten first. */
export function createEndpointStates(random: () => number) {
  const states = new Map<string, EndpointState>();
  return {
    of(endpointId: string): EndpointState {
      const known = states.get(endpointId);
      if (known !== undefined) return known;
      if (states.size >= MOST_ENDPOINTS) forgetIdle(states);
      const line = createTurnLine(random);
      const fresh = { inside: new Set<never>(), waiting: [], lastWasQuick: false, averageMs: FIRST_AVERAGE_MS, line };
      states.set(endpointId, fresh);
      return fresh;
    },
  };
}

/** Its last attempt succeeded within a second, and none under way is older than that. */
export function isQuick({ lastWasQuick, inside }: EndpointState, nowMs: number): boolean {
  const [oldest] = inside;
  return lastWasQuick && (oldest === undefined || nowMs - oldest.enteredAtMs < QUICK_MS);
}

/** Half of the places for a quick endpoint, a quarter for another, and never more than its owner allows. */
export function capOf(
  { maxConcurrency }: Pick<Turn, 'maxConcurrency'>,
  state: EndpointState,
  { places, nowMs }: { places: number; nowMs: number },
): number {
  const share = Math.max(1, Math.ceil(places / (isQuick(state, nowMs) ? 2 : 4)));
  return maxConcurrency === null ? share : Math.min(maxConcurrency, share);
}

export function learn(state: EndpointState, { succeeded, durationMs }: AttemptOutcome): void {
  state.lastWasQuick = succeeded && durationMs < QUICK_MS;
  state.averageMs += (durationMs - state.averageMs) / 5;
}

/** Resolves when a place came free, or after a moment. */
export function placeFreed(state: EndpointState): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      state.waiting = state.waiting.filter((one) => one !== wake);
      resolve();
    };
    const timer = setTimeout(wake, WAIT_INSIDE_MS);
    state.waiting.push(wake);
  });
}

function forgetIdle(states: Map<string, EndpointState>): void {
  for (const [endpointId, { inside, waiting }] of states) {
    if (inside.size === 0 && waiting.length === 0) states.delete(endpointId);
    if (states.size <= MOST_ENDPOINTS / 2) return;
  }
}
