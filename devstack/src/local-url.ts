import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';

/**
 * The URL at which this machine reaches a port of the services: at their LISTEN_ADDRESS, or at loopback if that is
 * every address.
 */
export function localUrl({ LISTEN_ADDRESS = '127.0.0.1' }: NodeJS.ProcessEnv, port: number | string): string {
  const host = ['0.0.0.0', '::'].includes(LISTEN_ADDRESS) ? '127.0.0.1' : LISTEN_ADDRESS;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type Place = { environment: NodeJS.ProcessEnv; port: number };

/**
 * The URL of the pages, for a person: BASE_URL, or `localhost` instead of a loopback address, because browsers do not
 * allow passkeys at an IP address. The address stays where the name is unknown, or also leads to another program, such
 * as one on ::1.
 */
export async function pagesUrl({ environment, port }: Place): Promise<string> {
  const address = localUrl(environment, port);
  if (environment.BASE_URL !== undefined) return environment.BASE_URL;
  const { hostname } = new URL(address);
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const heard = await Promise.all(found.map(async (one) => ((await answers(one.address, port)) ? [one.address] : [])));
  const isOurs = (one: string) => environment.LISTEN_ADDRESS === '::' || one === hostname.replace(/^\[|\]$/g, '');
  const reached = heard.flat();
  return reached.length > 0 && reached.every(isOurs) ? `http://localhost:${port}` : address;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(ANSWERS_WITHIN_MS, () => end(false));
  });
}

const ANSWERS_WITHIN_MS = 1_000;
