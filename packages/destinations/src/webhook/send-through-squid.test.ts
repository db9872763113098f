import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { systemClock } from '@posthorn/runtime/clock';
import { freePort } from '@posthorn/testkit/free-port';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { hasSquid, type Squid, startSquid } from '@posthorn/testkit/squid';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Destination, SendRequest } from '../kind.ts';
import { requireKind } from '../kinds.ts';
import { openWith } from './open.ts';

// Runs only where Squid is installed (`apt-get install squid`). send-through-proxy.test.ts runs everywhere, with our
// own proxy.
(hasSquid ? describe : describe.skip)('through Squid', () => {
  let receiver: Receiver;
  let forbidden: Receiver;
  let squid: Squid;
  const opened: Destination[] = [];
  beforeAll(async () => {
    receiver = await startReceiver();
    forbidden = await startReceiver();
    squid = await startSquid({ forbiddenPort: forbidden.port });
  });
  afterAll(async () => {
    for (const sender of opened) sender.close();
    await squid.close();
    await forbidden.close();
    await receiver.close();
  });

  function through(url: string): Destination {
    const sender = openWith({
      rules: parseAllowedCidrs('127.0.0.1/32'),
      clock: systemClock,
      resolve: async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 0 }],
      ca: receiver.caPem,
      proxy: { ...parseProxyUrl(url), ca: undefined },
    });
    opened.push(sender);
    return sender;
  }

  function post(port: number): SendRequest {
    const url = `https://shop.receiver.test:${port}/hooks`;
    return {
      place: {
        ...{ kind: requireKind('webhook'), endpointId: 'e', owner: 'ws_1', revision: 'r', url },
        ...{ settings: {}, credentials: {} },
      },
      message: { deliveryId: 'd', eventId: 'v', eventType: null, orderingKey: null, attemptNumber: 1 },
      ...{ url, headers: {}, body: Buffer.from('{"card":4242}'), timeoutMs: 10_000 },
    };
  }

  test('every delivery arrives over connections that Squid opened, and Squid sees an address only', async () => {
    const sender = through(squid.url);
    const results = await Promise.all(Array.from({ length: 20 }, () => sender.send(post(receiver.port))));
    expect(results).toEqual(Array(20).fill(expect.objectContaining({ kind: 'response', status: 200 })));
    const { opened: connections } = receiver.connections;
    sender.close();
    // Squid logs a connection when it ends.
    const tunnels = async () =>
      (await squid.log()).filter((line) => line.includes(`CONNECT 127.0.0.1:${receiver.port} `));
    await waitFor(async () => (await tunnels()).length === connections, { what: "Squid's lines" });
    expect(receiver.requests).toHaveLength(20);
    expect((await squid.log()).join('\n')).not.toMatch(/hooks|receiver\.test|4242/);
  });

  test('a user that it refuses is a fault of the proxy (407)', async () => {
    const { host } = new URL(squid.url);
    expect(await through(`http://${host}`).send(post(receiver.port))).toMatchObject({
      errorCode: 'proxy_error',
      message: expect.stringContaining('(407)'),
    });
  });

  test('a place that it forbids (403), or that nobody listens at (503), is not', async () => {
    expect(await through(squid.url).send(post(forbidden.port))).toMatchObject({ errorCode: 'connection_refused' });
    expect(await through(squid.url).send(post(await freePort()))).toMatchObject({ errorCode: 'connection_refused' });
    expect(forbidden.requests).toEqual([]);
  });
});
