import { FoundError } from '../broker/failures.ts';
import type { SendFailure } from '../failure.ts';
import { describeSendError } from '../webhook/send-error.ts';

/** A message that no queue took. */
export class ReturnedError extends Error {}

/** The broker refused to take the message (`basic.nack`). */
export class RefusedError extends Error {}

/** The message is larger than the broker takes. */
export class TooLargeError extends Error {
  /**
   * When a message is too large, the broker closes the channel with every message in flight. Only the message that
   * exceeds the limit gets a TooLargeError. Undefined if the error has another cause.
   */
  static from(error: unknown, bytes: number): Error | undefined {
    const [, most] = TOO_LARGE.exec(textOf(error)) ?? [];
    if (most === undefined) return undefined;
    return bytes > Number(most) ? new TooLargeError(most) : new Error('Channel closed for another message');
  }
}

/** The failure while the broker blocks publishers. */
export const BLOCKED: SendFailure = {
  errorCode: 'broker_error',
  message: 'The broker takes no messages: its disk or its memory is full',
};

/** The broker's own words for why it closed a channel or a connection. */
const REFUSED =
  /^(?:Handshake terminated by server: |Channel closed by server: |Connection closed: |Operation failed: \w{1,40}; )(\d{3})\b/;
const SAID = /with message "([^"]{1,300})/;
const TOO_LARGE = /message size \d{1,20} is larger than (?:the )?(?:configured )?max(?:imum)? size (\d{1,20})/;

/** Describes an error of the client as the failure of an attempt. */
export function describeRabbitMqError(error: unknown): SendFailure {
  if (error instanceof FoundError) return error.failure;
  if (error instanceof ReturnedError) {
    return { errorCode: 'unroutable', message: 'The exchange has no queue for this routing key' };
  }
  if (error instanceof RefusedError) {
    return { errorCode: 'broker_error', message: 'The broker could not take the message' };
  }
  if (error instanceof TooLargeError) {
    const message = `The broker takes messages of at most ${error.message} bytes`;
    return { errorCode: 'message_too_large', message, ends: 'message_too_large' };
  }
  const text = textOf(error);
  const [, code] = REFUSED.exec(text) ?? [];
  if (code !== undefined) {
    const said = SAID.exec(text)?.[1] ?? code;
    return judgeRefusal(Number(code), said, text.startsWith('Handshake'));
  }
  // The client says no more than this if the broker does not open the virtual host.
  if (text.startsWith('Expected ConnectionOpenOk')) {
    return {
      errorCode: 'target_not_found',
      message: 'The virtual host does not exist, or the user may not use it',
    };
  }
  if (isTimeout(error)) return { errorCode: 'timeout', message: 'The broker did not answer' };
  if (/closed|ended|Socket/i.test(text)) {
    return { errorCode: 'connection_reset', message: 'The connection was closed before the broker confirmed' };
  }
  const failure = describeSendError(error);
  if (failure.errorCode !== 'internal' || text === '') return failure;
  // The client's error says what it expected of the greeting.
  return { errorCode: 'protocol_error', message: 'The server does not speak AMQP 0-9-1' };
}

/** Judges a refusal by its AMQP 0-9-1 reply code. */
function judgeRefusal(code: number, said: string, isSignIn: boolean): SendFailure {
  const message = `RabbitMQ refused: ${said}`;
  switch (code) {
    case 403:
      return { errorCode: isSignIn ? 'authentication_failed' : 'access_denied', message };
    case 404:
      return { errorCode: 'target_not_found', message };
    default:
      return { errorCode: 'broker_error', message };
  }
}

function isTimeout(error: unknown): boolean {
  return textOf(error) === 'Heartbeat timeout' || (error instanceof Error && error.name === 'AbortError');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
