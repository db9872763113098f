import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of local ports for outgoing connections and for listening on port 0: neither a delivery nor a test's
// own server can take the port between the choice and the use of it, or while a service restarts.
const LOWEST = 20_000;
const HIGHEST = 26_000;
/** A port is reserved on this machine by the process that listens on the port so far above it. */
const GUARD_OFFSET = 6_000;
const TRIES = 100;

/**
 * Finds a port that is free on every address of this machine, and reserves it until this process ends: no other process
 * that asks here gets the same one, even when nothing listens on it yet. Throws when 100 ports are taken.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await reserve(port)) return port;
  }
  throw new Error(`none of ${TRIES} ports of 127.0.0.1 was free`);
}

/** Whether the port is free. Without a host: on every address of the machine. */
export function isFree(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The kernel lets one process listen on the guard port, and ends the reservation with the process. */
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
