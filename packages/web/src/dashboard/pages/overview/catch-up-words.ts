import type { Stats } from '../../../client/resources.ts';
import { durationWords } from '../../../components/time-words.ts';

const MINUTE_MS = 60_000;

/** The text of the banner, such as `1,200 deliveries wait. …`. */
export function catchUpWords({ waiting, perSecond, endsAt }: NonNullable<Stats['catchingUp']>, atMs: number): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(endsAt) - atMs) / MINUTE_MS));
  const deliveries = waiting === 1 ? '1 delivery waits' : `${waiting.toLocaleString('en')} deliveries wait`;
  return `${deliveries}. To spare receivers a wave, their endpoints get at most ${perSecond.toLocaleString('en')} a second together, for about ${durationWords(minutes * MINUTE_MS)} more. New events pass what waits.`;
}
