/**
 * The URL at which this machine reaches a port of the services: at their LISTEN_ADDRESS, or at loopback if that is
 * every address.
 */
export function localUrl({ LISTEN_ADDRESS = '127.0.0.1' }: NodeJS.ProcessEnv, port: number | string): string {
  const host = ['0.0.0.0', '::'].includes(LISTEN_ADDRESS) ? '127.0.0.1' : LISTEN_ADDRESS;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
