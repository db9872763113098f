/** The deliveries of an endpoint that operations have enqueued and that were not attempted since. */
export type EndpointPace = {
  /** Negative when deliveries were attempted that had waited behind the head of their order. */
  waiting: number;
  /** Attempts of such deliveries, fading by a factor of e in ten seconds: at a steady rate, those of ten seconds. */
  settled: number;
  /** Many jobs wait in the queue. */
  isBusy: boolean;
};

/** Enough to find out how fast an endpoint is. */
const LEAST_OPEN = 20;
/**
 * With a turn each 250 ms it bounds an endpoint to 160 a second. On two cores, 140 a second left the p99 of another
 * endpoint's new events as it was; 390 a second, at 100 open deliveries, nearly doubled it (`npm run bench -- --only
 * recovery`).
 */
const MOST_OPEN = 40;
export const FADES_IN_SECONDS = 10;

/** How many more deliveries of an endpoint may be enqueued now (docs/interface.md, Pace of operations). */
export function roomFor({ waiting, settled, isBusy }: EndpointPace): number {
  const limit = isBusy ? LEAST_OPEN : Math.min(MOST_OPEN, Math.max(LEAST_OPEN, Math.floor(settled)));
  return Math.max(0, limit - Math.max(0, waiting));
}

/** What is left of a number of settled deliveries after the time. */
export function faded(settled: number, afterSeconds: number): number {
  return settled * Math.exp(-Math.max(0, afterSeconds) / FADES_IN_SECONDS);
}
