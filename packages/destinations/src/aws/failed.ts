import type { EndingFailure, SendErrorCode } from '../failure.ts';
import type { Published } from './open-aws.ts';

/** The message was not sent, or the answer is not an acknowledgement. The attempt is retried. */
export function failed(errorCode: SendErrorCode, message: string): Published {
  return { kind: 'failed', failure: { errorCode, message } };
}

/** The same attempt would always fail, so the delivery ends. */
export function ended(reason: EndingFailure, message: string): Published {
  return { kind: 'failed', failure: { errorCode: reason, message, ends: reason } };
}

/** Queues and topics refuse an empty message. */
export const EMPTY: Published = ended('invalid_payload', 'The payload is empty');
