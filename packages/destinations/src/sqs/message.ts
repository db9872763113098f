import type { SendMessageCommandInput } from '@aws-sdk/client-sqs';
import { isFifo } from '../aws/arn.ts';
import { failed } from '../aws/failed.ts';
import { md5OfAttributes, md5OfText } from '../aws/md5.ts';
import type { Published } from '../aws/open-aws.ts';
import { messageGroup, messageText } from '../aws/text.ts';

type Given = {
  queueUrl: string;
  body: Buffer;
  attributes: Readonly<Record<string, string>>;
  eventId: string;
  deduplicationId: string;
  orderingKey: string | null;
};

/** The text of a message, and its string attributes. */
export type SqsMessage = { text: string; attributes: Record<string, string>; command: SendMessageCommandInput };

/**
 * The message of an attempt. A FIFO queue drops a repetition with the same id within five minutes, so an attempt whose
 * answer was lost makes no second message.
 */
export function messageOf({ queueUrl, body, eventId, deduplicationId, orderingKey, ...given }: Given): SqsMessage {
  const { text, encoding } = messageText(body);
  const attributes = { ...given.attributes, ...(encoding === 'base64' ? { encoding } : {}) };
  const fifo = { MessageGroupId: messageGroup(orderingKey, eventId), MessageDeduplicationId: deduplicationId };
  return {
    text,
    attributes,
    command: {
      QueueUrl: queueUrl,
      MessageBody: text,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
      ),
      ...(isFifo(queueUrl) ? fifo : {}),
    },
  };
}

type Answer = {
  MessageId?: string | undefined;
  SequenceNumber?: string | undefined;
  MD5OfMessageBody?: string | undefined;
  MD5OfMessageAttributes?: string | undefined;
};

/** The message counts as delivered only if the queue stored it exactly as sent. */
export function judgeAnswer(answer: Answer, { text, attributes }: Pick<SqsMessage, 'text' | 'attributes'>): Published {
  const { MessageId: messageId, SequenceNumber: sequence } = answer;
  if (messageId === undefined) return failed('protocol_error', 'The answer has no message id');
  const isWhole =
    answer.MD5OfMessageBody === md5OfText(text) && answer.MD5OfMessageAttributes === md5OfAttributes(attributes);
  if (!isWhole)
    return failed('broker_error', 'The queue has stored another message: the MD5 in its answer is different');
  return { kind: 'acknowledged', acknowledgement: { messageId, ...(sequence === undefined ? {} : { sequence }) } };
}
