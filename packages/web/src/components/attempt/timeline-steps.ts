import type { Attempt, DeliveryDetail } from '../../client/resources.ts';

export type Step = {
  key: string;
  kind: 'accepted' | 'attempt' | 'next';
  at: string;
  attempt: Attempt | null;
  /** The milliseconds since the previous step. */
  gapMs: number;
  /** The length of the line to this step. It grows with the logarithm of the gap, so that long gaps stay short. */
  lengthPx: number;
};

const SHORTEST_PX = 24;
const LONGEST_PX = 120;

/** The acceptance, every attempt, and the next attempt, in order of time. */
export function timelineSteps(
  delivery: Pick<DeliveryDetail, 'createdAt' | 'nextRetryAt'>,
  attempts: readonly Attempt[],
): Step[] {
  const points = [
    { key: 'accepted', kind: 'accepted', at: delivery.createdAt, attempt: null },
    ...attempts.map((attempt) => ({ key: attempt.id, kind: 'attempt', at: attempt.startedAt, attempt }) as const),
    ...(delivery.nextRetryAt === null
      ? []
      : [{ key: 'next', kind: 'next', at: delivery.nextRetryAt, attempt: null } as const]),
  ] as const;
  return points.map((point, index) => {
    const before = points[index - 1];
    const gapMs = before === undefined ? 0 : Math.max(0, Date.parse(point.at) - Date.parse(before.at));
    return { ...point, gapMs, lengthPx: lengthOf(gapMs) };
  });
}

/** 100 ms or less make the shortest line, a day or more the longest. */
function lengthOf(gapMs: number): number {
  const share = Math.log10(Math.max(gapMs, 100) / 100) / Math.log10(864_000);
  return Math.round(SHORTEST_PX + Math.min(share, 1) * (LONGEST_PX - SHORTEST_PX));
}
