import type { CallbackFailure, Dialect } from '@posthorn/contract/agents';
import { Prisma } from '@posthorn/db/generated/client';
import type { CallbackState } from '../agent-subscriptions/callback-state.ts';
import type { Agent } from './agent.ts';
import type { SubscribeParams } from './subscribe-params.ts';

/** What an agent says of itself in its message. */
export type Told = { dialect: Dialect; clientName: string | null };

/** What an agent asks for, checked as far as every subscribe and refresh is. */
export type Wanted = SubscribeParams & Told & { identity: string; eventTypeId: string };

/** The answer to a subscribe. A refresh also tells how the callback does. */
export type Subscribed = {
  id: string;
  refreshBefore: string;
  cursor: null;
  truncated: boolean;
  deliveryStatus?: DeliveryStatus;
};

/** How the callback did before a refresh. */
type DeliveryStatus = {
  active: boolean;
  lastDeliveryAt: string | null;
  lastError: CallbackFailure | null;
  failedSince?: string;
  /** Whether events wait for a limit; then `retryAfterMs` is the time until the next of them is sent. */
  throttled?: true;
  retryAfterMs?: number;
};

const LEAST_TTL_SECONDS = 60;

/** The time that is granted, apart from the end of the key. */
export function ttlSeconds({ settings: { maxTtlSeconds } }: Agent, ttlMs: number | null): number {
  const wished = ttlMs === null ? maxTtlSeconds : Math.max(LEAST_TTL_SECONDS, ttlMs / 1_000);
  return Math.min(wished, maxTtlSeconds);
}

/** The expiry, by Postgres' clock, not after `endsAt` if there is one. It has whole milliseconds, as the agent is told it. */
export function expiryIn(seconds: number, endsAt: Date | null): Prisma.Sql {
  return Prisma.sql`date_trunc('milliseconds',
    least(now() + make_interval(secs => ${seconds}::float8), ${endsAt}::timestamptz))`;
}

type Refreshed = { expiresAt: Date; state: CallbackState | undefined };

/** The answer to a refresh. */
export function answerOfRefresh(
  { identity, hasCursor }: Pick<Wanted, 'identity' | 'hasCursor'>,
  { expiresAt, state }: Refreshed,
): Subscribed {
  return {
    id: identity,
    refreshBefore: expiresAt.toISOString(),
    cursor: null,
    truncated: hasCursor,
    deliveryStatus: {
      active: state?.isSuspended !== true,
      lastDeliveryAt: state?.lastDeliveryAt?.toISOString() ?? null,
      lastError: state?.lastError ?? null,
      ...(state?.failingSince == null ? {} : { failedSince: state.failingSince.toISOString() }),
      ...(state?.throttledMs == null ? {} : { throttled: true as const, retryAfterMs: state.throttledMs }),
    },
  };
}
