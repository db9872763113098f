const SHORTEST_MS = 500;
/** Past this, turns are guessed no further: what drains quicker than it did must not stand empty for long. */
const LONGEST_MS = 5 * 60_000;

/** Gives the next place in the line: the milliseconds to come back after. */
export type TurnLine = (nowMs: number, intervalMs: number) => number;

/**
 * An imagined line of those put off: each gets the turn behind the last, as far apart as places come free. So what
 * comes back comes as fast as it can be taken, and 100,000 rows behind one slow endpoint are not asked for again and
 * again. Between half a second and five minutes, with a tenth of chance.
 */
export function createTurnLine(random: () => number): TurnLine {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs, intervalMs) => {
    endsAtMs = Math.min(Math.max(endsAtMs + intervalMs, nowMs + SHORTEST_MS), nowMs + LONGEST_MS);
    const turnMs = endsAtMs - nowMs;
    // At the end of the line nobody's turn is known: spread over its second half.
    if (turnMs >= LONGEST_MS) return LONGEST_MS * (0.5 + random() / 2);
    return turnMs * (0.9 + random() / 5);
  };
}
