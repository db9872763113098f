import { timedOut } from '../failure.ts';
import { MAX_BODY_BYTES, type OpenDestination, type SendResult } from '../kind.ts';
import { createOpenExchanges, type OpenExchanges } from '../open-exchanges.ts';
import type { PlaygroundSettings } from './describe.ts';

/** The answer to one request. */
type PlaygroundAnswer = { status: number; delayMs: number; body: string };

/** Answers requests itself, without an address, a socket or connection phases. */
export const open: OpenDestination = ({ clock }) => {
  const waiting = createOpenExchanges();
  return {
    async send({ place, message, timeoutMs }) {
      if (waiting.isAborted()) return { kind: 'aborted' };
      const answer = answerOf(place.settings as PlaygroundSettings, message.attemptNumber);
      const startedMs = clock.monotonicMs();
      if ((await pause(Math.min(answer.delayMs, timeoutMs), waiting)) === 'aborted') return { kind: 'aborted' };
      return give(answer, timeoutMs, Math.round(clock.monotonicMs() - startedMs));
    },
    examine: () => Promise.reject(new Error('a playground has no server to examine')),
    abortAll: waiting.abortAll,
    close() {},
  };
};

/** The first `failFirst` attempts of a delivery fail with 500. Later ones get the configured answer. */
function answerOf(settings: PlaygroundSettings, attemptNumber: number): PlaygroundAnswer {
  const { status = 200, delayMs = 0, failFirst = 0, body = '' } = settings;
  return { status: attemptNumber <= failFirst ? 500 : status, delayMs, body };
}

function give({ status, delayMs, body }: PlaygroundAnswer, timeoutMs: number, durationMs: number): SendResult {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };
  const measures = { durationMs, timings, remoteAddress: null };
  if (delayMs > timeoutMs) {
    return { kind: 'error', ...timedOut('No complete answer', timeoutMs), response: null, ...measures };
  }
  const bytes = Buffer.from(body, 'utf8');
  const kept = { body: bytes.subarray(0, MAX_BODY_BYTES), truncated: bytes.length > MAX_BODY_BYTES };
  return { kind: 'response', status, headers: {}, ...kept, ...measures };
}

function pause(forMs: number, waiting: OpenExchanges): Promise<'over' | 'aborted'> {
  if (forMs === 0) return Promise.resolve('over');
  return new Promise((resolve) => {
    const end = (how: 'over' | 'aborted') => {
      clearTimeout(timer);
      forget();
      resolve(how);
    };
    const forget = waiting.add(() => end('aborted'));
    const timer = setTimeout(() => end('over'), forMs);
  });
}
