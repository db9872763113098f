import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { Transform, type Writable } from 'node:stream';

export type TcpGate = {
  /** The target's URL, through the gate. */
  url: string;
  /** Lets connections through, from now on. */
  open: () => Promise<void>;
  /** Cuts every connection and refuses new ones, as a server that is down. */
  shut: () => Promise<void>;
  /** Cuts every connection; new ones are let through. */
  cut: () => void;
  /**
   * Keeps connections open and forwards nothing, as a server that hangs; those made meanwhile alike, or, with
   * `existing`, not: the rest is then a half-open connection.
   */
  freeze: (which?: 'all' | 'existing') => void;
  /** Forwards again, what was held back too. */
  thaw: () => void;
  /** New connections reach another target from now on; the open ones keep theirs, as after a change of a name's address. */
  moveTo: (targetUrl: string) => void;
  /** Holds back every chunk for so long, in both directions; 0 ends it. */
  delay: (ms: number) => void;
  close: () => Promise<void>;
};

/** Sees what passes on one connection. Answering false cuts it, and the chunk does not go on. */
export type Inspector = { toTarget: (chunk: Buffer) => boolean; fromTarget: (chunk: Buffer) => boolean };

export type TcpGateOptions = {
  /** Made anew for each connection. */
  inspect?: () => Inspector;
};

/** A port of one's own in front of a store, to take it away from some processes only. It is open at first. */
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

/** One connection: its two ends, and where each direction is written to. */
type Passage = { near: Socket; far: Socket; there: Writable; back: Writable };

function join({ near, far, there, back }: Passage): void {
  near.unpipe().pipe(there);
  far.unpipe().pipe(back);
}

function end({ near, far }: Passage): void {
  near.destroy();
  far.destroy();
}

/** A stream into the socket that may hold chunks back, and cuts the connection at what it may not let pass. */
function through(socket: Socket, delayMs: () => number, mayPass: (chunk: Buffer) => boolean = () => true): Writable {
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!mayPass(chunk)) return socket.destroy();
      const heldBackMs = delayMs();
      if (heldBackMs === 0) done(null, chunk);
      else setTimeout(() => done(null, chunk), heldBackMs);
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
