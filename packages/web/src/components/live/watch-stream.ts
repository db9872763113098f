import { createParser } from 'eventsource-parser';
import { isUnauthorized } from '../../client/api-error.ts';
import { type LiveHandlers, readDelivery, type Watch } from './use-live-rows.ts';

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;
/** A comment comes every 15 seconds, so a stream that is silent for so long is broken. */
const MAX_SILENT_MS = 50_000;

type OpenStream = (signal: AbortSignal) => Promise<{ data?: ReadableStream<Uint8Array> | null | undefined }>;

/**
 * A live view of the streams that `open` opens. The browser's own EventSource sends no header, does not open a stream again that
 * was refused, and does not notice one that has fallen silent; so the stream is read with the client. Each time but the
 * first one that it is opened, also by another call of the returned function, there is a gap (docs/interface.md, Live view).
 */
export function watchStream(open: OpenStream): Watch {
  let hasOpened = false;
  return (handlers) => {
    const stopped = new AbortController();
    const onState = (isLive: boolean) => {
      handlers.onState(isLive);
      if (isLive && hasOpened) handlers.onGap();
      hasOpened ||= isLive;
    };
    void keepOpen(open, { ...handlers, onState }, stopped.signal);
    return () => stopped.abort();
  };
}

async function keepOpen(open: OpenStream, handlers: LiveHandlers, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      await readStream(open, signal, {
        ...handlers,
        onState: (isLive) => {
          waitMs = FIRST_WAIT_MS;
          handlers.onState(isLive);
        },
      });
    } catch (error) {
      // The page says that the session has ended when it asks for anything else.
      if (isUnauthorized(error)) return;
    }
    if (signal.aborted) return;
    handlers.onState(false);
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  }
}

/** Reads one stream to its end. */
async function readStream(open: OpenStream, signal: AbortSignal, handlers: LiveHandlers): Promise<void> {
  const { data } = await open(signal);
  if (!data) return;
  handlers.onState(true);
  const parser = createParser({
    onEvent: ({ event, data: text }) => {
      if (event === 'delivery') handlers.onDelivery(readDelivery(text));
      if (event === 'gap') handlers.onGap();
    },
  });
  const reader = data.getReader();
  const decoder = new TextDecoder();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const next = () => {
    clearTimeout(silence);
    silence = setTimeout(() => void reader.cancel(), MAX_SILENT_MS);
    return reader.read();
  };
  try {
    for (let part = await next(); !part.done; part = await next()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
