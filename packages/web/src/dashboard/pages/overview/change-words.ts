/** The span of the same length just before this one. Both are ISO instants. */
export function spanBefore(from: string, to: string): { from: string; to: string } {
  const beginMs = Date.parse(from);
  const lengthMs = Date.parse(to) - beginMs;
  if (!Number.isFinite(lengthMs)) return { from, to: from };
  return { from: new Date(beginMs - lengthMs).toISOString(), to: from };
}

/**
 * The change of a number, such as `+12 %` or `−3 %`, or `× 12` above ten times; undefined without an earlier number.
 */
export function changeWords(now: number, before: number | null | undefined): string | undefined {
  if (before === null || before === undefined || before === 0) return undefined;
  const share = now / before;
  if (share >= 10) return `× ${Math.round(share)}`;
  const percent = Math.round((share - 1) * 100);
  if (percent === 0) return '± 0 %';
  return percent > 0 ? `+${percent} %` : `−${-percent} %`;
}

/** The change of a share in percentage points, such as `−0.4 points`; undefined without an earlier share. */
export function pointsWords(now: Share, before: Share | undefined): string | undefined {
  if (before === undefined || before.whole === 0 || now.whole === 0) return undefined;
  const points = Math.round((now.part / now.whole - before.part / before.whole) * 1000) / 10;
  if (points === 0) return '± 0 points';
  return points > 0 ? `+${points} points` : `−${-points} points`;
}

type Share = { part: number; whole: number };
