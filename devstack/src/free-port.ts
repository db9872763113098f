import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Failure } from './failure.ts';

// Below the range from which systems take the local ports of outgoing connections: a service that is restarted must
// not find its port taken by a delivery.
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, '127.0.0.1')) return port;
  }
  throw new Failure('No free port was found on 127.0.0.1.', 'Check that this user may listen on 127.0.0.1.');
}

/** Whether one can listen on the port. Without a host: on every address of the machine. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
