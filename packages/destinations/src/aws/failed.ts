import type { EndingFailure, SendErrorCode } from '../failure.ts';
import type { Published } from './open-aws.ts';

/** A message that was not sent, or an answer that is not an acknowledgement; it is tried again. */
export function failed(errorCode: SendErrorCode, message: string): Published {
  return { kind: 'failed', failure: { errorCode, message } };
}

/** The same attempt would always fail, so it ends the delivery. */
export function ended(reason: EndingFailure, message: string): Published {
  return { kind: 'failed', failure: { errorCode: reason, message, ends: reason } };
}

/** Queues and topics take no message without a character. */
export const EMPTY: Published = ended('invalid_payload', 'The payload is empty');
