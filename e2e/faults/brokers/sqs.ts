import { createServer, request } from 'node:http';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startMoto } from '@posthorn/testkit/moto';
import { hashOf } from '../receivers.ts';
import type { BrokerMessage, StartBroker } from './broker.ts';

const region = 'eu-central-1';
const KEYS = { accessKeyId: 'AKIAFAULTS', secretAccessKey: 'faults' };

/** moto keeps its queues in memory, so it is never ended. Its gate refuses all connections instead. */
export const startSqs: StartBroker = async () => {
  const moto = await startMoto();
  const front = await startFront(moto.url);
  // The keys are copied, because the SDK adds to the object.
  const client = new SQSClient({ endpoint: moto.url, region, credentials: { ...KEYS } });
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'faults' }));
  /** Sets after how many requests the server accepts only keys that it has given out. It has given out none. */
  const knowAllKeys = async (requests: string) => {
    const answer = await fetch(`${moto.url}/moto-api/reset-auth`, { method: 'POST', body: requests });
    if (!answer.ok) throw new Error(`moto answered ${answer.status}`);
  };
  return {
    type: 'sqs',
    url: front.url,
    endpointAt: (port) => ({
      config: { destination: { queueUrl: QueueUrl, region, endpoint: `http://127.0.0.1:${port}` } },
      credentials: KEYS,
    }),
    faults: [
      {
        what: 'it takes no more messages for now',
        strike: async () => front.throttle(true),
        holdMs: 5_000,
        end: async () => front.throttle(false),
      },
      {
        what: 'its keys are not valid',
        strike: () => knowAllKeys('0'),
        holdMs: 4_000,
        end: () => knowAllKeys('inf'),
      },
    ],
    read: () => readAll(moto.url),
    async stop() {
      client.destroy();
      front.close();
      await moto.stop();
    },
  };
};

const THROTTLED = JSON.stringify({ __type: 'com.amazonaws.sqs#RequestThrottled', message: 'Rate exceeded' });

/** A server in front of moto that can answer like a queue with too many requests. */
async function startFront(url: string) {
  const state = { isThrottled: false };
  const server = createServer((asked, answer) => {
    if (state.isThrottled) {
      asked.resume();
      answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(THROTTLED);
      return;
    }
    const { method, headers, url: path = '/' } = asked;
    const passed = request(new URL(path, url), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    throttle(isOn: boolean) {
      state.isThrottled = isOn;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type MotoData = {
  sqs: { Message: { body: string; message_attributes: Record<string, { StringValue?: string }> }[] };
};

/**
 * All messages that moto has got. They come from its internal data, because each ReceiveMessage scans the whole queue:
 * thousands of messages took more than five minutes.
 */
async function readAll(motoUrl: string): Promise<BrokerMessage[]> {
  const answer = await fetch(`${motoUrl}/moto-api/data.json`);
  if (!answer.ok) throw new Error(`moto answered ${answer.status}`);
  const { sqs } = (await answer.json()) as MotoData;
  return sqs.Message.map(({ body, message_attributes }) => ({
    eventId: message_attributes['webhook-id']?.StringValue ?? '',
    hash: hashOf(body),
  }));
}
