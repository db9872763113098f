import { headers } from '@nats-io/transport-node';
import { invalidTarget } from '../broker/failures.ts';
import type { SendFailure } from '../failure.ts';
import type { SendRequest } from '../kind.ts';
import { deduplicationId, messageAttributes, templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import type { NatsMessage } from './connection.ts';
import type { NatsSettings } from './describe.ts';
import { faultOfSubject } from './subject.ts';

/** The message of an attempt. A stream drops a second message with the same id within its duplicate window. */
export function natsMessageOf(settings: NatsSettings, request: SendRequest): NatsMessage | SendFailure {
  const subject = fillTemplate(settings.subject, templateValues(request));
  const fault = faultOfSubject(subject);
  if (fault !== undefined) return invalidTarget(`The subject ${fault}`);
  const messageId = deduplicationId(request);
  const named = messageAttributes(request);
  const hdrs = headers();
  for (const [name, value] of Object.entries(named)) hdrs.set(name, value);
  const type = request.headers['content-type'];
  if (type !== undefined) hdrs.set('content-type', type);
  // The library sets this header too, but only after it has checked the message's size.
  hdrs.set('Nats-Msg-Id', messageId);
  return { subject, payload: request.body, headers: hdrs, messageId };
}
