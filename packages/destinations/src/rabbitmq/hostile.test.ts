import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { requestTo } from '../testing.ts';
import { rabbitmq } from './describe.ts';
import { open } from './open.ts';

// A server that speaks AMQP 0-9-1 up to the first message, and then sends what no real broker sends.

const METHOD = 1;
const HEADER = 2;
const BODY = 3;

function frame(type: number, channel: number, ...parts: Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.alloc(7);
  head.writeUInt8(type);
  head.writeUInt16BE(channel, 1);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.of(0xce)]);
}

function numbers(...given: [bytes: 1 | 2 | 4 | 8, value: number][]): Buffer {
  return Buffer.concat(
    given.map(([bytes, value]) => {
      const one = Buffer.alloc(8);
      one.writeBigUInt64BE(BigInt(value));
      return one.subarray(8 - bytes);
    }),
  );
}

const method = (channel: number, classId: number, id: number, ...rest: Buffer[]) =>
  frame(METHOD, channel, numbers([2, classId], [2, id]), ...rest);
const longText = (text: string) => Buffer.concat([numbers([4, text.length]), Buffer.from(text)]);

const START = method(0, 10, 10, numbers([1, 0], [1, 9], [4, 0]), longText('PLAIN'), longText('en_US'));
const TUNE = method(0, 10, 30, numbers([2, 2_047], [4, 131_072], [2, 0]));
const CLOSE = numbers([2, 10], [2, 50]);

const OPENED = method(0, 10, 41, numbers([1, 0]));

/** The server's answer to each method of the client. */
const ANSWERS: Readonly<Record<string, Buffer>> = {
  '10,11': TUNE,
  '10,40': OPENED,
  '20,10': method(1, 20, 11, longText('')),
  '85,10': method(1, 85, 11),
};

const confirmed = (tag: number) => method(1, 60, 80, numbers([8, tag], [1, 0]));
const returned = (size: number) =>
  Buffer.concat([
    method(1, 60, 50, numbers([2, 312], [1, 0], [1, 0], [1, 0])),
    frame(HEADER, 1, numbers([2, 60], [2, 0], [8, size], [2, 0])),
  ]);

const HEARTBEATS = Buffer.concat(Array.from({ length: 1_000 }, () => frame(8, 0)));

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type More = { onClosed?: () => void; afterOpen?: Buffer; greeting?: (socket: Socket) => void };

/** Sends one message to a server that runs `onMessage` when the message has arrived. */
async function sendTo(onMessage: (socket: Socket) => void, { onClosed, afterOpen, greeting }: More = {}) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined);
    if (onClosed !== undefined) socket.on('close', onClosed);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      if (rest.subarray(0, 4).toString() === 'AMQP') {
        rest = rest.subarray(8);
        if (greeting === undefined) socket.write(START);
        else greeting(socket);
      }
      for (;;) {
        const length = rest.length < 7 ? Number.POSITIVE_INFINITY : rest.readUInt32BE(3) + 8;
        if (rest.length < length) return;
        const [type, payload] = [rest.readUInt8(), rest.subarray(7, length - 1)];
        rest = rest.subarray(length);
        if (type !== METHOD) continue;
        const [classId, id] = [payload.readUInt16BE(), payload.readUInt16BE(2)];
        const answer = ANSWERS[`${classId},${id}`];
        if (answer === OPENED && afterOpen !== undefined) socket.write(Buffer.concat([answer, afterOpen]));
        else if (answer !== undefined) socket.write(answer);
        else if (payload.subarray(0, 4).equals(CLOSE)) sayGoodbye(socket);
        else if (classId === 60) onMessage(socket);
      }
    });
  });
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
  const sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
  closing.push(
    () => server.close(),
    () => sender.close(),
  );
  const settings = { host: '127.0.0.1', port, tls: false };
  const credentials = { username: 'events', password: 'canary' };
  return { sender, result: await sender.send(requestTo(rabbitmq, { settings, credentials, timeoutMs: 3_000 })) };
}

/** Says goodbye but keeps the connection. The server's writes fail as soon as the client has closed its socket. */
function sayGoodbye(socket: Socket): void {
  socket.write(method(0, 10, 51));
  const timer = setInterval(() => socket.write(frame(8, 0)), 100);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads, but no more than a test can bear. */
function pour(socket: Socket, piece: Buffer): void {
  let left = 64 * 1_048_576;
  const write = () => {
    while (left > 0) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', write);
  write();
}

describe('a message to a server that speaks AMQP', () => {
  test('is delivered when the server confirms it', async () => {
    const { result } = await sendTo((socket) => socket.write(confirmed(1)));
    expect(result).toMatchObject({ kind: 'acknowledged' });
  });

  test.each<[what: string, errorCode: string, onMessage: (socket: Socket) => void]>([
    ['confirms a message that nobody has sent', 'protocol_error', (socket) => socket.end(confirmed(2_000_000))],
    ['returns a message that nobody has sent', 'protocol_error', (socket) => socket.write(returned(10 ** 12))],
    ['announces a huge frame', 'connection_reset', (socket) => socket.write(numbers([1, BODY], [2, 1], [4, 10 ** 7]))],
    ['floods', 'protocol_error', (socket) => pour(socket, HEARTBEATS)],
  ])('is not delivered when it %s, and the connection is given up at once', async (_what, errorCode, onMessage) => {
    const { result } = await sendTo(onMessage);
    expect(result).toMatchObject({ kind: 'error', errorCode });
  });

  test.each([
    ['a frame of another channel', method(5, 20, 11, longText(''))],
    ['no frame', Buffer.alloc(100, 7)],
  ])('fails if %s comes with the opening of the connection, and the process goes on', async (_what, afterOpen) => {
    const { result } = await sendTo(() => undefined, { afterOpen });
    expect(result).toMatchObject({
      kind: 'error',
      errorCode: expect.stringMatching(/protocol_error|connection_reset/),
    });
  });

  test('fails with its words, without the credentials and without characters that a terminal obeys', async () => {
    const text = 'your password \u001b[31mcanary';
    const closed = method(1, 20, 40, numbers([2, 406], [1, text.length]), Buffer.from(text), numbers([2, 60], [2, 40]));
    const { result } = await sendTo((socket) => socket.write(closed));
    expect(result).toMatchObject({
      errorCode: 'broker_error',
      message: 'RabbitMQ refused: your password  [31m[redacted]',
    });
  });

  test('is lost when the server wants TLS, and says so', async () => {
    const alert = Buffer.of(21, 3, 3, 0, 2, 2, 70);
    const { result } = await sendTo(() => undefined, { greeting: (socket) => socket.end(alert) });
    expect(result).toMatchObject({
      errorCode: 'connection_reset',
      message: expect.stringContaining('set tls to true'),
    });
  });

  test('leaves no socket open at a server that says goodbye and does not hang up', async () => {
    let isClosed = false;
    const onClosed = () => {
      isClosed = true;
    };
    const { sender } = await sendTo((socket) => socket.write(confirmed(1)), { onClosed });
    sender.close();
    await waitFor(() => isClosed, { what: 'the end of the connection', timeoutMs: 10_000 });
  });
});
