import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Failure } from './failure.ts';

// Below the range of local ports for outgoing connections: a delivery must not take the port of a service that is
// restarting.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** Finds a port of 127.0.0.1 that is now free. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, '127.0.0.1')) return port;
  }
  throw new Failure('No free port was found on 127.0.0.1.', 'Check that this user may listen on 127.0.0.1.');
}

/** Whether the port is free. Without a host: on every address of the machine. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
