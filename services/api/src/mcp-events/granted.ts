import type { CallbackFailure, Dialect } from '@posthorn/contract/agents';
import { Prisma } from '@posthorn/db/generated/client';
import type { CallbackState } from '../agent-subscriptions/callback-state.ts';
import type { Agent } from './agent.ts';
import type { SubscribeParams } from './subscribe-params.ts';

/** The dialect of an agent's message, and the name that its client gives itself. */
export type Told = { dialect: Dialect; clientName: string | null };

/** A request of an agent, after the checks that every subscribe and refresh needs. */
export type Wanted = SubscribeParams & Told & { identity: string; eventTypeId: string };

/** The answer to a subscribe. After a refresh it also has the state of the callback. */
export type Subscribed = {
  id: string;
  refreshBefore: string;
  cursor: null;
  truncated: boolean;
  deliveryStatus?: DeliveryStatus;
};

/** The state of the callback before a refresh. */
type DeliveryStatus = {
  active: boolean;
  lastDeliveryAt: string | null;
  lastError: CallbackFailure | null;
  failedSince?: string;
  /** Set while events wait for a limit. `retryAfterMs` is then the time until the next of them is sent. */
  throttled?: true;
  retryAfterMs?: number;
};

const LEAST_TTL_SECONDS = 60;

/** The lifetime that is granted, before the end of the key limits it. */
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
