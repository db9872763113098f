import { waitFor } from '@posthorn/testkit/wait-for';
import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Row, Tools } from '../row.ts';
import { clockDays } from './clock-days.ts';
import { enqueueAgain } from './enqueue-again.ts';
import { noneEnded, otherErrors, sum } from './marks.ts';
import { blockOnSignal, dieOfAnswer, runFirst, shiftClock } from './preludes.ts';
import { endedWell, loadWhile, type Restart, readyAgain, restart, serverErrors } from './restarts.ts';
import { rotationRows } from './rotations.ts';
import { watchdogIdle } from './watchdog-idle.ts';

const AGAIN_WITHIN_MS = 30_000;

export const processRows: readonly Row[] = [
  {
    name: 'dispatcher-kill',
    fault: 'a dispatcher is killed 20 times during 10,000 events',
    pass: 'lost 0, duplicates ≤ in flight at each kill, expired leases attempted again ≤ 30 s',
    run: kill,
  },
  {
    name: 'dispatcher-poisoned',
    fault: 'one delivery crashes every dispatcher that attempts it',
    pass: 'quarantined as dead_letter after 5 lost leases, the rest delivered; the first attempt may end one more process',
    rig: { config: { timeoutSeconds: 2 } },
    run: poison,
  },
  {
    name: 'rolling-restarts',
    fault: 'every process is restarted in turn, 20 times in all, while receivers answer within the drain window',
    pass: 'duplicates 0, lost 0, 5xx 0, exit ≤ 30 s with 0',
    run: rollingRestarts,
  },
  {
    name: 'job-repeated',
    shapes: ['scaled'],
    fault: '3 dispatchers get the job of each of 10 deliveries 1,000 times',
    pass: 'one receipt of each attempt',
    run: repeatJobs,
  },
  {
    name: 'loop-blocked',
    fault: 'the event loop of a dispatcher is blocked 5 times for 16 s, longer than every lock and lease',
    pass: '≤ 2 receipts of each attempt, the right final state',
    rig: { config: { timeoutSeconds: 5 } },
    run: blockLoop,
  },
  {
    name: 'process-suspended',
    fault:
      'a dispatcher and an API are suspended (SIGSTOP) 5 times for 20 s, longer than every lock and lease, and go on',
    pass: 'nothing lost, duplicates ≤ in flight at each suspension, ≤ 2 receipts of each attempt, no process ends',
    rig: { config: { timeoutSeconds: 5 } },
    run: suspend,
  },
  {
    name: 'clock-shifted',
    fault: 'the clocks of one API and one dispatcher are an hour ahead, then an hour behind',
    pass: 'nothing early, nothing lost',
    run: shiftClocks,
  },
  clockDays,
  watchdogIdle,
  ...rotationRows,
];

async function kill(rig: Rig, { random, scaled, say }: Tools) {
  const deaths = scaled(20);
  const inFlight: number[] = [];
  const kills = async () => {
    while (inFlight.length < deaths) {
      await rig.elapsed(random.whole(300, 2_000));
      const victim = random.pick(rig.dispatchers);
      await victim.kill();
      // The claims of the process stay in the table until their leases expire, so all of them are counted.
      inFlight.push(await rig.inFlight());
      await readyAgain(victim);
    }
    say(`in flight at each kill: ${inFlight.join(' ')}`);
  };
  await Promise.all([loadWhile(rig.load, { perSecond: 50 }, kills()), rig.load.burst(scaled(10_000))]);
  await rig.drain();
  const { expiredLeaseLateMs } = await rig.verdict();
  return {
    duplicatesAtMost: sum(inFlight),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [
      { what: 'deaths', value: deathsOf(rig), atLeast: deaths },
      { what: 'expired leases late', unit: 'ms' as const, value: expiredLeaseLateMs, atMost: AGAIN_WITHIN_MS },
    ],
  };
}

const LOST_LEASES_ALLOWED = 5;

async function poison(rig: Rig, { scaled, say }: Tools) {
  const nodeArgs = runFirst(dieOfAnswer, { header: 'x-poison' });
  await Promise.all(rig.dispatchers.map((dispatcher) => startAgain(dispatcher, nodeArgs)));
  const inFlight: number[] = [];
  const poisoned = await rig.addEndpoint({
    name: 'poison',
    loaded: false,
    endsAs: 'dead_letter',
    config: { timeoutSeconds: 2 },
    async behaviour() {
      inFlight.push(await rig.inFlight());
      say(`death ${inFlight.length}, ${inFlight.at(-1)} in flight`);
      return { status: 500, headers: { 'x-poison': '1' } };
    },
  });
  await rig.load.burst(1, { to: [{ eventType: poisoned.eventType, endpoints: ['poison'] }] });
  const where = { endpointId: poisoned.uuid };
  const quarantined = waitFor(async () => (await rig.db.delivery.findFirst({ where }))?.status === 'dead_letter', {
    what: 'the delivery to be quarantined',
    timeoutMs: 150_000,
  });
  await Promise.all([loadWhile(rig.load, { perSecond: 20 }, quarantined), rig.load.burst(scaled(2_000))]);
  const ended = await rig.db.delivery.findFirstOrThrow({ where });
  const deaths = deathsOf(rig);
  const marks: Mark[] = [
    // A first attempt that begins before its delivery has a row has no lease, so it may add one death.
    { what: 'deaths', value: deaths, atLeast: LOST_LEASES_ALLOWED, atMost: LOST_LEASES_ALLOWED + 1 },
    { what: 'quarantined', value: ended.failureReason === 'quarantined' ? 1 : 0, atLeast: 1 },
  ];
  return { duplicatesAtMost: sum(inFlight), retriesLateAtMostMs: AGAIN_WITHIN_MS, marks };
}

async function rollingRestarts(rig: Rig, { random, scaled, say }: Tools) {
  for (const [index, { name }] of rig.endpoints.slice(0, 3).entries()) {
    const delayMs = [500, 2_000, 5_000][index] ?? 0;
    rig.receivers.respond(name, () => ({ delayMs }));
  }
  const all = [...rig.dispatchers, ...rig.apis];
  const restarts: Restart[] = [];
  const turns = async () => {
    const wanted = Math.max(2, scaled(20));
    while (restarts.length < wanted) {
      await rig.elapsed(random.whole(0, 1_000));
      const member = all[restarts.length % all.length];
      if (member === undefined) throw new Error('no process runs');
      const ended = await restart(member);
      restarts.push(ended);
      say(`${member.name} ended with ${ended.code} after ${Math.round(ended.exitMs)} ms`);
    }
  };
  await loadWhile(rig.load, { perSecond: 30 }, turns());
  return { duplicatesAtMost: 0, marks: [...endedWell(restarts), serverErrors(rig)] };
}

async function repeatJobs(rig: Rig, { scaled, say }: Tools) {
  const deliveries = 10;
  const { uuid, name, eventType } = await rig.addEndpoint({
    name: 'once',
    loaded: false,
    config: { retrySchedule: [8, 1] },
    behaviour: ({ attempt }) => ({ status: attempt === 1 ? 500 : 200, delayMs: 300 }),
  });
  await rig.load.burst(deliveries, { to: [{ eventType, endpoints: [name] }] });
  const waiting = () => rig.db.delivery.count({ where: { endpointId: uuid, status: 'scheduled_retry' } });
  await waitFor(async () => (await waiting()) === deliveries, { what: 'the retries to wait' });
  const [enqueued] = await Promise.all([
    enqueueAgain(rig, { uuid, jobs: scaled(1_000) }),
    rig.load.burst(scaled(2_000)),
  ]);
  say(`${enqueued} jobs enqueued for ${deliveries} retries`);
  await rig.drain();
  const receipts = rig.receivers.receipts.filter(({ endpoint, attempt }) => endpoint === name && attempt === 2);
  const marks: Mark[] = [
    { what: 'jobs', value: enqueued, atLeast: deliveries * scaled(1_000) },
    { what: 'receipts', value: receipts.length, atMost: deliveries, atLeast: deliveries },
  ];
  return { duplicatesAtMost: 0, marks };
}

async function blockLoop(rig: Rig, { scaled, say }: Tools) {
  const forMs = 16_000;
  const [victim] = rig.dispatchers;
  if (victim === undefined) throw new Error('there is no dispatcher');
  await startAgain(victim, runFirst(blockOnSignal, { forMs }));
  for (const { name } of rig.endpoints.slice(0, 4)) rig.receivers.respond(name, () => ({ delayMs: 1_000 }));
  const inFlight: number[] = [];
  const blocks = async () => {
    for (let n = 0; n < scaled(5); n += 1) {
      await waitFor(async () => (await rig.inFlight()) > 10, { what: 'deliveries in flight' });
      process.kill(victim.pid() ?? 0, 'SIGUSR2');
      await rig.elapsed(200);
      inFlight.push(await rig.inFlight());
      say(`blocked, ${inFlight.at(-1)} in flight in all dispatchers`);
      await rig.elapsed(forMs + 2_000);
    }
  };
  await loadWhile(rig.load, { perSecond: 25 }, blocks());
  await rig.drain();
  return {
    duplicatesAtMost: sum(inFlight),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [{ what: 'receipts of one attempt', value: mostOfOneAttempt(rig), atMost: 2 }],
  };
}

/**
 * Suspends processes. By the time a process goes on, others hold its deliveries. It must neither send nor settle them.
 */
async function suspend(rig: Rig, { random, scaled, say }: Tools) {
  const forMs = 20_000;
  for (const { name } of rig.endpoints.slice(0, 4)) rig.receivers.respond(name, () => ({ delayMs: 1_000 }));
  const inFlight: number[] = [];
  const suspensions = async () => {
    for (let n = 0; n < scaled(5); n += 1) {
      await waitFor(async () => (await rig.inFlight()) > 10, { what: 'deliveries in flight', timeoutMs: 60_000 });
      const victims = [random.pick(rig.dispatchers), random.pick(rig.apis)].map((member) => member.pid() ?? 0);
      for (const pid of victims) process.kill(pid, 'SIGSTOP');
      try {
        inFlight.push(await rig.inFlight());
        say(`suspended, ${inFlight.at(-1)} in flight in all dispatchers`);
        await rig.elapsed(forMs);
      } finally {
        for (const pid of victims) process.kill(pid, 'SIGCONT');
      }
      await rig.elapsed(2_000);
    }
  };
  await loadWhile(rig.load, { perSecond: 25 }, suspensions());
  await rig.drain();
  return {
    duplicatesAtMost: sum(inFlight),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [
      { what: 'suspensions', value: inFlight.length, atLeast: scaled(5) },
      { what: 'receipts of one attempt', value: mostOfOneAttempt(rig), atMost: 2 },
      otherErrors(rig),
      noneEnded(rig),
    ],
  };
}

const HOUR_MS = 3_600_000;

async function shiftClocks(rig: Rig, { scaled, say }: Tools) {
  for (const byMs of [HOUR_MS, -HOUR_MS]) {
    const nodeArgs = runFirst(shiftClock, { byMs });
    const wrong = [...rig.apis.slice(0, 1), ...rig.dispatchers.slice(0, 1)];
    await Promise.all(wrong.map((member) => startAgain(member, nodeArgs)));
    say(`${wrong.map(({ name }) => name).join(' and ')} are wrong by ${byMs / HOUR_MS} h`);
    await rig.load.steady(40, Math.max(10, scaled(60)));
    await rig.drain();
  }
  return { duplicatesAtMost: 0, marks: [] };
}

async function startAgain(member: Member, nodeArgs: string[]): Promise<void> {
  await member.stop();
  await member.start({ nodeArgs });
}

/** The number of lives that ended by a signal. */
function deathsOf(rig: Rig): number {
  return sum(rig.dispatchers.map(({ exits }) => exits.filter((code) => code === null).length));
}

function mostOfOneAttempt(rig: Rig): number {
  const counts = new Map<string, number>();
  for (const { endpoint, eventId, attempt } of rig.receivers.receipts) {
    const name = `${endpoint} ${eventId} ${attempt}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
