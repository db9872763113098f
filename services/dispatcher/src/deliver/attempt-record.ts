import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { AttemptRecord } from '@posthorn/ledger/settle';
import { redactHeaders, type WebhookRequest } from './build-request.ts';
import type { EndedResult } from './classify.ts';

/**
 * The record of a request and its result. Credentials are redacted, and the error message is for the customer. With
 * `bodyKeys`, the record has the beginning of the sent body, sealed.
 */
export function recordAttempt(
  claim: ClaimedDelivery,
  request: WebhookRequest,
  result: EndedResult,
  { succeeded, startedAt, bodyKeys }: { succeeded: boolean; startedAt: Date; bodyKeys: SealingKeys | undefined },
): AttemptRecord {
  const response = result.kind === 'response' ? result : result.response;
  const failure =
    result.kind === 'error'
      ? { errorCode: result.errorCode, errorMessage: result.message }
      : { errorCode: 'http_status', errorMessage: `The endpoint answered with status ${result.status}` };
  const id = newUuid(new Date(startedAt.getTime() + result.durationMs));
  const body = request.body.subarray(0, LIMITS.requestBodyBytes);
  return {
    id,
    number: claim.attemptNumber,
    trigger: claim.trigger,
    succeeded,
    startedAt,
    durationMs: result.durationMs,
    reconnected: result.reconnected ?? false,
    timings: result.timings,
    url: request.url,
    requestHeaders: redactHeaders(request),
    requestBody: bodyKeys === undefined ? null : seal(bodyKeys, body, sealContext.requestBody(id)),
    responseStatus: response?.status ?? null,
    responseHeaders: response?.headers ?? null,
    responseBody: response?.body ?? null,
    responseTruncated: response?.truncated ?? false,
    errorCode: succeeded ? null : failure.errorCode,
    errorMessage: succeeded ? null : failure.errorMessage,
    remoteAddress: result.remoteAddress,
  };
}
