import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Mark, Row, Tools } from '../row.ts';
import { asyncStandbyLosesCommits } from './async-standby.ts';
import { createInFlight } from './marks.ts';
import { neighbourLock } from './neighbour-lock.ts';
import { postgresFailover } from './postgres-failover.ts';
import { postgresHalfOpen } from './silent-stores.ts';

export const postgresRows: readonly Row[] = [
  {
    name: 'postgres-restart',
    fault: 'Postgres is restarted 10 times at 50 events/s',
    pass: 'no 202 without a row, 503 with Retry-After during the restart, recovery ≤ 5 s',
    run: restart,
  },
  {
    name: 'postgres-away',
    fault: 'Postgres is away for 30 s while 200 deliveries are in flight',
    pass: 'lost 0, no row stuck',
    run: away,
  },
  {
    name: 'commit-reply-cut',
    fault: "the connection is cut 500 times before the reply to an event's commit; the client sends again with its key",
    pass: 'exactly one delivery for each event and endpoint',
    async run(rig, { scaled, say }) {
      const cuts = scaled(500);
      let cut = 0;
      const done = Promise.all(
        rig.apis.map((api) =>
          api.statements.at('ingest', 'after', () => {
            cut += 1;
            return cut < cuts;
          }),
        ),
      );
      while (cut < cuts) await rig.load.burst(scaled(200), { concurrency: 4 });
      // The trap of the other API may still act once.
      await Promise.all([done, rig.load.burst(scaled(200))]);
      say(`${cut} replies cut`);
      await rig.drain();
      return { duplicatesAtMost: 0, marks: [{ what: 'replies cut', value: cut, atLeast: cuts }, await beyond(rig)] };
    },
  },
  postgresFailover,
  asyncStandbyLosesCommits,
  postgresHalfOpen,
  neighbourLock,
];

async function restart(rig: Rig, { random, scaled, say }: Tools) {
  const restarts = scaled(10);
  const load = rig.load.steady(50, restarts * 8);
  const recoveries: number[] = [];
  const inFlight = createInFlight(rig);
  for (let n = 0; n < restarts; n += 1) {
    await rig.elapsed(random.whole(1_000, 4_000));
    await inFlight.note();
    await rig.postgres.stop();
    await rig.elapsed(random.whole(100, 1_000));
    await rig.postgres.start();
    const backMs = Date.now();
    const first = () => rig.load.answers.find((answer) => answer.status === 202 && answer.atMs >= backMs);
    const answer = await waitFor(first, { what: 'an event to be accepted', timeoutMs: 30_000 });
    recoveries.push(answer.atMs + answer.afterMs - backMs);
    say(`restart ${n + 1}: accepted again after ${recoveries.at(-1)} ms`);
  }
  await load;
  const failed = rig.load.answers.filter(({ status }) => status >= 500 || status === 0);
  const marks: Mark[] = [
    { what: 'recovery', unit: 'ms', value: Math.max(...recoveries), atMost: 5_000 },
    { what: '503 with Retry-After', value: failed.filter((one) => one.status === 503 && one.retryAfter).length },
    {
      what: 'other 5xx or none',
      value: failed.filter((one) => one.status !== 503 || !one.retryAfter).length,
      atMost: 0,
    },
  ];
  // A lease may expire while its result waits for Postgres.
  return { duplicatesAtMost: inFlight.count(), recoveryMs: Math.max(...recoveries), marks };
}

async function away(rig: Rig, { scaled, say }: Tools) {
  const wanted = scaled(200);
  const to = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const { name, eventType } = await rig.addEndpoint({
        name: `slow-${n}`,
        behaviour: () => ({ delayMs: 8_000 }),
        loaded: false,
      });
      return { eventType, endpoints: [name] };
    }),
  );
  await rig.load.burst(Math.ceil(wanted * 1.25), { to });
  await waitFor(async () => (await rig.inFlight()) >= wanted, { what: `${wanted} in flight`, timeoutMs: 30_000 });
  const inFlight = await rig.inFlight();
  await rig.postgres.stop();
  say(`${inFlight} in flight when Postgres went`);
  await rig.elapsed(scaled(30) * 1_000);
  await rig.postgres.start();
  const recoveryMs = await rig.drain();
  return { duplicatesAtMost: inFlight, recoveryMs, marks: [{ what: 'in flight', value: inFlight, atLeast: wanted }] };
}

/** The deliveries in Postgres beyond one for each accepted event and endpoint. */
async function beyond(rig: Rig): Promise<Mark> {
  const wanted = rig.load.sent.reduce(
    (sum, event) => sum + (event.eventId === undefined ? 0 : event.endpoints.length),
    0,
  );
  return { what: 'extra deliveries', value: (await rig.db.delivery.count()) - wanted, atMost: 0 };
}
