import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { Destination } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { eventbridge } from './describe.ts';
import { open } from './open.ts';

// The number of requests that ask whether the bus exists. moto checks no rights and does not count requests.

type Answer = [status: number, body: object];
const THERE: Answer = [200, { Name: 'events', Arn: 'arn:aws:events:eu-central-1:123456789012:event-bus/events' }];
const PUT: Answer = [200, { FailedEntryCount: 0, Entries: [{ EventId: 'e1' }] }];

let sender: Destination;
let server: Server;
let asked: string[];
let ofBus: Answer;
beforeAll(async () => {
  sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
  server = createServer((request: IncomingMessage, response) => {
    request.resume();
    const operation = String(request.headers['x-amz-target']).replace('AWSEvents.', '');
    asked.push(operation);
    const [status, body] = operation === 'PutEvents' ? PUT : ofBus;
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked = [];
  ofBus = THERE;
});
afterAll(() => {
  sender.close();
  server.close();
});

function to(eventBusName: string) {
  const { port } = server.address() as AddressInfo;
  const place = { eventBusName, region: 'eu-central-1', endpoint: `http://127.0.0.1:${port}` };
  return requestTo(eventbridge, { settings: { ...place, source: 'posthorn', detailType: '{{eventType}}' } });
}

test('a bus that was found is not looked for again at the next messages', async () => {
  const request = to('events');
  for (const _ of [1, 2, 3]) expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged' });
  expect(asked).toEqual(['DescribeEventBus', 'PutEvents', 'PutEvents', 'PutEvents']);
});

test('without the right to look, a message is sent', async () => {
  ofBus = [400, { __type: 'AccessDeniedException', message: 'not authorized' }];
  expect(await sender.send(to('events'))).toMatchObject({ kind: 'acknowledged' });
  expect(asked).toEqual(['DescribeEventBus', 'PutEvents']);
});

test('a bus that is named by its ARN is not looked for', async () => {
  const arn = 'arn:aws:events:eu-central-1:123456789012:event-bus/other';
  expect(await sender.send(to(arn))).toMatchObject({ kind: 'acknowledged' });
  expect(asked).toEqual(['PutEvents']);
});

test('to a missing bus nothing is sent, and the next message looks again', async () => {
  const request = to('events');
  ofBus = [400, { __type: 'ResourceNotFoundException', message: 'Event bus events does not exist.' }];
  expect(await sender.send(request)).toMatchObject({ kind: 'error', errorCode: 'target_not_found' });
  ofBus = THERE;
  expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged' });
  expect(asked).toEqual(['DescribeEventBus', 'DescribeEventBus', 'PutEvents']);
});
