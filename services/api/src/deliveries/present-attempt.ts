import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { ATTEMPT_ERROR_CODES } from '@posthorn/destinations/failure';
import { z } from 'zod';

export type AttemptRow = {
  id: string;
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
  requestBody: Uint8Array | null;
  responseStatus: number | null;
  responseHeaders: unknown;
  responseBody: Uint8Array | null;
  responseTruncated: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  remoteAddress: string | null;
  reconnected: boolean;
};

/**
 * Presents attempts in the order of their numbers; `rows` are newest first. Their headers and bodies take at
 * most 2 MiB together, as encoded. Of the bodies beyond it the oldest are left out and marked as truncated; headers are
 * always shown. `readRequestBody` gives the body that an attempt sent, where it may be shown.
 */
export function presentAttempts<Row extends AttemptRow>(
  rows: readonly Row[],
  readRequestBody: (row: Row) => string | null,
) {
  const ofHeaders = rows.reduce((sum, row) => sum + bytesOf(row.requestHeaders) + bytesOf(row.responseHeaders), 0);
  let bytesLeft = LIMITS.attemptBodiesBytes - ofHeaders;
  const attempts = rows.map((row) => {
    const requestBody = readRequestBody(row);
    const isShown = requestBody === null || requestBody.length <= bytesLeft;
    if (isShown) bytesLeft -= requestBody?.length ?? 0;
    const attempt = presentAttempt(row, isShown ? requestBody : null);
    if (attempt.responseBody === null) return attempt;
    const bytes = bytesOf(attempt.responseBody);
    if (bytes > bytesLeft) return { ...attempt, responseBody: null, responseTruncated: true };
    bytesLeft -= bytes;
    return attempt;
  });
  return attempts.reverse().sort((a, b) => a.number - b.number);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function presentAttempt(row: AttemptRow, requestBody: string | null) {
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
    requestBody,
    responseStatus: row.responseStatus,
    responseHeaders: responseHeaders.parse(row.responseHeaders),
    // Bytes that are not UTF-8 become replacement characters: the text is for reading, not for processing.
    responseBody: row.responseBody === null ? null : Buffer.from(row.responseBody).toString('utf8'),
    responseTruncated: row.responseTruncated,
    errorCode: errorCode.parse(row.errorCode),
    errorMessage: row.errorMessage,
    remoteAddress: row.remoteAddress,
    reconnected: row.reconnected,
  };
}

const headers = z.record(z.string(), z.string());
const responseHeaders = z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable();
const errorCode = z.enum(ATTEMPT_ERROR_CODES).nullable();

function toTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function toTenthsOrNull(ms: number | null): number | null {
  return ms === null ? null : toTenths(ms);
}
