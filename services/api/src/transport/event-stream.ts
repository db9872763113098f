import type { Response } from 'express';
import { drained } from './pages.ts';

/** Messages for one reader, until the reader disconnects or `end` is called. */
export type EventStream<Message> = AsyncIterable<Message> & { end: () => void };

export type EventStreamOptions<Message> = {
  /** The message in the form of the HTML standard: `event: …`, `data: …` and an empty line. */
  textOf: (message: Message) => string;
  /** Whether the caller may still read. It is asked every few seconds. */
  isAllowed: () => Promise<boolean>;
};

const COMMENT_EVERY_MS = 15_000;
const CHECK_EVERY_MS = 5_000;
/** A reader that takes nothing for this long is disconnected. */
const STALLED_AFTER_MS = 60_000;
/** A browser connects again after this time. */
const RETRY_MS = 2_000;

/** Whether an operation returns a stream instead of a value. */
export function isEventStream(result: unknown): result is EventStream<object> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result && 'end' in result;
}

/**
 * Answers with server-sent events, and waits for a slow reader. Ends when the stream ends or the caller may no longer
 * read. Cuts the connection of a reader that takes nothing for a minute.
 */
export async function answerEvents<Message>(
  response: Response,
  stream: EventStream<Message>,
  { textOf, isAllowed }: EventStreamOptions<Message>,
): Promise<void> {
  response.locals.isStream = true;
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // Without this header, nginx would buffer the events.
  response.setHeader('X-Accel-Buffering', 'no');
  response.once('close', stream.end);
  if (response.req.method === 'HEAD' || response.destroyed) stream.end();
  else response.write(`retry: ${RETRY_MS}\n\n`);
  const stopBeating = beat(response);
  const checks = setInterval(async () => {
    if (!(await isAllowed())) stream.end();
  }, CHECK_EVERY_MS);
  try {
    for await (const message of stream) {
      if (!response.write(textOf(message)) && !response.destroyed) await drained(response);
    }
  } finally {
    stream.end();
    stopBeating();
    clearInterval(checks);
  }
  response.end();
}

/** Sends a comment at intervals, so that neither side takes the connection for dead. */
function beat(response: Response): () => void {
  let stalledMs = 0;
  const beats = setInterval(() => {
    stalledMs = response.writableNeedDrain ? stalledMs + COMMENT_EVERY_MS : 0;
    if (stalledMs >= STALLED_AFTER_MS) response.destroy();
    else if (stalledMs === 0) response.write(':\n\n');
  }, COMMENT_EVERY_MS);
  return () => clearInterval(beats);
}
