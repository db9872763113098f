import { createServer, type Server } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';
import { COUNTERS } from './receivers.ts';

const { count, tls, counter } = workerData as {
  count: number;
  tls: { key: string; cert: string };
  counter: Int32Array;
};
let arrivals = new Map<string, number>();

const servers = Array.from({ length: count }, () =>
  createServer({ ...tls, keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
    if (Atomics.load(counter, COUNTERS.recording) === 1) {
      const id = String(request.headers['webhook-id']);
      if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now());
    }
    request.resume();
    if (request.url === '/hang') {
      Atomics.add(counter, COUNTERS.hung, 1);
      return;
    }
    Atomics.add(counter, COUNTERS.answered, 1);
    request.on('end', () => response.end());
  }),
);

for (const server of servers) server.on('secureConnection', () => Atomics.add(counter, COUNTERS.connections, 1));
parentPort?.postMessage(await Promise.all(servers.map(listen)));
parentPort?.on('message', () => {
  parentPort?.postMessage(arrivals);
  arrivals = new Map();
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
