// The image's health check: asks the role in this container whether it is ready. `migrate` and `admin` serve no
// requests and are healthy while they run. The argument is for tests: the file with the command of process 1.
import { readFileSync } from 'node:fs';

const { PORT = '3000', METRICS_PORT = '9464', LISTEN_ADDRESS = '' } = process.env;
const command = readFileSync(process.argv[2] ?? '/proc/1/cmdline', 'utf8')
  .replaceAll('\0', ' ')
  .trim();
const port = portOf(command);
if (port !== undefined) {
  const isEverywhere = ['', '::', '0.0.0.0'].includes(LISTEN_ADDRESS);
  const host = isEverywhere ? '127.0.0.1' : LISTEN_ADDRESS.includes(':') ? `[${LISTEN_ADDRESS}]` : LISTEN_ADDRESS;
  const ready = await fetch(`http://${host}:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
  process.exitCode = ready ? 0 : 1;
}

/** Under `docker run --init` process 1 is another program, with the entrypoint and its role as arguments. */
function portOf(text) {
  if (/services\/dispatcher\/bundle\/main\.js|entrypoint\.sh dispatcher$/.test(text)) return METRICS_PORT || '9464';
  // One process for everything takes requests last, after its dispatcher has started.
  if (/services\/(api|all)\/bundle\/main\.js|entrypoint\.sh( api| all)?$/.test(text)) return PORT || '3000';
  return undefined;
}
