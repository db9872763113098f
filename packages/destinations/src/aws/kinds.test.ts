import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
} from '@aws-sdk/client-kinesis';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { hasMoto, type Moto, startMoto } from '@posthorn/testkit/moto';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { eventbridge } from '../eventbridge/describe.ts';
import { open as openEventBridge } from '../eventbridge/open.ts';
import type { Destination, OpenDestination } from '../kind.ts';
import { kinesis } from '../kinesis/describe.ts';
import { open as openKinesis } from '../kinesis/open.ts';
import { s3 } from '../s3/describe.ts';
import { open as openS3 } from '../s3/open.ts';
import { sns } from '../sns/describe.ts';
import { open as openSns } from '../sns/open.ts';
import { requestTo } from '../testing.ts';

const region = 'eu-central-1';

(hasMoto() ? describe : describe.skip)('at moto', () => {
  let moto: Moto;
  let config: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
  const opened: { close(): void }[] = [];
  const clients: { destroy(): void }[] = [];

  beforeAll(async () => {
    moto = await startMoto();
    config = { endpoint: moto.url, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  }, 360_000);
  afterAll(async () => {
    for (const sender of opened) sender.close();
    for (const client of clients) client.destroy();
    await moto?.stop();
  });

  function openAt(open: OpenDestination): Destination {
    const sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
    opened.push(sender);
    return sender;
  }

  function kept<Client extends { destroy(): void }>(client: Client): Client {
    clients.push(client);
    return client;
  }

  async function createQueue(name: string) {
    const queue = kept(new SQSClient(config));
    const { QueueUrl } = await queue.send(new CreateQueueCommand({ QueueName: name }));
    const read = async () =>
      (await queue.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }))).Messages ?? [];
    return { arn: `arn:aws:sqs:${region}:123456789012:${name}`, read };
  }

  describe('SNS', () => {
    test('has a message with its attributes, and gives it to a subscriber', async () => {
      const client = kept(new SNSClient(config));
      const { TopicArn: topicArn = '' } = await client.send(new CreateTopicCommand({ Name: 'events' }));
      const queue = await createQueue('subscriber');
      await client.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint: queue.arn }));
      const request = requestTo(sns, { settings: { topicArn, endpoint: moto.url } });
      expect(await openAt(openSns).send(request)).toMatchObject({
        kind: 'acknowledged',
        status: 200,
        acknowledgement: { messageId: expect.any(String) },
      });
      const [message] = await queue.read();
      const { Message, MessageAttributes } = JSON.parse(message?.Body ?? '');
      expect(Message).toBe('{"id":1}');
      expect(MessageAttributes['webhook-signature'].Value).toBe('v1,abc');
    });

    test('gets no message without a payload, and the delivery ends', async () => {
      const topicArn = `arn:aws:sns:${region}:123456789012:events`;
      const request = requestTo(sns, { settings: { topicArn, endpoint: moto.url }, body: Buffer.alloc(0) });
      const result = await openAt(openSns).send(request);
      expect(result).toMatchObject({ errorCode: 'invalid_payload', ends: 'invalid_payload' });
    });

    test('without the topic has nothing that is delivered', async () => {
      const topicArn = `arn:aws:sns:${region}:123456789012:missing`;
      const request = requestTo(sns, { settings: { topicArn, endpoint: moto.url } });
      expect(await openAt(openSns).send(request)).toMatchObject({ kind: 'error', errorCode: 'target_not_found' });
    });
  });

  describe('S3', () => {
    const settings = () => ({ bucket: 'events', region, endpoint: moto.url, key: '{{eventType}}/{{eventId}}' });
    let client: S3Client;

    beforeAll(async () => {
      client = kept(new S3Client({ ...config, forcePathStyle: true }));
      await client.send(
        new CreateBucketCommand({ Bucket: 'events', CreateBucketConfiguration: { LocationConstraint: region } }),
      );
    });

    test('has the payload as an object with the signature; a repeated attempt is the same object', async () => {
      const request = requestTo(s3, { settings: settings() });
      const sender = openAt(openS3);
      const first = await sender.send(request);
      expect(first).toMatchObject({ kind: 'acknowledged', acknowledgement: { etag: expect.any(String) } });
      const acknowledgement = first.kind === 'acknowledged' ? first.acknowledgement : {};
      expect(acknowledgement).not.toHaveProperty('duplicate');
      expect(await sender.send(request)).toMatchObject({
        kind: 'acknowledged',
        acknowledgement: { ...acknowledgement, duplicate: true },
      });
      const { Body, Metadata } = await client.send(
        new GetObjectCommand({ Bucket: 'events', Key: 'order.placed/msg_1' }),
      );
      expect(await Body?.transformToString()).toBe('{"id":1}');
      expect(Metadata).toMatchObject({ 'webhook-signature': 'v1,abc' });
    });

    test('has the newest body after a retry that somebody asked for; its repeated attempts do not replace it', async () => {
      const first = requestTo(s3, { settings: { ...settings(), key: 'corrected' } });
      const sender = openAt(openS3);
      const body = async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: 'events', Key: 'corrected' }));
        return Body?.transformToString();
      };
      expect(await sender.send(first)).toMatchObject({ kind: 'acknowledged' });
      const message = { ...first.message, manualRetries: 1 };
      const corrected = { ...first, message, body: Buffer.from('{"corrected":true}') };
      const replaced = await sender.send(corrected);
      expect(replaced).toMatchObject({ kind: 'acknowledged', acknowledgement: { etag: expect.any(String) } });
      expect(replaced).not.toMatchObject({ acknowledgement: { duplicate: true } });
      expect(await body()).toBe('{"corrected":true}');
      const repeated = await sender.send({ ...corrected, body: Buffer.from('{"repeated":true}') });
      expect(repeated).toMatchObject({ acknowledgement: { duplicate: true } });
      expect(await body()).toBe('{"corrected":true}');
    });

    test('keeps an object of another delivery, and the delivery ends', async () => {
      const given = { settings: { ...settings(), key: 'same' } };
      const sender = openAt(openS3);
      expect(await sender.send(requestTo(s3, given))).toMatchObject({ kind: 'acknowledged' });
      const other = await sender.send(requestTo(s3, { ...given, body: Buffer.from('other') }));
      expect(other).toMatchObject({ kind: 'error', errorCode: 'target_exists', ends: 'target_exists' });
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'events', Key: 'same' }));
      expect(await Body?.transformToString()).toBe('{"id":1}');
    });

    test.each(['{{orderingKey}}', '../{{eventId}}', 'a\u0001b', 'é'.repeat(600)])(
      'gets no object with the key %j, and the delivery ends',
      async (key) => {
        const result = await openAt(openS3).send(requestTo(s3, { settings: { ...settings(), key } }));
        expect(result).toMatchObject({ kind: 'error', errorCode: 'invalid_target', ends: 'invalid_target' });
      },
    );

    test('without the bucket has nothing that is delivered', async () => {
      const request = requestTo(s3, { settings: { ...settings(), bucket: 'missing' } });
      expect(await openAt(openS3).send(request)).toMatchObject({ kind: 'error', errorCode: 'target_not_found' });
    });
  });

  describe('Kinesis', () => {
    test('has a record with the ordering key as its partition key', async () => {
      const client = kept(new KinesisClient({ ...config, requestHandler: new NodeHttpHandler() }));
      await client.send(new CreateStreamCommand({ StreamName: 'events', ShardCount: 1 }));
      const settings = { streamName: 'events', region, endpoint: moto.url, partitionKey: '{{orderingKey}}' };
      const sender = openAt(openKinesis);
      expect(await sender.send(requestTo(kinesis, { settings, orderingKey: 'order-7' }))).toMatchObject({
        kind: 'acknowledged',
        acknowledgement: { sequence: expect.any(String), shard: 'shardId-000000000000' },
      });
      const keyless = requestTo(kinesis, { settings });
      expect(await sender.send(keyless)).toMatchObject({ kind: 'acknowledged' });
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({
          StreamName: 'events',
          ShardId: 'shardId-000000000000',
          ShardIteratorType: 'TRIM_HORIZON',
        }),
      );
      const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
      expect(Records.map(({ PartitionKey }) => PartitionKey)).toEqual(['order-7', 'msg_1']);
      expect(Buffer.from(Records[0]?.Data ?? []).toString()).toBe('{"id":1}');
    });
  });

  describe('EventBridge', () => {
    const settings = () => ({
      ...{ eventBusName: 'events', region, endpoint: moto.url },
      ...{ source: 'posthorn', detailType: '{{eventType}}' },
    });

    test('has an event that a rule routes by its detail type', async () => {
      const client = kept(new EventBridgeClient(config));
      await client.send(new CreateEventBusCommand({ Name: 'events' }));
      const queue = await createQueue('routed');
      const rule = { EventBusName: 'events', EventPattern: JSON.stringify({ 'detail-type': ['order.placed'] }) };
      await client.send(new PutRuleCommand({ Name: 'orders', ...rule }));
      await client.send(
        new PutTargetsCommand({ EventBusName: 'events', Rule: 'orders', Targets: [{ Id: '1', Arn: queue.arn }] }),
      );
      const result = await openAt(openEventBridge).send(requestTo(eventbridge, { settings: settings() }));
      expect(result).toMatchObject({ kind: 'acknowledged', acknowledgement: { eventId: expect.any(String) } });
      const [message] = await queue.read();
      expect(JSON.parse(message?.Body ?? '')).toMatchObject({ source: 'posthorn', detail: { id: 1 } });
    });

    test('without the event bus has nothing that is delivered', async () => {
      const request = requestTo(eventbridge, { settings: { ...settings(), eventBusName: 'missing' } });
      const sender = openAt(openEventBridge);
      for (const _ of [1, 2]) {
        expect(await sender.send(request)).toMatchObject({ kind: 'error', errorCode: 'target_not_found' });
      }
    });

    test.each(['[1]', '"text"', '{', ''])('does not get the payload %j, and the delivery ends', async (text) => {
      const request = requestTo(eventbridge, { settings: settings(), body: Buffer.from(text) });
      const result = await openAt(openEventBridge).send(request);
      expect(result).toMatchObject({ kind: 'error', errorCode: 'invalid_payload', ends: 'invalid_payload' });
    });
  });
});
