import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { parentPort } from 'node:worker_threads';

// A proxy that knows only CONNECT. It runs in its own thread, so that it does not delay the load generator.

const server = createServer();
server.on('connect', (request, client, early) => {
  const { hostname, port } = new URL(`tcp://${request.url}`);
  const target = connect({ host: hostname, port: Number(port), noDelay: true }, () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(early);
    target.pipe(client).pipe(target);
  });
  for (const [socket, other] of [
    [client, target],
    [target, client],
  ] as const) {
    socket.on('error', () => other.destroy());
    socket.on('close', () => other.destroy());
  }
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
