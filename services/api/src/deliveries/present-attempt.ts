import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { ATTEMPT_ERROR_CODES } from '@posthorn/destinations/failure';
import { z } from 'zod';
import type { ReadBodies, ShownBodies, StoredBodies } from './attempt-bodies.ts';

export type AttemptRow = StoredBodies & {
  number: number;
  trigger: 'schedule' | 'manual' | 'recovery' | 'test';
  succeeded: boolean;
  startedAt: Date;
  durationMs: number;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  ttfbMs: number | null;
  url: string;
  requestHeaders: unknown;
  responseStatus: number | null;
  responseTruncated: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  remoteAddress: string | null;
  reconnected: boolean;
  acknowledgement: unknown;
};

/**
 * Presents attempts in the order of their numbers; `rows` are newest first. Their headers and bodies take at most 2 MiB
 * together, as encoded. If they take more, the oldest bodies are left out and marked as truncated; headers are always
 * shown. `bodies` reads what the caller may see.
 */
export function presentAttempts(rows: readonly AttemptRow[], bodies: ReadBodies) {
  const read = rows.map((row) => ({ row, shown: bodies.read(row) }));
  const ofHeaders = read.reduce(
    (sum, { row, shown }) => sum + bytesOf(row.requestHeaders) + bytesOf(shown.responseHeaders),
    0,
  );
  let bytesLeft = LIMITS.attemptBodiesBytes - ofHeaders;
  const attempts = read.map(({ row, shown }) => {
    const { requestBody } = shown;
    const isShown = requestBody === null || requestBody.length <= bytesLeft;
    if (isShown) bytesLeft -= requestBody?.length ?? 0;
    const hasAnswer = row.responseStatus !== null && row.acknowledgement === null;
    const repeats = mayRepeatPayload(row);
    const responseHidden = (hasAnswer || repeats) && !bodies.seesResponses;
    const attempt = {
      ...presentAttempt(row, { ...shown, requestBody: isShown ? requestBody : null }),
      ...(repeats && responseHidden ? { errorMessage: null } : {}),
      responseHidden,
    };
    if (attempt.responseBody === null) return attempt;
    const bytes = bytesOf(attempt.responseBody);
    if (bytes > bytesLeft) return { ...attempt, responseBody: null, responseTruncated: true };
    bytesLeft -= bytes;
    return attempt;
  });
  return attempts.reverse().sort((a, b) => a.number - b.number);
}

/** Whether an attempt shows something that may hold the payload. Then the view is entered in the audit log. */
export function showsPayload(attempt: ReturnType<typeof presentAttempts>[number]): boolean {
  return attempt.requestBody !== null || attempt.responseHeaders !== null || mayRepeatPayload(attempt);
}

/**
 * The error codes whose messages a transformation, a consumer or a broker may have written. A broker that refuses a
 * target names it, and a target may have values of the payload.
 */
const WORDS_OF_OTHERS: ReadonlySet<string> = new Set<(typeof ATTEMPT_ERROR_CODES)[number]>([
  'transformation_failed',
  'nacked',
  'invalid_payload',
  'message_too_large',
  'broker_error',
  'access_denied',
  'target_not_found',
  'invalid_target',
  'throttled',
]);

/** Whether the error message may repeat what was sent. A consumer may also give a reason beside a status. */
function mayRepeatPayload({
  errorCode,
  errorMessage,
  responseStatus,
}: Pick<AttemptRow, 'errorCode' | 'errorMessage' | 'responseStatus'>): boolean {
  if (errorCode === null || errorMessage === null) return false;
  if (WORDS_OF_OTHERS.has(errorCode)) return true;
  const own = ['endpoint', 'consumer'].map((who) => `The ${who} answered with status ${responseStatus}`);
  return errorCode === 'http_status' && !own.includes(errorMessage);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function presentAttempt(row: AttemptRow, shown: ShownBodies) {
  return {
    id: toId('att', row.id),
    number: row.number,
    trigger: row.trigger,
    outcome: row.succeeded ? ('success' as const) : ('failure' as const),
    startedAt: row.startedAt.toISOString(),
    durationMs: toTenths(row.durationMs),
    timings: {
      dnsMs: toTenthsOrNull(row.dnsMs),
      connectMs: toTenthsOrNull(row.connectMs),
      tlsMs: toTenthsOrNull(row.tlsMs),
      ttfbMs: toTenthsOrNull(row.ttfbMs),
    },
    url: row.url,
    requestHeaders: headers.parse(row.requestHeaders),
    requestBody: shown.requestBody,
    responseStatus: row.responseStatus,
    responseHeaders: responseHeaders.parse(shown.responseHeaders),
    // Bytes that are not UTF-8 become replacement characters: the text is for reading, not for processing.
    responseBody: shown.responseBody === null ? null : Buffer.from(shown.responseBody).toString('utf8'),
    responseTruncated: row.responseTruncated,
    errorCode: errorCode.parse(row.errorCode),
    errorMessage: row.errorMessage,
    remoteAddress: row.remoteAddress,
    reconnected: row.reconnected,
    acknowledgement: acknowledgement.parse(row.acknowledgement),
  };
}

const headers = z.record(z.string(), z.string());
const responseHeaders = z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable();
const acknowledgement = z.record(z.string(), z.unknown()).nullable();
const errorCode = z.enum(ATTEMPT_ERROR_CODES).nullable();

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function toTenthsOrNull(ms: number | null): number | null {
  return ms === null ? null : toTenths(ms);
}
