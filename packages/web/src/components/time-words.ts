import { language, number, t } from '../language/language.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration for people: `384 ms`, `2.1 s`, `3 h 12 min`, `2 d 4 h`. */
export function durationWords(ms: number): string {
  if (ms < 1) return '< 1 ms';
  if (ms < SECOND - 0.5) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${number(Math.round(ms / (SECOND / 10)) / 10)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return pair(ms, [MINUTE, 'min'], [SECOND, 's']);
  if (ms < DAY) return pair(ms, [HOUR, 'h'], [MINUTE, 'min']);
  return pair(ms, [DAY, t('d')], [HOUR, 'h']);
}

/** An instant relative to now: `just now`, `3 min ago`, `in 2 h`. Only the largest unit is given. */
export function relativeWords(atMs: number, nowMs: number): string {
  const distance = Math.abs(atMs - nowMs);
  if (distance < SECOND) return t('just now');
  const size = largestUnit(distance);
  return atMs < nowMs ? t('{size} ago', { size }) : t('in {size}', { size });
}

/** An ISO instant to the millisecond, for people: `2026-11-21 09:30:00.000 UTC`, or in the language's format. */
export function utcWords(iso: string): string {
  if (language() === 'en') return `${iso.replace('T', ' ').replace('Z', '')} UTC`;
  return `${written(iso, { dateStyle: 'medium', timeStyle: 'medium' })} UTC`;
}

/** An ISO instant to the minute, in UTC. */
export function minuteWords(iso: string): string {
  return language() === 'en' ? utcWords(iso).slice(0, 16) : written(iso, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The day of an ISO instant without its year, in UTC. */
export function dayWords(iso: string): string {
  return language() === 'en' ? iso.slice(5, 10) : written(iso, { day: '2-digit', month: '2-digit' });
}

function written(iso: string, form: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language(), { ...form, timeZone: 'UTC' }).format(new Date(iso));
}

function largestUnit(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} ${t('d')}`;
}

type Unit = [size: number, name: string];

function pair(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  const head = `${Math.floor(ms / large)} ${largeName}`;
  return rest === 0 ? head : `${head} ${rest} ${smallName}`;
}
