import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { EMPTY } from '../aws/failed.ts';
import { type AwsKind, openAws } from '../aws/open-aws.ts';
import type { OpenDestination } from '../kind.ts';
import { deduplicationId, messageAttributes, publicIds } from '../message-attributes.ts';
import { regionOf, type SqsSettings, serverOf } from './describe.ts';
import { judgeAnswer, messageOf } from './message.ts';

const sqs: AwsKind<SQSClient, SqsSettings> = {
  where: (settings) => ({ region: regionOf(settings), endpoint: serverOf(settings) }),
  // This kind also compares the MD5 of the attributes, which the SDK does not.
  createClient: (config) => new SQSClient({ ...config, md5: false }),
  async publish(client, settings, request, options) {
    const { queueUrl } = settings;
    if (request.body.length === 0) return EMPTY;
    const sent = messageOf({
      ...{ queueUrl, body: request.body, attributes: messageAttributes(request) },
      ...{ eventId: publicIds(request).eventId, orderingKey: request.message.orderingKey },
      deduplicationId: deduplicationId(request),
    });
    return judgeAnswer(await client.send(new SendMessageCommand(sent.command), options), sent);
  },
  async inspect(client, { queueUrl }, options) {
    const command = new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ['QueueArn', 'MaximumMessageSize'],
    });
    const { Attributes = {} } = await client.send(command, options);
    const { QueueArn: arn = queueUrl, MaximumMessageSize: most = 'an unknown number of' } = Attributes;
    return `${arn} takes messages of ${most} bytes`;
  },
};

export const open: OpenDestination = (tools) => openAws(tools, sqs);
