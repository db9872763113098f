import { newUuid } from '@posthorn/contract/ids';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { AttemptRecord } from '@posthorn/ledger/settle';
import { redactHeaders, type WebhookRequest } from './build-request.ts';
import type { EndedResult } from './classify.ts';

/** The record of a request and its result: credentials are redacted, and the error message is for the customer. */
export function recordAttempt(
  claim: ClaimedDelivery,
  request: WebhookRequest,
  result: EndedResult,
  { succeeded, startedAt }: { succeeded: boolean; startedAt: Date },
): AttemptRecord {
  const response = result.kind === 'response' ? result : result.response;
  const failure =
    result.kind === 'error'
      ? { errorCode: result.errorCode, errorMessage: result.message }
      : { errorCode: 'http_status', errorMessage: `The endpoint answered with status ${result.status}` };
  return {
    id: newUuid(new Date(startedAt.getTime() + result.durationMs)),
    number: claim.attemptNumber,
    trigger: claim.trigger,
    succeeded,
    startedAt,
    durationMs: result.durationMs,
    timings: result.timings,
    url: request.url,
    requestHeaders: redactHeaders(request),
    responseStatus: response?.status ?? null,
    responseHeaders: response?.headers ?? null,
    responseBody: response?.body ?? null,
    responseTruncated: response?.truncated ?? false,
    errorCode: succeeded ? null : failure.errorCode,
    errorMessage: succeeded ? null : failure.errorMessage,
    remoteAddress: result.remoteAddress,
  };
}
