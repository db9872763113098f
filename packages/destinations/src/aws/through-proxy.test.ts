import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { systemClock } from '@posthorn/runtime/clock';
import { type ConnectProxy, startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import type { Destination } from '../kind.ts';
import { sqs } from '../sqs/describe.ts';
import { open } from '../sqs/open.ts';
import { requestTo } from '../testing.ts';

let receiver: Receiver;
let proxy: ConnectProxy;
let sender: Destination;
beforeAll(async () => {
  receiver = await startReceiver({ certificate: 'self-signed' });
});
afterAll(() => receiver.close());
beforeEach(async () => {
  proxy = await startConnectProxy({ user: 'posthorn', password: 'canary' });
  sender = openWith('127.0.0.0/8');
});
afterEach(async () => {
  sender.close();
  await proxy.close();
});

function openWith(cidrs: string): Destination {
  const rules = parseAllowedCidrs(cidrs);
  return open({ rules, allowPlaintext: true, clock: systemClock, proxy: parseProxyUrl(proxy.url) });
}

const sendTo = (origin: string, by = sender) =>
  by.send(requestTo(sqs, { settings: { queueUrl: `${origin}/123456789012/queue`, region: 'eu-central-1' } }));

test('a kind of AWS connects over HTTPS through the proxy, which is given the vetted address', async () => {
  // The AWS kinds do not trust the receiver's certificate, so the attempt ends with a TLS error inside the tunnel.
  expect(await sendTo(`https://127.0.0.1:${receiver.port}`)).toMatchObject({ errorCode: 'tls_error' });
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
});

test('the proxy is not asked for an address that the egress rules refuse', async () => {
  const strict = openWith('');
  expect(await sendTo(`https://127.0.0.1:${receiver.port}`, strict)).toMatchObject({ errorCode: 'blocked_address' });
  strict.close();
  expect(proxy.targets).toEqual([]);
});

test('a fault of the proxy is not a fault of the endpoint', async () => {
  proxy.respondWith(() => ({ status: 503 }));
  expect(await sendTo(`https://127.0.0.1:${receiver.port}`)).toMatchObject({ errorCode: 'proxy_error' });
});

test('a proxy that says nothing is at fault, also if the time of the attempt ends first', async () => {
  proxy.respondWith(() => 'hang');
  const settings = { queueUrl: `https://127.0.0.1:${receiver.port}/123456789012/queue`, region: 'eu-central-1' };
  expect(await sender.send(requestTo(sqs, { settings, timeoutMs: 2_000 }))).toMatchObject({ errorCode: 'proxy_error' });
});

test('plain HTTP to a server of the operator does not go through the proxy', async () => {
  await sendTo(`http://127.0.0.1:${receiver.port}`);
  expect(proxy.targets).toEqual([]);
});
