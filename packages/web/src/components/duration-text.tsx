import { durationWords } from './time-words.ts';

/** A duration in monospace; a dash for null. */
export function DurationText({ ms }: { ms: number | null }) {
  if (ms === null) return <span className="soft">–</span>;
  return <span className="mono">{durationWords(ms)}</span>;
}
