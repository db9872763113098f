import type { Kind, SendResult } from '@posthorn/destinations/kind';
import type { DisableReason } from '@posthorn/ledger/disable-endpoint';
import type { Outcome } from '@posthorn/ledger/next-state';
import { parseRetryAfter } from '@posthorn/messages/retry-schedule';

/** The meaning of an attempt's result. */
export type Verdict = {
  outcome: Outcome;
  /** Set if the receiver asked for a later retry. */
  retryAfterSeconds: number | undefined;
  /** Set if the receiver asked for no more requests. */
  disable: DisableReason | undefined;
};

/** Every result except `aborted`: a delivery whose request is aborted at a shutdown is released. */
export type EndedResult = Exclude<SendResult, { kind: 'aborted' }>;

/**
 * Only a 2xx, or a broker's acknowledgement, is a success. 410 and the header `webhook-delivery: disable` deactivate
 * the endpoint; with a 2xx the delivery still counts as delivered. `abort-message` ends only this delivery.
 * `Retry-After` counts for 429 and 503. At some kinds of endpoints, certain statuses end only the delivery.
 */
export function classify(result: EndedResult, now: Date, { finalStatuses }: Pick<Kind, 'finalStatuses'> = {}): Verdict {
  if (result.kind === 'error') {
    const outcome: Outcome = result.ends === undefined ? { kind: 'failed' } : { kind: 'ended', reason: result.ends };
    return { outcome, retryAfterSeconds: undefined, disable: undefined };
  }
  if (result.kind === 'acknowledged') {
    return { outcome: { kind: 'delivered' }, retryAfterSeconds: undefined, disable: undefined };
  }
  const { status, headers } = result;
  const wish = headers['webhook-delivery'];
  const final = finalStatuses?.[status];
  const isGone = status === 410 && final === undefined;
  const disable = isGone ? 'gone' : wish === 'disable' ? 'receiver' : undefined;
  const askedLater = status === 429 || status === 503;
  return {
    outcome: final === undefined ? responseOutcome(status, wish) : { kind: 'ended', reason: final },
    retryAfterSeconds: askedLater ? parseRetryAfter(firstOf(headers['retry-after']), now) : undefined,
    disable,
  };
}

/** A header that was sent more than once is an array. */
function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function responseOutcome(status: number, wish: string | string[] | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'ended', reason: 'gone' };
  if (wish === 'disable' || wish === 'abort-message') return { kind: 'ended', reason: 'aborted_by_receiver' };
  return { kind: 'failed' };
}
