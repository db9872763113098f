import { createServer, connect as dial, type Server, type Socket } from 'node:net';

export type TcpGate = {
  /** The target's URL, through the gate. */
  url: string;
  /** Lets connections through, from now on. */
  open: () => Promise<void>;
  /** Cuts every connection and refuses new ones, as a server that is down. */
  shut: () => Promise<void>;
  close: () => Promise<void>;
};

/** A port of one's own in front of a store, to take it away from some processes only. It is open at first. */
export async function startTcpGate(targetUrl: string): Promise<TcpGate> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) keep(socket);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const port = await listen(server, 0);
  const shut = async () => {
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: Object.assign(new URL(targetUrl), { host: `127.0.0.1:${port}` }).href,
    open: async () => {
      if (!server.listening) await listen(server, port);
    },
    shut,
    close: shut,
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
