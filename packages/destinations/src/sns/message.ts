import type { PublishCommandInput } from '@aws-sdk/client-sns';
import { isFifo } from '../aws/arn.ts';
import { failed } from '../aws/failed.ts';
import type { Published } from '../aws/open-aws.ts';
import { messageGroup, messageText } from '../aws/text.ts';

type Given = {
  topicArn: string;
  body: Buffer;
  attributes: Readonly<Record<string, string>>;
  eventId: string;
  deduplicationId: string;
  orderingKey: string | null;
};

/** The message of an attempt, built as for an SQS queue. */
export function messageOf({
  topicArn,
  body,
  eventId,
  deduplicationId,
  orderingKey,
  ...given
}: Given): PublishCommandInput {
  const { text, encoding } = messageText(body);
  const attributes = { ...given.attributes, ...(encoding === 'base64' ? { encoding } : {}) };
  const fifo = { MessageGroupId: messageGroup(orderingKey, eventId), MessageDeduplicationId: deduplicationId };
  return {
    TopicArn: topicArn,
    Message: text,
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
    ),
    ...(isFifo(topicArn) ? fifo : {}),
  };
}

type Answer = { MessageId?: string | undefined; SequenceNumber?: string | undefined };

export function judgeAnswer({ MessageId: messageId, SequenceNumber: sequence }: Answer): Published {
  if (messageId === undefined) return failed('protocol_error', 'The answer has no message id');
  return { kind: 'acknowledged', acknowledgement: { messageId, ...(sequence === undefined ? {} : { sequence }) } };
}
