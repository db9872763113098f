import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import type { Lookup } from '@posthorn/egress/lookup';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { requestTo } from '../testing.ts';
import { connectNats } from './connection.ts';
import { nats } from './describe.ts';
import { open } from './open.ts';

const rules = parseAllowedCidrs('127.0.0.0/8');

describe('a message to a server that breaks the protocol of NATS', () => {
  const GREETING_BYTES = 262_000;
  const INFO = 'INFO {"server_id":"x","version":"2.10.0","max_payload":1048576,"headers":true}\r\n';

  /** Writes as fast as the client reads, but no more than a test can bear. */
  function pour(socket: Socket, piece: Buffer): void {
    let leftBytes = 64 * 1_048_576;
    const write = () => {
      while (leftBytes > 0) {
        leftBytes -= piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', write);
    write();
  }

  /** Sends the greeting, and calls `then` after the client's sign-in. */
  const greet = (then: (socket: Socket) => void) => (socket: Socket) => {
    socket.write(INFO);
    socket.once('data', () => {
      socket.write('PONG\r\n');
      then(socket);
    });
  };

  test('which refuses the connection is told with its words', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write(INFO);
      socket.once('data', () => socket.end("-ERR 'maximum connections exceeded'\r\n"));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const sender = open({ rules, allowPlaintext: true, clock: systemClock });
    const settings = { servers: [`127.0.0.1:${port}`], tls: false };
    expect(await sender.send(requestTo(nats, { settings, credentials: {} }))).toMatchObject({
      ...{ kind: 'error', errorCode: 'broker_error', message: 'NATS refused: maximum connections exceeded' },
    });
    sender.close();
    server.close();
  });

  test('which lowers its limit for messages ends the delivery of a larger one', async () => {
    const ack = '{"stream":"EVENTS","seq":1}';
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write(INFO);
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const [, sid] = /^SUB \S+ (\d+)/m.exec(received) ?? [];
        const [, reply] = /^HPUB \S+ (\S+) /m.exec(received) ?? [];
        if (reply === undefined) socket.write('PONG\r\n');
        else socket.write(`${INFO.replace('1048576', '10')}MSG ${reply} ${sid} ${ack.length}\r\n${ack}\r\n`);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const sender = open({ rules, allowPlaintext: true, clock: systemClock });
    const request = requestTo(nats, { settings: { servers: [`127.0.0.1:${port}`], tls: false }, credentials: {} });
    expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged' });
    expect(await sender.send(request)).toMatchObject({ errorCode: 'message_too_large', ends: 'message_too_large' });
    sender.close();
    server.close();
  });

  test('which is silent leaves no socket open', async () => {
    let open = 0;
    const server = createServer((socket) => {
      open += 1;
      socket
        .on('error', () => undefined)
        .once('close', () => {
          open -= 1;
        });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const lookup: Lookup = async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] });
    const settings = { servers: [`127.0.0.1:${port}`], subject: 'events', tls: false };
    await expect(connectNats({ settings, credentials: {} }, { lookup, timeoutMs: 1_100 })).rejects.toThrow();
    await waitFor(() => open === 0, { what: 'the end of the connection', timeoutMs: 5_000 });
    server.close();
  });

  test.each<[what: string, work: (socket: Socket) => void]>([
    ['speaks HTTP', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['floods its clients', (socket) => pour(socket, Buffer.alloc(65_536, 'x'))],
    [
      'ends a huge greeting',
      (socket) => {
        // The piece that ends the greeting is also the one that exceeds the limit.
        socket.write(`INFO {"name":"${'x'.repeat(GREETING_BYTES)}`, () => {
          setImmediate(() => socket.write(`${'x'.repeat(400)}"}\r\n`));
        });
      },
    ],
    [
      'greets byte by byte',
      (socket) => {
        socket.setNoDelay(true);
        const text = INFO.replace('x', 'x'.repeat(300));
        const write = (at: number) => {
          if (at < text.length) socket.write(text.slice(at, at + 1), () => setImmediate(write, at + 1));
        };
        write(0);
      },
    ],
    ['floods with pings', greet((socket) => pour(socket, Buffer.from('PING\r\n'.repeat(10_000))))],
    ['says something else', greet((socket) => void socket.write('\u001b[31mcanary\r\n'))],
  ])('which %s is not waited for', async (_what, work) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      work(socket);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const servers = [`127.0.0.1:${typeof address === 'object' ? address?.port : 0}`];
    const sender = open({ rules, allowPlaintext: true, clock: systemClock });
    const { log } = console;
    const printed: unknown[] = [];
    console.log = (...said) => printed.push(said);
    try {
      const result = await sender.send(
        requestTo(nats, { settings: { servers, tls: false }, credentials: {}, timeoutMs: 3_000 }),
      );
      expect(result).toMatchObject({
        kind: 'error',
        errorCode: expect.stringMatching(/^(protocol_error|connection_reset)$/),
      });
      expect(printed).toEqual([]);
    } finally {
      console.log = log;
      sender.close();
      server.close();
    }
  });
});
