import { ATTEMPT_ERROR_CODES } from '@posthorn/contract/deliveries';
import { toId } from '@posthorn/contract/ids';
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
  responseStatus: number | null;
  responseHeaders: unknown;
  responseBody: Uint8Array | null;
  responseTruncated: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  remoteAddress: string | null;
};

export function presentAttempt(row: AttemptRow) {
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
    responseStatus: row.responseStatus,
    responseHeaders: responseHeaders.parse(row.responseHeaders),
    // What is not UTF-8 is shown with replacement characters: it is for reading, not for processing.
    responseBody: row.responseBody === null ? null : Buffer.from(row.responseBody).toString('utf8'),
    responseTruncated: row.responseTruncated,
    errorCode: errorCode.parse(row.errorCode),
    errorMessage: row.errorMessage,
    remoteAddress: row.remoteAddress,
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
