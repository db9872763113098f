import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { AttemptRecord } from '@posthorn/ledger/settle';
import { redactHeaders, type WebhookRequest } from '@posthorn/messages/build-request';
import type { EndedResult } from './classify.ts';
import { redactResponse } from './redact-response.ts';

type RecordOptions = { succeeded: boolean; startedAt: Date; keys: SealingKeys; keepsRequestBody: boolean };

/**
 * The record of a request and its result. Credentials are redacted, and the error message is for the customer. The
 * response is sealed, because it may repeat the payload. With `keepsRequestBody`, the record includes the beginning of
 * the sent body, sealed.
 */
export function recordAttempt(
  claim: ClaimedDelivery,
  request: WebhookRequest,
  result: EndedResult,
  { succeeded, startedAt, keys, keepsRequestBody }: RecordOptions,
): AttemptRecord {
  const { authorization, secrets } = result.kind === 'acknowledged' ? {} : (result.sent ?? {});
  const headers = authorization === undefined ? request.headers : { ...request.headers, authorization };
  const given = result.kind === 'response' ? result : result.kind === 'error' ? result.response : null;
  const response = given === null ? null : redactResponse({ ...request, headers }, given, secrets);
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
    requestHeaders: redactHeaders({ ...request, headers }),
    requestBody: keepsRequestBody ? seal(keys, body, sealContext.requestBody(id)) : null,
    responseStatus: given?.status ?? statusOf(result),
    responseHeadersSealed:
      response && seal(keys, Buffer.from(JSON.stringify(response.headers)), sealContext.responseHeaders(id)),
    responseBodySealed: response && sealBody(keys, response.body, id),
    responseTruncated: given?.truncated ?? false,
    errorCode: succeeded ? null : failure.errorCode,
    errorMessage: succeeded ? null : failure.errorMessage,
    remoteAddress: result.remoteAddress,
    acknowledgement: result.kind === 'acknowledged' ? result.acknowledgement : null,
  };
}

/**
 * An empty body repeats nothing, so it is stored unsealed. Most receivers send one, and sealing costs CPU
 * (docs/adr/0013).
 */
function sealBody(keys: SealingKeys, body: Buffer, id: string): Uint8Array {
  return body.length === 0 ? body : seal(keys, body, sealContext.responseBody(id));
}

/** A service whose library uses HTTP has a status, but no response that is stored. */
function statusOf(result: EndedResult): number | null {
  return result.kind === 'response' ? result.status : (result.status ?? null);
}
