import { request as httpsRequest } from 'node:https';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from './receiver.ts';
import { waitFor } from './wait-for.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close().catch(() => undefined));

/** Returns the response's status and body. Rejects when there is no response. */
function post(body: string, url = receiver.url): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      { method: 'POST', ca: receiver.caPem, headers: { 'X-Mine': 'a' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    request.on('error', reject).end(body);
  });
}

test('a request is recorded completely before it is answered', async () => {
  receiver.respondWith(({ body }, nth) => ({ status: 201, body: `${receiver.requests.length} ${nth} ${body}` }));
  expect(await post('one', `${receiver.url}hook?a=1`)).toEqual({ status: 201, text: '1 1 one' });
  const [request] = await receiver.received(1);
  expect(request).toMatchObject({
    method: 'POST',
    url: '/hook?a=1',
    headers: { 'x-mine': 'a' },
    body: Buffer.from('one'),
  });
  expect(request?.rawHeaders).toContain('X-Mine');
  expect(request?.at).toBeInstanceOf(Date);
});

test('its certificate is valid for localhost, and the authority is the same for all receivers', async () => {
  const other = await startReceiver();
  expect(other.caPem).toBe(receiver.caPem);
  expect(await post('', other.url)).toMatchObject({ status: 200 });
  await other.close();
});

test('an answer can be delayed, and the behaviour changed meanwhile', async () => {
  receiver.respondWith((_, nth) => ({ status: nth === 1 ? 500 : 200, delayMs: 10 }));
  expect(await post('')).toMatchObject({ status: 500 });
  expect(await post('')).toMatchObject({ status: 200 });
  receiver.respondWith(() => ({ status: 410 }));
  expect(await post('')).toMatchObject({ status: 410 });
});

test('the bare connection can be written to, dripped on and reset', async () => {
  receiver.respondWith(() => ({ raw: ({ socket }) => void socket.end('HTTP/1.1 299 Odd\r\n\r\nraw') }));
  expect(await post('')).toEqual({ status: 299, text: 'raw' });
  let drips = 0;
  receiver.respondWith(() => ({
    raw: ({ repeat, reset }) =>
      repeat(1, () => {
        drips += 1;
        if (drips === 3) reset();
      }),
  }));
  await expect(post('')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(drips).toBe(3);
});

test('closing ends a connection that hangs, and throws the error of a behaviour', async () => {
  receiver.respondWith(() => ({ raw: () => undefined }));
  const hanging = post('').catch((error: { code: string }) => error.code);
  await receiver.received(1);
  receiver.respondWith(() => {
    throw new Error('a mistake in the test');
  });
  await expect(post('')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(receiver.close()).rejects.toThrow('a mistake in the test');
  expect(await hanging).toBe('ECONNRESET');
});

test('connections and resumed sessions are counted', async () => {
  await post('');
  await waitFor(() => receiver.connections.opened === 1, { what: 'the connection to be counted' });
  expect(receiver.connections.resumed).toBe(0);
});
