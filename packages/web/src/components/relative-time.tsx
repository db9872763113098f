import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { nowMs } from '../clock.ts';
import { relativeWords, utcWords } from './time-words.ts';

const EVERY_MS = 10_000;

/** An instant relative to now. Hovering shows the exact UTC instant. A dash for null. */
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

/**
 * The result of `read` for an instant and the current time, both in milliseconds. Re-renders only when the result
 * changes.
 */
export function useAsTimePasses<Value extends string | boolean>(
  at: string,
  everyMs: number,
  read: (atMs: number, nowMs: number) => Value,
): Value {
  const ticks = ticksOf(everyMs);
  const instant = useMemo(() => ({ atMs: Date.parse(at), readMs: nowMs() }), [at]);
  // An instant that arrived after the last tick must not lie in the future.
  const value = useCallback(() => read(instant.atMs, Math.max(ticks.lastMs, instant.readMs)), [instant, ticks, read]);
  return useSyncExternalStore(ticks.listen, value);
}

/** One timer for all instants on the page with the same interval. It runs while there are any. */
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
