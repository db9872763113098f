/** The deliveries of an endpoint that operations have enqueued, and that have not been attempted since. */
export type EndpointPace = {
  /** The number of these deliveries. */
  waiting: number;
  /**
   * The number of attempts, fading by a factor of e in ten seconds. At a steady rate, this is the attempts of ten
   * seconds.
   */
  settled: number;
  /** Whether many jobs wait in the queue. */
  isBusy: boolean;
};

/** Enough deliveries to find out how fast an endpoint is. */
const LEAST_OPEN = 20;
/**
 * With a turn every 250 ms, this limits an endpoint to 160 deliveries a second. On two cores, 140 a second did not
 * change the p99 of another endpoint's new events. 390 a second, with 100 open deliveries, nearly doubled it (`npm run
 * bench -- --only recovery`).
 */
const MAX_OPEN = 40;
export const FADES_IN_SECONDS = 10;

/**
 * The number of additional deliveries of an endpoint that may be enqueued now (docs/interface.md, Pace of operations).
 */
export function roomFor({ waiting, settled, isBusy }: EndpointPace): number {
  const limit = isBusy ? LEAST_OPEN : Math.min(MAX_OPEN, Math.max(LEAST_OPEN, Math.floor(settled)));
  return Math.max(0, limit - waiting);
}

/** The part of a number of settled deliveries that still counts after this time. */
export function faded(settled: number, afterSeconds: number): number {
  return settled * Math.exp(-Math.max(0, afterSeconds) / FADES_IN_SECONDS);
}
