import { createServer } from 'node:net';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { floodRows } from './floods.ts';
import { hangingRows } from './hanging.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { goneRow, retryAfterRow } from './retry-after.ts';
import { stoppedRow } from './stopped-endpoints.ts';
import { unannouncedCloseRow } from './unannounced-closes.ts';

export const endpointRows: readonly Row[] = [
  {
    name: 'endpoint-hostile',
    fault:
      'endpoints hang, send bytes slowly, never end their answers, or send gzip bombs; one dispatcher has 200 of them at once',
    pass: 'every attempt ends within timeout + 0.5 s, memory growth ≤ 50 MB',
    // One process has slots for 200 slow attempts. It knows the ten endpoints before.
    rig: { apis: 1, dispatchers: 1, settings: { DELIVERY_CONCURRENCY: '400' } },
    run: hostileAnswers,
  },
  ...hangingRows,
  ...floodRows,
  {
    name: 'endpoint-redirects',
    fault: 'endpoints answer every 3xx status, with the address of a canary in all spellings',
    pass: 'connections to the canary 0',
    run: redirect,
  },
  goneRow,
  retryAfterRow,
  stoppedRow,
  unannouncedCloseRow,
];

async function redirect(rig: Rig, { scaled, say }: Tools) {
  const canary = await startCanary();
  try {
    const to = [];
    for (let n = 0; n < 4; n += 1) {
      const name = `redirects-${n}`;
      const { eventType } = await rig.addEndpoint({
        name,
        loaded: false,
        behaviour: ({ attempt }, nth) => (attempt === 1 ? toCanary(canary.port, 4 * nth + n) : {}),
      });
      to.push({ eventType, endpoints: [name] });
    }
    // Enough requests for every status with every spelling.
    await rig.load.steady(60, Math.max(9, scaled(40)), { to });
    await rig.drain();
    const statuses = await rig.db.attempt.findMany({ distinct: ['responseStatus'], select: { responseStatus: true } });
    const redirects = statuses.filter(({ responseStatus }) => Math.floor((responseStatus ?? 0) / 100) === 3).length;
    say(`${redirects} statuses of 300 to 399 answered`);
    const marks = [
      { what: 'statuses', value: redirects, atLeast: 100 },
      { what: 'canary hits', value: canary.hits(), atMost: 0 },
    ];
    return { duplicatesAtMost: 0, marks };
  } finally {
    canary.close();
  }
}

function toCanary(port: number, nth: number) {
  const host = `127.0.0.1:${port}`;
  const spellings = [`https://${host}/`, `http://${host}/`, `//${host}/x`, `HTTPS://${host}`, `\\\\${host}/`];
  const location = spellings[Math.floor(nth / 100) % spellings.length];
  return {
    status: 300 + (nth % 100),
    headers: { location, refresh: `0; url=https://${host}/`, link: `<https://${host}/>; rel=preload` },
  };
}

/** Counts every connection, with any protocol. */
async function startCanary() {
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, hits: () => hits, close: () => void server.close() };
}
