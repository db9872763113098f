import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Posthorn } from '@posthorn/client';
import { startServices } from '../services-in-process.ts';

let stack: Awaited<ReturnType<typeof startServices>>;
let posthorn: Posthorn;
beforeAll(async () => {
  stack = await startServices({ dispatchers: 0 });
  const { managementToken: token, apiKey } = stack;
  posthorn = new Posthorn({ baseUrl: stack.api.url, token, apiKey });
});
afterAll(() => stack.stop());

async function makeEndpoint() {
  const { id, pullKey } = await posthorn.endpoints.create({ type: 'pull' });
  expect(pullKey).toMatch(/^phpl_/);
  return { id, pullKey: String(pullKey) };
}

const statusOf = async (id: string) => (await posthorn.deliveries.get(id)).status;

test('a loop acknowledges each message at the end of its body, oldest first', async () => {
  const { id, pullKey } = await makeEndpoint();
  const sent = [1, 2, 3].map((n) => posthorn.events.sendDirect(id, { n }));
  const deliveries = (await Promise.all(sent)).map(({ deliveryId }) => deliveryId);
  const consumer = new Posthorn({ baseUrl: stack.api.url, pullKey });
  const seen: string[] = [];
  for await (const message of consumer.pull(id, { max: 2 })) {
    expect(message.json<{ n: number }>().n).toBeGreaterThan(0);
    seen.push(message.deliveryId);
    if (seen.length < 3) continue;
    await message.ack();
    break;
  }
  expect([...seen].sort()).toEqual([...deliveries].sort());
  expect(await Promise.all(seen.map(statusOf))).toEqual(['delivered', 'delivered', 'delivered']);
});

test('a body that throws gives the message back, and a nack can ask for a delay', async () => {
  const { id, pullKey } = await makeEndpoint();
  const { deliveryId } = await posthorn.events.sendDirect(id, 'a');
  const work = async () => {
    for await (const _message of posthorn.pull(id, { pullKey })) throw new Error('no room');
  };
  await expect(work()).rejects.toThrow('no room');
  expect(await statusOf(deliveryId)).toBe('scheduled_retry');
  for await (const message of posthorn.pull(id, { pullKey })) {
    expect(message).toMatchObject({ deliveryId, attemptNumber: 2 });
    expect(await message.nack({ delaySeconds: 3_600, reason: 'full' })).toBe(true);
    break;
  }
  const [, attempt] = await posthorn.deliveries.listAttempts(deliveryId).toArray({ limit: 10 });
  expect(attempt).toMatchObject({ number: 2, errorCode: 'nacked', errorMessage: 'full' });
});

test('a message is held for longer, until it is answered', async () => {
  const { id, pullKey } = await makeEndpoint();
  await posthorn.events.sendDirect(id, 'a');
  for await (const message of posthorn.pull(id, { pullKey, leaseSeconds: 5 })) {
    expect(await message.extend(900)).toBe(true);
    const { pull } = await posthorn.endpoints.get(id);
    expect(pull?.waiting).toBe(0);
    await message.ack();
    expect(await message.extend(900)).toBe(false);
    await expect(message.extend(1)).rejects.toMatchObject({ code: 'validation_error' });
    break;
  }
});

test('after its signal a loop hands out no other message that it has leased, and gives it back', async () => {
  const { id, pullKey } = await makeEndpoint();
  const sent = [await posthorn.events.sendDirect(id, 'a'), await posthorn.events.sendDirect(id, 'b')];
  const controller = new AbortController();
  const seen: string[] = [];
  const work = async () => {
    for await (const { deliveryId } of posthorn.pull(id, { pullKey, max: 2, signal: controller.signal })) {
      seen.push(deliveryId);
      controller.abort(new Error('enough'));
    }
  };
  await expect(work()).rejects.toThrow('enough');
  const statuses = await Promise.all(sent.map(({ deliveryId }) => statusOf(deliveryId)));
  expect([seen.length, ...statuses.sort()]).toEqual([1, 'delivered', 'scheduled_retry']);
});

test('a waiting loop ends with its signal', async () => {
  const { id, pullKey } = await makeEndpoint();
  const controller = new AbortController();
  const waiting = posthorn.pull(id, { pullKey, signal: controller.signal }).next();
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
