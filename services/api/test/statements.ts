import { connect, createServer, type Socket } from 'node:net';

export type StatementCounter = {
  /** The database's URL, through the counter. */
  url: string;
  /** The number of statements that ran through it while `work` ran. */
  during: (work: () => Promise<unknown>) => Promise<number>;
  close: () => Promise<void>;
};

/** A proxy in front of Postgres that parses the clients' messages and counts their statements. */
export async function startStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    const read = createReader((type) => {
      if (type === 'E' || type === 'Q') statements += 1;
    });
    near.on('data', read);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    async during(work) {
      const before = statements;
      await work();
      return statements - before;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Splits a client's bytes into messages: a type (the first message has none), a length that includes itself, a body.
 */
function createReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let waiting = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= typeBytes + 4) {
      const end = typeBytes + waiting.readUInt32BE(typeBytes);
      if (waiting.length < end) return;
      if (typeBytes === 1) onMessage(String.fromCharCode(waiting[0] ?? 0));
      waiting = waiting.subarray(end);
      typeBytes = 1;
    }
  };
}
