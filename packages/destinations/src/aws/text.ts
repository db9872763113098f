import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** The text of a message, and how it encodes the payload. Queues and topics take only text. */
export type MessageText = { text: string; encoding: 'utf-8' | 'base64' };

/** The payload as text: base64 if it is not UTF-8 or has a character that the services refuse. */
export function messageText(body: Buffer): MessageText {
  if (isUtf8(body)) {
    const text = body.toString('utf8');
    if (!REFUSED.test(text)) return { text, encoding: 'utf-8' };
  }
  return { text: body.toString('base64'), encoding: 'base64' };
}

/** Characters that XML 1.0 does not allow. SQS and SNS refuse a message that has one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant
const REFUSED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * The message group in a FIFO queue or topic: the ordering key, or the event's id if there is none. A key that is not a
 * valid group name is replaced by its SHA-256 in hex, so that equal keys stay in one group.
 */
export function messageGroup(orderingKey: string | null, eventId: string): string {
  if (orderingKey === null || orderingKey === '') return eventId;
  return GROUP.test(orderingKey) ? orderingKey : createHash('sha256').update(orderingKey).digest('hex');
}

/** ASCII letters, digits and punctuation, without spaces. */
const GROUP = /^[!-~]{1,128}$/;
