import { type Judgement, pass } from '../examination.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import type { Examination, Place, SendRequest, SendResult } from '../kind.ts';
import { describeAwsError } from './describe-aws-error.ts';

type Deps = {
  send(request: SendRequest): Promise<SendResult>;
  /** A sentence about the target. Rejects with an error of the SDK. */
  inspect(request: SendRequest): Promise<string>;
  /** The secrets that must not show in any text. */
  secretsOf(place: Place): Place['credentials'];
};

/** If less time than this is left, no further request is made. */
const LEAST_LEFT_MS = 500;

/** Makes the checks `target` and `publish`. An account without the right to inspect the target may still send to it. */
export async function examine(examination: Examination, { send, inspect, secretsOf }: Deps): Promise<void> {
  const { record } = examination;
  const request = inTime(examination);
  if (request === undefined) return record.stop(TIME_IS_UP);
  const startedMs = performance.now();
  const found = await inspect(request).then(pass, (error: unknown) =>
    judgeInspection(describeAwsError(error, secretsOf(request.place))),
  );
  if (!record.add('target', performance.now() - startedMs, found)) return;
  const message = inTime(examination);
  if (message === undefined) return record.stop(TIME_IS_UP);
  const result = await send(message);
  if (result.kind === 'aborted') return record.stop('the service is being stopped');
  record.add('publish', result.durationMs, judgePublished(result));
}

const TIME_IS_UP = 'the time of the examination was over';

function inTime(examination: Examination): SendRequest | undefined {
  const leftMs = examination.leftMs();
  if (leftMs < LEAST_LEFT_MS) return undefined;
  return { ...examination.message(), timeoutMs: Math.min(examination.timeoutMs, leftMs) };
}

/** Only the examination needs the right to inspect, so a missing right is a warning. */
function judgeInspection({ errorCode, message }: SendFailure): Judgement {
  if (errorCode === 'access_denied') {
    return { outcome: 'warn', detail: message, advice: 'To examine it, allow the reading actions of the setup text.' };
  }
  return { outcome: 'fail', detail: message, advice: adviceFor(errorCode) };
}

function judgePublished(result: Exclude<SendResult, { kind: 'aborted' }>): Judgement {
  if (result.kind === 'acknowledged') {
    const [[name, value] = ['answer', 'received']] = Object.entries(result.acknowledgement);
    return pass(`A test message was accepted (${name} ${value})`);
  }
  if (result.kind === 'response') throw new Error('an answer over HTTP from a kind without it');
  return { outcome: 'fail', detail: result.message, advice: adviceFor(result.errorCode) };
}

const ADVICE: Partial<Record<SendErrorCode, string>> = {
  authentication_failed:
    'Renew the keys, or let the trust policy of the role name the identity that sends and the external id.',
  access_denied: 'Allow the actions of the setup text on this target. An encrypted one also needs its key.',
  target_not_found: 'Create it, or correct its name, account and region in the destination.',
  invalid_target: 'Change the template in the destination.',
  throttled: 'Raise the limit at the provider, or set a rate limit for the endpoint.',
  message_too_large: 'Raise the limit of the target.',
  blocked_address: 'Name a server with a public address.',
  tls_error: 'Let the endpoint be an address with https, with a certificate for its host.',
  dns_failure: 'Check the spelling of the region and the endpoint.',
};

function adviceFor(errorCode: SendErrorCode): string {
  return ADVICE[errorCode] ?? 'Check the destination, and look at the status of the provider.';
}
