import { Posthorn, type PulledMessage } from '@posthorn/client';
import { mayBeAnswered, pauseBeforeReconnect } from '../reconnect.ts';

/** Callbacks that hear when the connection to the service changes. */
export type Tell = { connected: (isFirst: boolean) => void; lost: (why: string) => void };

/** A call that hangs is cancelled this long after its own wait should have ended. */
const ANSWERS_WITHIN_MS = 5_000;
const WAIT_SECONDS = 10;
/** Longer than a receiver may take. */
const LEASE_SECONDS = 60;

/**
 * Hands each message of the endpoint to `work`, oldest first, until `work` says that it was the last one or `signal`
 * aborts. Reconnects when a connection ends. `tell.connected` is called only after an answer to a request.
 */
export async function consume(
  { baseUrl, endpointId, pullKey }: { baseUrl: string; endpointId: string; pullKey: string },
  {
    tell,
    work,
    signal,
  }: { tell: Tell; work: (message: PulledMessage) => Promise<'more' | 'last'>; signal: AbortSignal },
): Promise<void> {
  const connection = createConnection(tell, signal);
  const client = new Posthorn({ baseUrl, pullKey, timeoutMs: ANSWERS_WITHIN_MS, fetch: connection.fetch });
  for (let failures = 0; ; ) {
    try {
      for await (const message of client.pull(endpointId, {
        signal,
        waitSeconds: WAIT_SECONDS,
        leaseSeconds: LEASE_SECONDS,
      })) {
        failures = 0;
        if ((await work(message)) === 'last') return;
      }
    } catch (error) {
      if (signal.aborted || !mayBeAnswered(error)) throw error;
      connection.lost((error as Error).message);
    }
    failures += 1;
    await pauseBeforeReconnect(failures, signal);
  }
}

function createConnection(tell: Tell, signal: AbortSignal) {
  let state: 'new' | 'up' | 'down' = 'new';
  const found = () => {
    if (state !== 'up') tell.connected(state === 'new');
    state = 'up';
  };
  const lost = (why: string) => {
    if (state !== 'down') tell.lost(why);
    state = 'down';
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    try {
      const response = await globalThis.fetch(input, init);
      if (response.ok) found();
      return response;
    } catch (error) {
      if (!signal.aborted) lost(init?.signal?.aborted ? 'it does not answer' : reasonOf(error));
      throw error;
    }
  };
  return { fetch, lost };
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? 'no connection';
}
