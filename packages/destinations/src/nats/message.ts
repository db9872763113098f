import { headers } from '@nats-io/transport-node';
import { invalidTarget } from '../broker/failures.ts';
import type { SendFailure } from '../failure.ts';
import type { SendRequest } from '../kind.ts';
import { messageAttributes, publicIds, templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import type { NatsMessage } from './connection.ts';
import type { NatsSettings } from './describe.ts';

/** The message of an attempt. A stream drops a second one with the same delivery id, within its window. */
export function natsMessageOf(settings: NatsSettings, request: SendRequest): NatsMessage | SendFailure {
  const subject = fillTemplate(settings.subject, templateValues(request));
  const fault = faultOf(subject);
  if (fault !== undefined) return invalidTarget(`The subject ${fault}`);
  const { deliveryId } = publicIds(request);
  const named = messageAttributes(request);
  const hdrs = headers();
  for (const [name, value] of Object.entries(named)) hdrs.set(name, value);
  const type = request.headers['content-type'];
  if (type !== undefined) hdrs.set('content-type', type);
  return { subject, payload: request.body, headers: hdrs, deliveryId };
}

const MOST_BYTES = 255;

/** Why nothing can be published to a subject; undefined if something can. */
function faultOf(subject: string): string | undefined {
  if (subject === '') return 'is empty';
  if (Buffer.byteLength(subject) > MOST_BYTES) return `has more than ${MOST_BYTES} bytes`;
  // A payload may fill a part of the subject, and must not command the server: $JS.API deletes streams.
  if (subject.startsWith('$') || subject.startsWith('_INBOX')) return 'is one of the subjects of the server itself';
  const tokens = subject.split('.');
  if (tokens.includes('')) return 'has an empty part between dots';
  if (/[*>\s\p{Cc}]/u.test(subject)) return 'has a space or one of the characters * and >';
  return undefined;
}
