import { type Judgement, pass } from '../examination.ts';
import type { Answer, WebResult } from '../kind.ts';
import { shown } from './judge-connection.ts';
import type { TokenResult } from './oauth2.ts';

// The doctor's results for the answers to its requests. These are pure functions, with texts for the receiver's
// engineer. The portal shows the texts too, so they name neither Posthorn nor its settings.

type EndedResult = Exclude<WebResult, { kind: 'aborted' }>;
type Response = Extract<EndedResult, { kind: 'response' }>;

export function judgeHttp(result: EndedResult): Judgement {
  if (result.kind === 'error') {
    const advice =
      result.errorCode === 'timeout'
        ? 'Answer first and do the work afterwards. The timeout of an endpoint is at most 30 s.'
        : 'Check that the server answers POST requests with HTTP/1.1 on this port, and look at its log for this time.';
    return { outcome: 'fail', detail: `No usable answer: ${result.message}`, advice };
  }
  const detail = `A signed request was answered with status ${result.status}`;
  if (isSuccess(result)) return pass(detail);
  return { outcome: 'fail', detail, advice: adviceForStatus(result.status) };
}

function adviceForStatus(status: number): string {
  if (status >= 300 && status < 400) return 'Answer 2xx at this URL itself: redirects are not followed.';
  if (status === 400 || status === 401 || status === 403) {
    return "The receiver refused a correct signature. Verify it with this endpoint's present secret over the raw bytes of the body, before a JSON parser reads them, and check the credentials of the endpoint.";
  }
  if (status === 404 || status === 405) return 'Check the path of the URL, and that the server accepts POST there.';
  if (status === 410) return 'Answer 410 only to be deactivated: for a delivery it deactivates the endpoint.';
  if (status === 429) return 'Let the receiver accept more requests, or give the endpoint a rate limit.';
  if (status >= 500) return "Look for the error in the receiver's log at this time. Every delivery would be retried.";
  return 'Answer 2xx once the request is accepted: every other status is a failure.';
}

export function judgeToken(result: Exclude<TokenResult, { kind: 'aborted' }>): Judgement {
  if (result.kind === 'token') {
    return pass(`The token endpoint gave a token that is good for ${Math.max(0, result.endsInSeconds)} s`);
  }
  const { failure, answer } = result;
  const isRefused = answer !== null && answer.status >= 400 && answer.status < 500;
  const advice = isRefused
    ? "Compare the endpoint's client id, its secret or key, its scopes and its way to authenticate with what the authorization server has for this client."
    : "Check the endpoint's tokenUrl, and that the authorization server answers it with JSON (RFC 6749, section 5.1).";
  return { outcome: 'fail', detail: failure.message, advice };
}

export function judgeRedirect({ status, headers }: Answer): Judgement {
  if (status < 300 || status >= 400) return pass('The answer is not a redirect');
  const [to] = [headers.location].flat();
  const where = to !== undefined ? ` to ${shown(to)}` : '';
  return {
    outcome: 'fail',
    detail: `The answer redirects${where}`,
    advice: "Set the endpoint's url to the final address: redirects are not followed.",
  };
}

/** A longer time is a warning. If a fifth of the timeout is shorter, that is the limit. */
const SLOW_MS = 2_000;

export function judgeLatency({ durationMs }: Response, timeoutMs: number): Judgement {
  const mostMs = Math.min(SLOW_MS, timeoutMs / 5);
  const detail = `The answer took ${Math.round(durationMs)} ms, the connection included; the timeout is ${timeoutMs / 1_000} s`;
  if (durationMs <= mostMs) return pass(detail);
  return {
    outcome: 'warn',
    detail,
    advice: `Answer within ${mostMs} ms: put the event into a queue of your own and do the work afterwards. Slow endpoints get fewer deliveries at once.`,
  };
}

/** `wrong` names the fault of the request, and `advice` says how a receiver detects it. */
export type Forgery = { wrong: string; advice: string };

export const WRONG_SIGNATURE: Forgery = {
  wrong: 'a wrong signature',
  advice:
    'Verify the signature before you trust a request, and answer 400 or 401 to one that does not match: otherwise anybody can send you events.',
};
export const OLD_TIMESTAMP: Forgery = {
  wrong: 'a timestamp of an hour ago',
  advice:
    'Refuse a signed timestamp that is more than 5 minutes from now: otherwise a recorded request can be sent to you again. The Standard Webhooks libraries do so.',
};

/** Judges the answer to a request that a receiver must refuse with 4xx. Accepting the request is a failure. */
export function judgeForgery({ wrong, advice }: Forgery, result: EndedResult): Judgement {
  if (result.kind === 'error') {
    return {
      outcome: 'warn',
      detail: `A request with ${wrong} got no usable answer: ${result.message}`,
      advice: `Answer 400 or 401 at once. ${advice}`,
    };
  }
  const detail = `A request with ${wrong} was answered with status ${result.status}`;
  if (result.status >= 400 && result.status < 500) return pass(detail);
  if (isSuccess(result)) return { outcome: 'fail', detail, advice };
  return {
    outcome: 'warn',
    detail,
    advice: `Answer 400 or 401: a request that is answered with this status is sent again. ${advice}`,
  };
}

export function judgeBody({ body, truncated }: Response): Judgement {
  if (!truncated) return pass(`The answer's body has ${body.length} bytes`);
  return {
    outcome: 'warn',
    detail: "The answer's body is longer than 16 KiB; the rest was not read, and the connection was closed",
    advice: 'Answer with a short body or none (204): a longer one costs a new connection for each delivery.',
  };
}

function isSuccess({ status }: Response): boolean {
  return status >= 200 && status < 300;
}
