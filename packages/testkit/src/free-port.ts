import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Ports below the range for outgoing connections and for listening on port 0: neither a delivery nor a test's own
// server can take the port between its choice and its use, or while a service restarts.
const LOWEST = 20_000;
const HIGHEST = 26_000;
/** A process reserves a port by listening on its guard port, which is this much higher. */
const GUARD_OFFSET = 6_000;
const TRIES = 100;

/**
 * Finds a port that is free on every address of this machine, and reserves it until this process ends: no other process
 * that calls this gets the same port, even while nothing listens on it. Throws when 100 ports are taken.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await reserve(port)) return port;
  }
  throw new Error(`none of ${TRIES} ports of 127.0.0.1 was free`);
}

/** True if the port is free on the host; without a host, on every address of the machine. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Reserves a port: the kernel lets one process listen on the guard port, and frees it when the process ends. */
async function reserve(port: number): Promise<boolean> {
  const guard = createServer((socket) => void socket.destroy()).unref();
  const isOurs = await new Promise<boolean>((resolve) => {
    guard.once('error', () => resolve(false));
    guard.listen({ port: port + GUARD_OFFSET, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  if (!isOurs) return false;
  if (await isFree(port)) return true;
  guard.close();
  return false;
}
