import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { nowMs } from '../clock.ts';
import { relativeWords, utcWords } from './time-words.ts';

const EVERY_MS = 10_000;

/** An instant relative to now, with the exact UTC instant on hover; a dash for null. */
export function RelativeTime({ at, everyMs = EVERY_MS }: { at: string | null; everyMs?: number }) {
  if (at === null) return <span className="soft">–</span>;
  return <Instant at={at} everyMs={everyMs} />;
}

function Instant({ at, everyMs }: { at: string; everyMs: number }) {
  return (
    <time dateTime={at} title={utcWords(at)} style={{ whiteSpace: 'nowrap' }}>
      {useAsTimePasses(at, everyMs, relativeWords)}
    </time>
  );
}

/** What `read` makes of an instant and the present, both in milliseconds. Renders again only when that changes. */
export function useAsTimePasses<Value extends string | boolean>(
  at: string,
  everyMs: number,
  read: (atMs: number, nowMs: number) => Value,
): Value {
  const ticks = ticksOf(everyMs);
  const instant = useMemo(() => ({ atMs: Date.parse(at), readMs: nowMs() }), [at]);
  // An instant that was read after the last tick must not lie in the future.
  const value = useCallback(() => read(instant.atMs, Math.max(ticks.lastMs, instant.readMs)), [instant, ticks, read]);
  return useSyncExternalStore(ticks.listen, value);
}

/** One timer for all instants on the page that are read as often. It runs while there is one. */
type Ticks = { lastMs: number; listen: (listener: () => void) => () => void };

const allTicks = new Map<number, Ticks>();

function ticksOf(everyMs: number): Ticks {
  const known = allTicks.get(everyMs);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const ticks: Ticks = {
    lastMs: 0,
    listen: (listener) => {
      listeners.add(listener);
      timer ??= setInterval(() => {
        ticks.lastMs = nowMs();
        for (const one of listeners) one();
      }, everyMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
  allTicks.set(everyMs, ticks);
  return ticks;
}
