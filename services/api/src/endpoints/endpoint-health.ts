import { Prisma } from '@posthorn/db/generated/client';

/** From this many failures in a row an endpoint counts as failing instead of degraded. */
const FAILING_FROM = 10;
/** The ledger counts attempts and failures in the five minutes from a failure on (packages/ledger/breaker). */
const WINDOW_MS = 300_000;
/** From this share of failed attempts in the window on, an endpoint is degraded, even after a success. */
const DEGRADED_FROM = 0.1;

export type EndpointHealth = {
  consecutiveFailures: number;
  openUntil: Date | null;
  windowStartedAt: Date | null;
  windowAttempts: number;
  windowFailures: number;
};

export function healthOf(health: EndpointHealth | null, now: Date): 'healthy' | 'degraded' | 'failing' {
  if (health === null) return 'healthy';
  // An open breaker stays open until a probe succeeds, also past its time.
  if (health.openUntil !== null || health.consecutiveFailures >= FAILING_FROM) return 'failing';
  if (health.consecutiveFailures > 0) return 'degraded';
  const isInWindow = health.windowStartedAt !== null && health.windowStartedAt.getTime() > now.getTime() - WINDOW_MS;
  return isInWindow && health.windowFailures >= DEGRADED_FROM * health.windowAttempts ? 'degraded' : 'healthy';
}

/** The same conditions in SQL, for the row `h` of `endpoint_health`. */
export const isFailing = Prisma.sql`(h.open_until is not null or h.consecutive_failures >= ${FAILING_FROM}::int)`;
export const isDegraded = Prisma.sql`(h.open_until is null and h.consecutive_failures < ${FAILING_FROM}::int
  and (h.consecutive_failures > 0 or (h.window_started_at > now() - interval '5 minutes'
    and h.window_failures >= ${DEGRADED_FROM}::float8 * h.window_attempts)))`;
