import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { hasMoto, type Moto, startMoto } from '@posthorn/testkit/moto';
import type { Destination } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { sqs } from './describe.ts';
import { open } from './open.ts';

(hasMoto() ? describe : describe.skip)('a message to a queue of moto', () => {
  let moto: Moto;
  let client: SQSClient;
  let sender: Destination;
  const rules = parseAllowedCidrs('127.0.0.0/8');

  beforeAll(async () => {
    moto = await startMoto();
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    client = new SQSClient({ endpoint: moto.url, region: 'eu-central-1', credentials });
    sender = open({ rules, allowPlaintext: true, clock: systemClock });
  }, 360_000);
  afterAll(async () => {
    sender?.close();
    client?.destroy();
    await moto?.stop();
  });

  async function createQueue(name: string): Promise<string> {
    const Attributes = name.endsWith('.fifo') ? { FifoQueue: 'true' } : {};
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    return QueueUrl;
  }

  async function receive(queueUrl: string) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  test('is acknowledged with its id, and has the payload and the signature', async () => {
    const queueUrl = await createQueue('plain');
    const result = await sender.send(requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' } }));
    expect(result).toMatchObject({
      kind: 'acknowledged',
      status: 200,
      acknowledgement: { messageId: expect.any(String) },
      remoteAddress: '127.0.0.1',
    });
    const [message] = await receive(queueUrl);
    expect(message?.Body).toBe('{"id":1}');
    expect(message?.MessageAttributes?.['webhook-signature']?.StringValue).toBe('v1,abc');
    expect(message?.MessageAttributes).not.toHaveProperty('encoding');
  });

  test('has bytes that are not text as base64', async () => {
    const queueUrl = await createQueue('bytes');
    const body = Buffer.from([0, 1, 255]);
    await sender.send(requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' }, body }));
    const [message] = await receive(queueUrl);
    expect(Buffer.from(message?.Body ?? '', 'base64')).toEqual(body);
    expect(message?.MessageAttributes?.encoding?.StringValue).toBe('base64');
  });

  test('without a payload is not sent, and the delivery ends', async () => {
    const queueUrl = await createQueue('empty');
    const request = requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' }, body: Buffer.alloc(0) });
    expect(await sender.send(request)).toMatchObject({ errorCode: 'invalid_payload', ends: 'invalid_payload' });
    expect(await receive(queueUrl)).toEqual([]);
  });

  test('of a delivery that is repeated is in a FIFO queue once, and once more after a manual retry, in the group of its key', async () => {
    const queueUrl = await createQueue('ordered.fifo');
    const request = requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' }, orderingKey: 'order-7' });
    for (const _ of [1, 2]) expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged' });
    // Somebody asked for another send, within five minutes.
    const asked = { ...request, message: { ...request.message, manualRetries: 1 } };
    for (const _ of [1, 2]) expect(await sender.send(asked)).toMatchObject({ kind: 'acknowledged' });
    const messages = [...(await receive(queueUrl)), ...(await receive(queueUrl))];
    expect(messages.map(({ Attributes }) => Attributes?.MessageGroupId)).toEqual(['order-7', 'order-7']);
  });

  test('to a queue that does not exist is not delivered', async () => {
    const queueUrl = `${moto.url}/123456789012/missing`;
    const result = await sender.send(requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' } }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'target_not_found', status: 400 });
  });

  test('shows no keys of the role, whatever the server repeats', async () => {
    const identity = { AWS_ACCESS_KEY_ID: 'AKIADISPATCHER', AWS_SECRET_ACCESS_KEY: 'dispatcher' };
    Object.assign(process.env, identity, { AWS_ENDPOINT_URL_STS: moto.url });
    let token: unknown;
    const server = createServer((request, response) => {
      token = request.headers['x-amz-security-token'];
      response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: 'com.amazonaws.sqs#AccessDenied', message: `You sent ${token}` }));
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const settings = { queueUrl: `http://127.0.0.1:${port}/123456789012/events`, region: 'eu-central-1' };
      const credentials = { roleArn: 'arn:aws:iam::123456789012:role/events' };
      expect(await sender.send(requestTo(sqs, { settings, credentials }))).toMatchObject({
        ...{ kind: 'error', errorCode: 'access_denied', message: expect.stringMatching(/You sent \[redacted\]$/) },
      });
      expect(token).toMatch(/\S{20}/);
    } finally {
      for (const name of [...Object.keys(identity), 'AWS_ENDPOINT_URL_STS']) delete process.env[name];
      server.close();
    }
  });

  test('leaves neither for an address that the egress rules refuse, nor without TLS where it is required', async () => {
    const queueUrl = await createQueue('guarded');
    const request = requestTo(sqs, { settings: { queueUrl, region: 'eu-central-1' } });
    for (const [tools, errorCode] of [
      [{ rules: parseAllowedCidrs(''), allowPlaintext: true }, 'blocked_address'],
      [{ rules, allowPlaintext: false }, 'tls_error'],
    ] as const) {
      const guarded = open({ ...tools, clock: systemClock });
      expect(await guarded.send(request)).toMatchObject({ kind: 'error', errorCode });
      guarded.close();
    }
    expect(await receive(queueUrl)).toEqual([]);
  });
});
