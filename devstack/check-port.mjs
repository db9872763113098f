// Refuses a chosen port that is taken, before anything is installed or built. It runs before packages are installed, so
// it may import only Node's own modules. src/choose-port.ts chooses the port of the start.
import { createServer } from 'node:net';

/** Ends the process with a message when `PORT` is set and taken. The start itself reports a malformed `PORT`. */
export async function checkPort({ PORT = '' }) {
  const port = Number(PORT);
  if (PORT === '' || !Number.isInteger(port) || port < 1 || port > 65_534 || (await isFree(port))) return;
  process.stderr.write(
    `posthorn  Port ${port} is in use, or this user may not listen on it.\n          Choose another: PORT=${port + 1} npm start\n`,
  );
  process.exit(1);
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
