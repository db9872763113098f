import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as dial, type Socket } from 'node:net';
import { makeOwnAuthority } from './own-authority.ts';

/** The proxy's response to a CONNECT: a tunnel, silence, or a response with a status. */
export type ProxyBehaviour = 'connect' | 'hang' | { status: number; headers?: Record<string, string> };

export type ConnectProxy = {
  /** The URL of the proxy, with the user and password if it requires them. */
  url: string;
  /** The certificate authority of the proxy, in PEM. */
  caPem: string;
  /** The target of each CONNECT, in the order of arrival. */
  targets: string[];
  /** The first bytes that clients sent through the tunnels. */
  sent: () => Buffer;
  respondWith: (behave: (target: string) => ProxyBehaviour) => void;
  close: () => Promise<void>;
};

type ConnectProxyOptions = { tls?: boolean; user?: string; password?: string };

/** A real HTTP proxy on this machine that answers only CONNECT. */
export async function startConnectProxy({
  tls = false,
  user,
  password,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { caPem, issue } = await makeOwnAuthority();
  const { key, cert } = await issue({ names: ['localhost', '127.0.0.1'] });
  const server = tls ? createTlsServer({ key, cert }) : createPlainServer();
  const login = user === undefined ? undefined : `${user}:${password ?? ''}`;
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const sent: Buffer[] = [];
  let behave: (target: string) => ProxyBehaviour = () => 'connect';

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, near: Socket) => {
    near.on('error', () => near.destroy());
    const target = request.url ?? '';
    targets.push(target);
    const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) return answer(near, { status: 407 });
    const behaviour = behave(target);
    if (behaviour === 'hang') return;
    if (behaviour !== 'connect') return answer(near, behaviour);
    const { hostname, port } = new URL(`http://${target}`);
    const far = dial(Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    keep(far);
    far.once('error', () => answer(near, { status: 503, headers: { 'x-squid-error': 'ERR_CONNECT_FAIL 111' } }));
    far.once('connect', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.on('data', (chunk: Buffer) => {
        if (sent.length < MAX_CHUNKS) sent.push(chunk);
      });
      near.pipe(far).pipe(near);
      far.once('close', () => near.destroy());
      near.once('close', () => far.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const shown = login === undefined ? '' : `${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@`;
  return {
    url: `${tls ? 'https' : 'http'}://${shown}127.0.0.1:${port}`,
    caPem,
    targets,
    sent: () => Buffer.concat(sent),
    respondWith(next) {
      behave = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const MAX_CHUNKS = 1_000;

function answer(near: Socket, { status, headers = {} }: { status: number; headers?: Record<string, string> }): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  near.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}content-length: 0\r\n\r\n`);
}
