import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { request } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { EgressAgent } from './egress-agent.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** How long the connection is kept after an answer with these headers. */
async function idleAfter(headers: Record<string, string>): Promise<number | undefined> {
  receiver.respondWith(() => ({ status: 200, body: 'ok', headers: { connection: 'keep-alive', ...headers } }));
  const agent = new EgressAgent({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    lookup: async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] }),
    ca: receiver.caPem,
  });
  const sent = request(receiver.url, { agent, method: 'POST' });
  const freed = once(agent, 'free') as Promise<[Socket]>;
  sent.on('response', (response) => response.resume());
  sent.end('{}');
  const [socket] = await freed;
  const idle = socket.timeout;
  agent.destroy();
  return idle;
}

test('a connection is kept idle for a second less than announced, and for at most 15 s', async () => {
  expect(await idleAfter({ 'keep-alive': 'timeout=9' })).toBe(8_000);
  expect(await idleAfter({ 'keep-alive': 'timeout=600, max=100' })).toBe(15_000);
});

test('a connection without an announced time is kept idle for 4 s', async () => {
  expect(await idleAfter({})).toBe(4_000);
});

test('a certificate of an unknown authority is refused, even with NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment', async () => {
  const script = `
    import { request } from 'node:https';
    import { EgressAgent } from ${JSON.stringify(new URL('../../dist/webhook/egress-agent.js', import.meta.url))};
    import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
    const lookup = async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] });
    const agent = new EgressAgent({ rules: parseAllowedCidrs('127.0.0.1/32'), lookup });
    const tell = (outcome) => { console.log(outcome); process.exit(0); };
    request(${JSON.stringify(receiver.url)}, { agent }, () => tell('answered')).on('error', (error) => tell(error.code)).end();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('../..', import.meta.url),
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  });
  expect(await text(child.stdout)).toMatch(
    /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/m,
  );
});

test('at most 1,000 connections are open, and above 500 none is kept idle, so that idle connections never delay others', async () => {
  const agent = new EgressAgent({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    lookup: async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] }),
    ca: receiver.caPem,
  });
  expect(agent.maxTotalSockets).toBe(1_000);
  receiver.respondWith(() => ({
    status: 200,
    body: 'ok',
    headers: { connection: 'keep-alive', 'keep-alive': 'timeout=60' },
  }));
  const { port } = new URL(receiver.url);
  agent.options.checkServerIdentity = () => undefined;
  // Node keeps at most 256 idle connections to one host.
  const answers = Array.from({ length: 600 }, async (_, n) => {
    const host = `receiver-${n % 3}.example`;
    const sent = request({ host, port, agent, method: 'POST' }).end('{}');
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
  });
  await Promise.all(answers);
  const idle = Object.values(agent.freeSockets).flat().length;
  expect(idle).toBeGreaterThan(0);
  expect(idle).toBeLessThanOrEqual(500);
  agent.destroy();
});
