import { type AskedLease, msSinceAsked } from '@posthorn/ledger/lease';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * A request to an agent ends so long before its subscription does: a busy process fires timers late, and a connection that is
 * being made may send its first bytes before its deadline is seen.
 */
const LIFE_MARGIN_MS = 1_000;

type Asked = Pick<AskedLease, 'askedAtMs' | 'askedAtWallMs'>;

/**
 * How long a request may take within the life of a subscription, whose rest Postgres told when it was asked: it counts from
 * before the question. At most 0 when nothing may be sent any more.
 */
export function msOfLife(lifeMs: number, asked: Asked, clock: Pick<Clock, 'monotonicMs'>): number {
  return Math.floor(lifeMs - msSinceAsked(asked, clock) - LIFE_MARGIN_MS);
}
