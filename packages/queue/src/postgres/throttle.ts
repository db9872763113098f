import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import { MAX_AHEAD_MS, pace, type RateLimit, type Throttle } from '../throttle.ts';
import type { Shared } from './shared.ts';
import { startSweeping } from './sweep.ts';

/** How long a refused delivery keeps others from passing it: until it is in the line and the line has its turn. */
const REFUSED_MS = 2_000;
const MOST_ASKED = 200;
/**
 * All questions of a batch use the same time. Without this margin, rounding could make sums of intervals exceed a limit
 * that allows them.
 */
const ROUNDING_MS = 0.01;

/** A question to the SQL function `ask_limits`, which documents the fields of each kind. */
type Question = { endpointId: string; rate: string } & (
  | ({ kind: 'reserve'; passes: number; most: number; aheadMs: number; furthestMs: number; forMs: number } & Pick<
      ReturnType<typeof pace>,
      'intervalMs' | 'toleranceMs' | 'passedMs'
    >)
  | { kind: 'late'; lateMs: number; forMs: number }
  | { kind: 'mark'; forMs: number }
  | { kind: 'take'; holder: string; passes: number; most: number; leaseMs: number; forMs: number }
  | { kind: 'release'; holder: string }
);
/** A field is null if this kind of question does not ask for it. */
type Answer = { waitsMs: number[] | null; nextMs: number | null; isSo: boolean | null };

/** Asks in batches, one at a time, so that a process's questions about an endpoint keep their order. */
export function createThrottle({ db, onError }: Pick<Shared, 'db' | 'onError'>): Throttle {
  const ask = createBatcher<Question, Answer>({
    run: (questions) => askLimits(db, questions),
    maxItems: MOST_ASKED,
    lane: ({ endpointId }) => endpointId,
    maxInFlight: 1,
  });
  // Starts here because every dispatcher has a throttle.
  const sweeping = startSweeping(db, onError);
  const reserve = async (endpointId: string, limit: RateLimit, { most, aheadMs, as }: ReserveOptions) => {
    const { intervalMs, toleranceMs, slackMs, passedMs } = pace(limit);
    const { waitsMs, nextMs } = await ask({
      ...{ kind: 'reserve', endpointId, rate: rateOf(limit), passes: AS[as], most, aheadMs: aheadMs + ROUNDING_MS },
      ...{ intervalMs, toleranceMs, passedMs, forMs: REFUSED_MS },
      furthestMs: MAX_AHEAD_MS + limit.periodSeconds * 1_000 + slackMs,
    });
    return { waitsMs: waitsMs ?? [], nextMs: nextMs ?? 0 };
  };
  // If this fails, the line's next turn repeats it, or its effect ends by its own time.
  const tell = (question: Question) => void ask(question).catch(() => undefined);
  return {
    async takeTime(endpointId, limit, { passes } = { passes: false }) {
      const as = passes ? 'passing' : 'new';
      const { waitsMs, nextMs } = await reserve(endpointId, limit, { most: 1, aheadMs: 0, as });
      return waitsMs.length > 0 ? { kind: 'now' } : { kind: 'wait', waitMs: nextMs };
    },
    reserveTimes: (endpointId, limit, { most, aheadMs }) =>
      reserve(endpointId, limit, { most, aheadMs: Math.min(aheadMs, MAX_AHEAD_MS), as: 'line' }),
    tellLate(endpointId, limit, givenMs) {
      const lateMs = Math.min(givenMs - pace(limit).slackMs, MAX_AHEAD_MS);
      if (lateMs <= 0) return;
      tell({ kind: 'late', endpointId, rate: rateOf(limit), lateMs, forMs: limit.periodSeconds * 1_000 });
    },
    markLine: (endpointId, forMs) => tell({ kind: 'mark', endpointId, rate: NO_RATE, forMs: Math.max(1, forMs) }),
    forgetLine: (endpointId) => tell({ kind: 'mark', endpointId, rate: NO_RATE, forMs: 0 }),
    async takeSlot(endpointId, { holder, max, leaseMs, isTurn = false }) {
      const passes = isTurn ? AS.line : AS.new;
      const taken = { endpointId, rate: NO_RATE, holder, passes, most: max, leaseMs, forMs: REFUSED_MS };
      return (await ask({ kind: 'take', ...taken })).isSo === true;
    },
    releaseSlot: async (endpointId, holder) =>
      (await ask({ kind: 'release', endpointId, rate: NO_RATE, holder })).isSo === true,
    close: () => void sweeping.stop(),
  };
}

/** The row of an endpoint that has its slots and the mark of its line. */
const NO_RATE = '';
/** Another limit or period uses another row, so that no time is bound to an outdated rate. */
const rateOf = ({ limit, periodSeconds }: RateLimit) => `${limit}/${periodSeconds}`;

const AS = { line: 0, new: 1, passing: 2 };
type ReserveOptions = { most: number; aheadMs: number; as: keyof typeof AS };

async function askLimits(db: Db, questions: readonly Question[]): Promise<Answer[]> {
  const asked = JSON.stringify(questions.map((question, n) => ({ n, ...question })));
  return db.$queryRaw<Answer[]>`
    select waits_ms as "waitsMs", next_ms as "nextMs", is_so as "isSo" from ask_limits(${asked}::json) order by number`;
}
