import { createParser } from 'eventsource-parser';
import { client } from '../client/api.ts';
import { isUnauthorized } from '../client/api-error.ts';
import { type LiveHandlers, readDelivery, type Watch } from '../components/live/use-live-rows.ts';

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;
/** The service sends a comment every 15 seconds, so a stream that is silent for this long is broken. */
const MAX_SILENT_MS = 50_000;

/**
 * The live view of the session, or of one of its endpoints. The browser's EventSource cannot send headers, and the
 * token must not be in an address. So the typed client reads the stream, and opens it again when it ends. Each time it
 * opens again, also by another call of the returned function, there is a gap.
 */
export function watchPortal(endpointId: string | undefined): Watch {
  let hasOpened = false;
  return (handlers) => {
    const stopped = new AbortController();
    const onState = (isLive: boolean) => {
      handlers.onState(isLive);
      if (isLive && hasOpened) handlers.onGap();
      hasOpened ||= isLive;
    };
    void keepOpen(endpointId, { ...handlers, onState }, stopped.signal);
    return () => stopped.abort();
  };
}

async function keepOpen(endpointId: string | undefined, handlers: LiveHandlers, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      await readStream(endpointId, signal, {
        ...handlers,
        onState: (isLive) => {
          waitMs = FIRST_WAIT_MS;
          handlers.onState(isLive);
        },
      });
    } catch (error) {
      // Stop here: the next request of the page shows that the session has ended.
      if (isUnauthorized(error)) return;
    }
    if (signal.aborted) return;
    handlers.onState(false);
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
  }
}

/** Reads a stream until it ends. */
async function readStream(endpointId: string | undefined, signal: AbortSignal, handlers: LiveHandlers): Promise<void> {
  const query = endpointId === undefined ? {} : { endpoint_id: endpointId };
  const { data } = await client.GET('/api/portal/live', { params: { query }, parseAs: 'stream', signal });
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
