import { GetTopicAttributesCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { EMPTY } from '../aws/failed.ts';
import { type AwsKind, openAws } from '../aws/open-aws.ts';
import type { OpenDestination } from '../kind.ts';
import { deduplicationId, messageAttributes, publicIds } from '../message-attributes.ts';
import { regionOf, type SnsSettings } from './describe.ts';
import { judgeAnswer, messageOf } from './message.ts';

const sns: AwsKind<SNSClient, SnsSettings> = {
  where: (settings) => ({ region: regionOf(settings), endpoint: settings.endpoint }),
  createClient: (config) => new SNSClient(config),
  async publish(client, { topicArn }, request, options) {
    if (request.body.length === 0) return EMPTY;
    const sent = messageOf({
      ...{ topicArn, body: request.body, attributes: messageAttributes(request) },
      ...{ eventId: publicIds(request).eventId, orderingKey: request.message.orderingKey },
      deduplicationId: deduplicationId(request),
    });
    return judgeAnswer(await client.send(new PublishCommand(sent), options));
  },
  async inspect(client, { topicArn }, options) {
    const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn: topicArn }), options);
    return `${topicArn} has ${Attributes?.SubscriptionsConfirmed ?? 'an unknown number of'} confirmed subscriptions`;
  },
};

export const open: OpenDestination = (tools) => openAws(tools, sns);
