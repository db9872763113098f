import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePort } from '@posthorn/testkit/free-port';
import { choosePort } from './choose-port.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function take(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  servers.push(server);
}

test('without a choice, the port is the usual one, and the next free one when that is taken', async () => {
  const usual = await freePort();
  expect(await choosePort(undefined, usual)).toBe(usual);
  await take(usual);
  const next = await choosePort(undefined, usual);
  expect(next).toBeGreaterThan(usual);
  expect(next).toBeLessThan(usual + 100);
});

test('a chosen port is used, and it is a failure when it is taken', async () => {
  const chosen = await freePort();
  expect(await choosePort(chosen)).toBe(chosen);
  await take(chosen);
  await expect(choosePort(chosen)).rejects.toThrow(`Port ${chosen} is in use`);
});
