import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PulledMessage } from '@posthorn/client';
import { systemClock } from '@posthorn/runtime/clock';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { Usage } from '../failure.ts';
import { isLoopback } from '../loopback.ts';
import { oneLine } from '../safe-text.ts';

export type Target = {
  url: URL;
  /** Accepts a certificate that no trusted authority signed. */
  insecure: boolean;
};

export type Answer =
  | { kind: 'answered'; status: number; body: string; durationMs: number }
  | { kind: 'failed'; reason: string; durationMs: number };

const ANSWERS_WITHIN_MS = 30_000;
/** The part of a response that the service keeps, in bytes. */
const KEPT_BYTES = 16 * 1_024;

/** Reads a port of this machine, or a URL. Throws a Usage error for another machine, unless that is allowed. */
export function readTarget(
  given: string,
  { path, insecure, allowExternal }: { path: string | undefined; insecure: boolean; allowExternal: boolean },
): Target {
  const isPort = Number.isInteger(Number(given)) && Number(given) > 0 && Number(given) < 65_536;
  const text = isPort ? `http://localhost:${given}` : given.includes('://') ? given : `http://${given}`;
  const url = parseUrl(text);
  if (url === undefined) throw new Usage('The receiver must be a port or a URL');
  if (!['http:', 'https:'].includes(url.protocol)) throw new Usage('The receiver must be an http or https URL');
  if (!allowExternal && !isLoopback(url.href)) {
    throw new Usage(`${url.host} is another machine. If it may get the webhooks: --allow-external`);
  }
  if (path !== undefined) url.pathname = path;
  return { url, insecure };
}

/** Sends a message to the receiver as a webhook, and waits for its answer. Throws when `signal` aborts. */
export async function forward(
  { url, insecure }: Target,
  { headers, body }: Pick<PulledMessage, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Answer> {
  const startedAt = systemClock.monotonicMs();
  const took = () => Math.round(systemClock.monotonicMs() - startedAt);
  try {
    const late = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const response = await send(url, insecure, { ...headers, 'content-length': String(body.length) }, body, [
      signal,
      late,
    ]);
    const text = await readText(response);
    return { kind: 'answered', status: response.statusCode ?? 0, body: text, durationMs: took() };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'failed', reason: reasonOf(error), durationMs: took() };
  }
}

function send(
  url: URL,
  insecure: boolean,
  headers: Record<string, string>,
  body: Uint8Array,
  signals: AbortSignal[],
): Promise<IncomingMessage> {
  const options = { method: 'POST', headers, signal: AbortSignal.any(signals) };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: !insecure })
        : requestHttp(url, options);
    request.once('response', resolve).once('error', reject).end(body);
  });
}

/** Keeps as much of the response as the service does. The rest is read and dropped. */
async function readText(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < KEPT_BYTES) kept.push(chunk);
    size += chunk.length;
  }
  const text = Buffer.concat(kept).subarray(0, KEPT_BYTES).toString().replaceAll('\u0000', '\ufffd');
  // As the service counts: a byte that is not UTF-8 has become a character of three.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
  return text.slice(0, read);
}

function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: { message?: string }[] };
  if (code === 'ABORT_ERR') return `no answer within ${ANSWERS_WITHIN_MS / 1_000} s`;
  // The message of OpenSSL ends with a line break, and the service takes one line of 200 characters.
  const words = oneLine(message || errors?.[0]?.message || code || '').trim();
  return [...(words || 'it cannot be reached')].slice(0, 200).join('');
}
