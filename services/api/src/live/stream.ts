import type { liveMessage } from '@posthorn/contract/live';
import type { z } from 'zod';
import type { EventStream } from '../transport/event-stream.ts';

export type LiveMessage = z.input<typeof liveMessage>;

export type LiveStream = EventStream<LiveMessage> & {
  push: (message: LiveMessage) => void;
  /** Tells the reader of a gap; null for an unknown number of changes. */
  drop: (changes: number | null) => void;
};

/** The messages that wait for a slow reader: at most 1 KB each, and shared by all streams of a workspace. */
const MAX_WAITING = 500;

/**
 * Drops messages that a slow reader misses, and reports the gap once the reader has caught up. `onEnd` is called once.
 */
export function createLiveStream(onEnd: () => void): LiveStream {
  let waiting: LiveMessage[] = [];
  let gap: { dropped: number | null } | undefined;
  let isEnded = false;
  let wake = () => {};
  const next = (): LiveMessage | undefined => {
    const message = waiting.shift();
    if (message !== undefined || gap === undefined) return message;
    const told = { event: 'gap' as const, data: gap };
    gap = undefined;
    return told;
  };
  const drop = (changes: number | null) => {
    const before = gap === undefined ? 0 : gap.dropped;
    gap = { dropped: before === null || changes === null ? null : before + changes };
    wake();
  };
  return {
    push(message) {
      if (isEnded) return;
      if (waiting.length >= MAX_WAITING) return drop(1);
      waiting.push(message);
      wake();
    },
    drop,
    end() {
      if (isEnded) return;
      isEnded = true;
      waiting = [];
      onEnd();
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!isEnded) {
        const message = next();
        if (message !== undefined) yield message;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
