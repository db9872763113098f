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
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, DeleteQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasMoto, type Moto, startMoto } from '@posthorn/testkit/moto';
import { waitFor } from '@posthorn/testkit/wait-for';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Webhook } from 'standardwebhooks';
import { type Reply, type Service, startService } from './service.ts';

const region = 'eu-central-1';
const KEYS = { accessKeyId: 'AKIACANARY', secretAccessKey: 'canary/secret+key=' };

describe('docs/interface.md, Brokers and stores: what AWS has acknowledged is delivered, and nothing else', () => {
  if (!hasMoto()) return void test.skip('moto is not installed', () => undefined);
  let moto: Moto;
  let service: Service;
  let config: { endpoint: string; region: string; credentials: typeof KEYS };
  let queue: SQSClient;

  beforeAll(async () => {
    moto = await startMoto();
    // The keys are copied, because the SDK adds to the object.
    config = { endpoint: moto.url, region, credentials: { ...KEYS } };
    queue = new SQSClient(config);
    // The token service, and the identity with which the dispatcher assumes roles.
    Object.assign(process.env, IDENTITY, { AWS_ENDPOINT_URL_STS: moto.url });
    const settings = { RETRY_SCHEDULE: '3600', EGRESS_ALLOW_PLAINTEXT: 'true' };
    service = await startService({ dispatchers: 1, settings });
  }, 360_000);
  afterAll(async () => {
    for (const name of [...Object.keys(IDENTITY), 'AWS_ENDPOINT_URL_STS']) delete process.env[name];
    queue?.destroy();
    await service?.stop();
    await moto?.stop();
  }, 60_000);
  const IDENTITY = { AWS_ACCESS_KEY_ID: 'AKIADISPATCHER', AWS_SECRET_ACCESS_KEY: 'dispatcher' };

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);

  async function createQueue(name: string) {
    const { QueueUrl = '' } = await queue.send(new CreateQueueCommand({ QueueName: name }));
    const arn = `arn:aws:sqs:${region}:123456789012:${name}`;
    const read = () =>
      waitFor(
        async () => {
          const command = new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'] });
          return (await queue.send(command)).Messages?.[0];
        },
        { what: 'a message' },
      );
    return { url: QueueUrl, arn, read };
  }

  async function create(body: object): Promise<Reply['body']> {
    const reply = await manage('POST', '/endpoints', { credentials: KEYS, ...body });
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  const send: Service['workspace']['attempt'] = (...given) => service.workspace.attempt(...given);
  test('a message in SQS is verified as a webhook, and its id is in the attempt', async () => {
    const { url, read } = await createQueue('events');
    const endpoint = await create({ type: 'sqs', config: { destination: { queueUrl: url, region } } });
    expect(endpoint).toMatchObject({ target: `SQS queue ${url}`, credentialNames: ['accessKeyId', 'secretAccessKey'] });
    const attempt = await send(endpoint.id, { order: 7 }, 'delivered');
    const message = await read();
    expect(attempt).toMatchObject({
      ...{ outcome: 'success', responseStatus: 200, errorCode: null },
      acknowledgement: { messageId: message.MessageId },
    });
    const headers = Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [name, StringValue]),
    );
    expect(new Webhook(endpoint.secret).verify(message.Body ?? '', headers)).toEqual({ order: 7 });
    expect(JSON.stringify([attempt, (await manage('GET', `/endpoints/${endpoint.id}`)).body])).not.toMatch(/canary/i);
  });

  test('a queue that is gone is a failed attempt that is tried again, and the doctor says so', async () => {
    const { url } = await createQueue('short');
    const endpoint = await create({ type: 'sqs', config: { destination: { queueUrl: url, region } } });
    const healthy = await manage('POST', `/endpoints/${endpoint.id}/doctor`, {});
    expect(healthy.body).toMatchObject({
      verdict: 'healthy',
      checks: [
        { name: 'target', outcome: 'pass' },
        { name: 'publish', outcome: 'pass' },
      ],
    });
    await queue.send(new DeleteQueueCommand({ QueueUrl: url }));
    const attempt = await send(endpoint.id, {}, 'scheduled_retry');
    expect(attempt).toMatchObject({ outcome: 'failure', errorCode: 'target_not_found', acknowledgement: null });
    // Another endpoint, because one is examined only once in ten seconds.
    const other = await create({ type: 'sqs', config: { destination: { queueUrl: url, region } } });
    const broken = await manage('POST', `/endpoints/${other.id}/doctor`, {});
    expect(broken.body).toMatchObject({
      verdict: 'broken',
      checks: [
        { name: 'target', outcome: 'fail' },
        { name: 'publish', outcome: 'skipped' },
      ],
    });
  });

  test('a role is taken with the external id of the owner', async () => {
    const { url, read } = await createQueue('by-role');
    const credentials = { roleArn: 'arn:aws:iam::123456789012:role/events' };
    const endpoint = await create({ type: 'sqs', config: { destination: { queueUrl: url, region } }, credentials });
    expect(await send(endpoint.id, {}, 'delivered')).toMatchObject({ outcome: 'success' });
    await read();
    const { body: types } = await manage('GET', '/endpoint-types');
    const { setup } = types.find(({ type }: { type: string }) => type === 'sqs');
    expect(setup).toContain(`"sts:ExternalId": "${service.workspace.workspaceId}"`);
  });

  test('a move to another queue drops the credentials, which must then be given again', async () => {
    const { url } = await createQueue('first');
    const endpoint = await create({ type: 'sqs', config: { destination: { queueUrl: url, region } } });
    const config = { destination: { queueUrl: `${moto.url}/210987654321/first`, region } };
    const moved = await manage('PATCH', `/endpoints/${endpoint.id}`, { config });
    expect([moved.status, moved.body.error?.code]).toEqual([400, 'validation_error']);
    const given = await manage('PATCH', `/endpoints/${endpoint.id}`, { config, credentials: KEYS });
    expect(given.status).toBe(200);
  });

  test.each([
    [{ config: {} }, 'config.destination is required'],
    [{ config: { destination: {} } }, 'config.destination.queueUrl is required'],
    [{ config: { destination: { queueUrl: 'http://x' } } }, 'config.destination.queueUrl must be the URL of a queue'],
    [
      { config: { destination: { queueUrl: 'https://10.0.0.1/1/a', region } } },
      'config.destination.queueUrl must not point to a private or reserved address',
    ],
    [
      { config: { destination: { queueUrl: 'https://a.example/1/a', region, acks: 1 } } },
      'Unknown field "config.destination.acks"',
    ],
    [
      { config: { destination: { queueUrl: 'https://a.example/1/a', region }, headers: { a: 'b' } } },
      'config.headers is not for a sqs endpoint',
    ],
    [{ url: 'https://a.example' }, 'url'],
    [
      { config: { destination: { queueUrl: 'https://a.example/1/a', region } }, credentials: { accessKeyId: 'A' } },
      'credentials must have either roleArn, or accessKeyId and secretAccessKey',
    ],
  ])('%j is refused: %s', async (body, words) => {
    const reply = await manage('POST', '/endpoints', { type: 'sqs', credentials: KEYS, ...body });
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });

  test('a webhook takes no destination', async () => {
    const body = { url: 'https://a.example', config: { destination: { queueUrl: 'x' } } };
    expect((await manage('POST', '/endpoints', body)).body.error?.message).toBe(
      'config.destination is not for a webhook endpoint',
    );
  });

  test('a subscriber of SNS gets the message', async () => {
    const { arn, read } = await createQueue('subscriber');
    const client = new SNSClient(config);
    const { TopicArn: topicArn } = await client.send(new CreateTopicCommand({ Name: 'events' }));
    await client.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint: arn }));
    client.destroy();
    const endpoint = await create({ type: 'sns', config: { destination: { topicArn, endpoint: moto.url } } });
    expect(await send(endpoint.id, { order: 8 }, 'delivered')).toMatchObject({
      acknowledgement: { messageId: expect.any(String) },
    });
    expect(JSON.parse((await read()).Body ?? '').Message).toBe('{"order":8}');
  });

  test('an object of S3 has the payload under the day and the id of the event', async () => {
    const client = new S3Client({ ...config, forcePathStyle: true });
    await client.send(
      new CreateBucketCommand({ Bucket: 'acme', CreateBucketConfiguration: { LocationConstraint: region } }),
    );
    const destination = { bucket: 'acme', region, endpoint: moto.url };
    const endpoint = await create({ type: 's3', config: { destination } });
    expect(await send(endpoint.id, { order: 9 }, 'delivered')).toMatchObject({
      acknowledgement: { etag: expect.any(String) },
    });
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'acme' }));
    expect(Contents.map(({ Key }) => Key)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\/\/msg_\w+$/)]);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'acme', Key: Contents[0]?.Key }));
    expect(await Body?.transformToString()).toBe('{"order":9}');
    client.destroy();
  });

  test('a record of Kinesis is a CloudEvent', async () => {
    const client = new KinesisClient({ ...config, requestHandler: new NodeHttpHandler() });
    await client.send(new CreateStreamCommand({ StreamName: 'events', ShardCount: 1 }));
    const destination = { streamName: 'events', region, endpoint: moto.url };
    const endpoint = await create({ type: 'kinesis', config: { destination } });
    const { acknowledgement } = await send(endpoint.id, { order: 10 }, 'delivered');
    const ShardId = acknowledgement.shard;
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamName: 'events', ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator }));
    expect(JSON.parse(Buffer.from(Records[0]?.Data ?? []).toString())).toMatchObject({
      specversion: '1.0',
      data: { order: 10 },
    });
    client.destroy();
  });

  test('an event of EventBridge has the payload as its detail; another payload ends the delivery', async () => {
    const { arn, read } = await createQueue('routed');
    const client = new EventBridgeClient(config);
    await client.send(new CreateEventBusCommand({ Name: 'events' }));
    const rule = { EventBusName: 'events', EventPattern: JSON.stringify({ source: ['posthorn'] }) };
    await client.send(new PutRuleCommand({ Name: 'all', ...rule }));
    await client.send(new PutTargetsCommand({ EventBusName: 'events', Rule: 'all', Targets: [{ Id: '1', Arn: arn }] }));
    client.destroy();
    const destination = { eventBusName: 'events', region, endpoint: moto.url, detailType: 'order' };
    const endpoint = await create({ type: 'eventbridge', config: { destination } });
    await send(endpoint.id, { order: 11 }, 'delivered');
    expect(JSON.parse((await read()).Body ?? '')).toMatchObject({ 'detail-type': 'order', detail: { order: 11 } });
    expect(await send(endpoint.id, [1], 'failed')).toMatchObject({ errorCode: 'invalid_payload' });
  });
});
