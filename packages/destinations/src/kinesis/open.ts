import { DescribeStreamSummaryCommand, KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis';
import { ended, failed } from '../aws/failed.ts';
import { type AwsKind, openAws } from '../aws/open-aws.ts';
import type { OpenDestination } from '../kind.ts';
import { templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import { type KinesisSettings, MOST_CHARACTERS } from './describe.ts';

const kinesis: AwsKind<KinesisClient, KinesisSettings> = {
  where: ({ region, endpoint }) => ({ region, endpoint }),
  createClient: (config) => new KinesisClient(config),
  async publish(client, settings, request, options) {
    const values = templateValues(request);
    const partitionKey = fillTemplate(settings.partitionKey, values) || values.eventId;
    if (partitionKey.length > MOST_CHARACTERS) {
      return ended('invalid_target', `The partition key has more than ${MOST_CHARACTERS} characters`);
    }
    const command = new PutRecordCommand({
      StreamName: settings.streamName,
      PartitionKey: partitionKey,
      Data: request.body,
    });
    const { SequenceNumber: sequence, ShardId: shard } = await client.send(command, options);
    if (sequence === undefined) return failed('protocol_error', 'The answer has no sequence number');
    return { kind: 'acknowledged', acknowledgement: { sequence, ...(shard === undefined ? {} : { shard }) } };
  },
  async inspect(client, { streamName }, options) {
    const answer = await client.send(new DescribeStreamSummaryCommand({ StreamName: streamName }), options);
    const { StreamStatus: status, OpenShardCount: shards } = answer.StreamDescriptionSummary ?? {};
    return `The stream ${streamName} is ${status ?? 'there'} and has ${shards ?? 'an unknown number of'} open shards`;
  },
};

export const open: OpenDestination = (tools) => openAws(tools, kinesis);
