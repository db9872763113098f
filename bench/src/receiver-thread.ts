import { createServer, type Server } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

const { count, tls, counter } = workerData as {
  count: number;
  tls: { certificate: string; key: string };
  counter: Int32Array;
};
let arrivals = new Map<string, number>();

const servers = Array.from({ length: count }, () =>
  createServer(
    { cert: tls.certificate, key: tls.key, keepAlive: true, keepAliveTimeout: 60_000 },
    (request, response) => {
      const id = String(request.headers['webhook-id']);
      if (!arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now());
      Atomics.add(counter, 0, 1);
      request.resume();
      request.on('end', () => response.end());
    },
  ),
);

for (const server of servers) server.on('secureConnection', () => Atomics.add(counter, 1, 1));
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
