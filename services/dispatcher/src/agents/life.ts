import { type AskedLease, msSinceAsked } from '@posthorn/ledger/lease';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * How long before the end of the subscription a request to an agent must end. A busy process fires timers late, and a
 * new connection may send its first bytes before its deadline is noticed.
 */
const LIFE_MARGIN_MS = 1_000;

type Asked = Pick<AskedLease, 'askedAtMs' | 'askedAtWallMs'>;

/**
 * How long a request may take within the life of a subscription. `lifeMs` is what Postgres said was left, counted from
 * before the question was sent. At most 0 if nothing may be sent any more.
 */
export function msOfLife(lifeMs: number, asked: Asked, clock: Pick<Clock, 'monotonicMs'>): number {
  return Math.floor(lifeMs - msSinceAsked(asked, clock) - LIFE_MARGIN_MS);
}
