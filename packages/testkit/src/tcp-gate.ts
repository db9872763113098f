import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { Transform, type Writable } from 'node:stream';

export type TcpGate = {
  /** The target's URL, but through the gate. */
  url: string;
  /** Accepts connections from now on. */
  open: () => Promise<void>;
  /** Closes every connection and refuses new ones, like a server that is down. */
  shut: () => Promise<void>;
  /** Closes every connection, but accepts new ones. */
  cut: () => void;
  /**
   * Keeps connections open and forwards nothing, like a server that hangs. `all` includes new connections. With
   * `existing`, new connections work, so the existing ones are half open.
   */
  freeze: (which?: 'all' | 'existing') => void;
  /** Forwards again, including the chunks that were held. */
  thaw: () => void;
  /** Sends new connections to another target from now on. Open ones keep their target, as after a DNS change. */
  moveTo: (targetUrl: string) => void;
  /** Delays every chunk by this time, in both directions. 0 ends the delay. */
  delay: (ms: number) => void;
  close: () => Promise<void>;
};

/**
 * Gets the chunks of one connection. If it returns false, the connection is closed, and the chunk is not forwarded. If
 * it returns bytes, they are forwarded instead of the chunk.
 */
export type Inspector = { toTarget: (chunk: Buffer) => boolean; fromTarget: (chunk: Buffer) => boolean | Buffer };

export type TcpGateOptions = {
  /** Called once for each connection. */
  inspect?: () => Inspector;
};

/** A port in front of a store, by which a test can cut off some processes. It is open at the start. */
export async function startTcpGate(targetUrl: string, { inspect }: TcpGateOptions = {}): Promise<TcpGate> {
  let target = new URL(targetUrl);
  const passages = new Set<Passage>();
  let frozen = false;
  let delayMs = 0;
  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    const { toTarget, fromTarget } = inspect?.() ?? {};
    const passage = {
      near,
      far,
      there: through(far, () => delayMs, toTarget),
      back: through(near, () => delayMs, fromTarget),
    };
    passages.add(passage);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => end(passage));
      socket.on('close', () => end(passage));
    }
    near.on('close', () => passages.delete(passage));
    if (!frozen) join(passage);
  });
  const port = await listen(server, 0);
  const cut = () => {
    for (const passage of passages) end(passage);
  };
  const shut = async () => {
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    cut();
    await closed;
  };
  return {
    url: Object.assign(new URL(targetUrl), { host: `127.0.0.1:${port}` }).href,
    open: async () => {
      if (!server.listening) await listen(server, port);
    },
    shut,
    cut,
    freeze: (which = 'all') => {
      frozen = which === 'all';
      for (const { near, far } of passages) {
        for (const socket of [near, far]) socket.unpipe().pause();
      }
    },
    thaw: () => {
      frozen = false;
      for (const passage of passages) join(passage);
    },
    moveTo: (movedTo) => {
      target = new URL(movedTo);
    },
    delay: (ms) => {
      delayMs = ms;
    },
    close: shut,
  };
}

/** One connection: its two ends, and the stream of each direction. */
type Passage = { near: Socket; far: Socket; there: Writable; back: Writable };

function join({ near, far, there, back }: Passage): void {
  near.unpipe().pipe(there);
  far.unpipe().pipe(back);
}

function end({ near, far }: Passage): void {
  near.destroy();
  far.destroy();
}

/** A stream into the socket. It can delay or replace chunks, and closes the connection when a chunk must not pass. */
function through(
  socket: Socket,
  delayMs: () => number,
  inspect: (chunk: Buffer) => boolean | Buffer = () => true,
): Writable {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const passes = inspect(chunk);
      if (passes === false) return socket.destroy();
      const bytes = passes === true ? chunk : passes;
      const heldBackMs = delayMs();
      if (heldBackMs === 0) done(null, bytes);
      else setTimeout(() => done(null, bytes), heldBackMs);
    },
  });
  stream.pipe(socket);
  return stream;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
