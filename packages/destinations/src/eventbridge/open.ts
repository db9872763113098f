import { DescribeEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ended } from '../aws/failed.ts';
import { type AwsKind, openAws } from '../aws/open-aws.ts';
import type { OpenDestination } from '../kind.ts';
import { templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import { type EventBridgeSettings, MOST_CHARACTERS } from './describe.ts';
import { detailOf, judgeAnswer } from './entry.ts';

const eventbridge: AwsKind<EventBridgeClient, EventBridgeSettings> = {
  where: ({ region, endpoint }) => ({ region, endpoint }),
  createClient: (config) => new EventBridgeClient(config),
  async publish(client, settings, request, options) {
    const detail = detailOf(request.body);
    if (detail === undefined) return ended('invalid_payload', 'The payload is not a JSON object');
    const detailType = fillTemplate(settings.detailType, templateValues(request));
    if (detailType === '' || detailType.length > MOST_CHARACTERS) {
      return ended('invalid_target', `The detail type must have 1 to ${MOST_CHARACTERS} characters`);
    }
    const { eventBusName, source } = settings;
    const entry = { EventBusName: eventBusName, Source: source, DetailType: detailType, Detail: detail };
    const answer = await client.send(new PutEventsCommand({ Entries: [entry] }), options);
    return judgeAnswer(answer, options.secrets());
  },
  async inspect(client, { eventBusName }, options) {
    const { Arn } = await client.send(new DescribeEventBusCommand({ Name: eventBusName }), options);
    return `The event bus is ${Arn ?? eventBusName}`;
  },
};

export const open: OpenDestination = (tools) => openAws(tools, eventbridge);
