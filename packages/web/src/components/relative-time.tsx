import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { nowMs } from '../clock.ts';
import { relativeWords, utcWords } from './time-words.ts';

const EVERY_MS = 10_000;

/** An instant relative to now, with the exact UTC instant on hover; a dash for null. */
export function RelativeTime({ at, everyMs = EVERY_MS }: { at: string | null; everyMs?: number }) {
  const now = useNow(everyMs);
  if (at === null) return <span className="soft">–</span>;
  return (
    <Tooltip label={utcWords(at)}>
      <Text component="time" inherit dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {relativeWords(Date.parse(at), now)}
      </Text>
    </Tooltip>
  );
}

/** The time of the last tick; renders again at every tick. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(nowMs);
  const { start, stop } = useInterval(() => setNow(nowMs()), everyMs);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  return now;
}
