import { withConnection } from '@posthorn/db/connection';
import { channelOf } from '@posthorn/queue/postgres/bus';
import { onServer } from '@posthorn/testkit/database';
import { findPostgres } from '@posthorn/testkit/postgres-server';
import type { TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import { type Mark, type Outcome, type Row, type Tools, TWO_SERVICES, WITHOUT_REDIS } from '../row.ts';
import type { StatementMoment, StatementName } from '../statement-watch.ts';
import { ask } from './ask.ts';
import { createInFlight, noneEnded, noServerErrors, otherErrors } from './marks.ts';
import { loadWhile, readyAgain } from './restarts.ts';

const PER_SECOND = 50;
const DEATHS = 20;
const AWAY_SECONDS = 30;
/** The shortest fault. A bus notices only after 10 s that no message arrives. */
const LEAST_AWAY_SECONDS = 15;
/** The limit of a first attempt. An offer that nobody takes ends after 3 s. */
const FIRST_WITHIN_MS = 5_000;
/** The limit of an attempt after the lease of a dispatcher that died. */
const AGAIN_WITHIN_MS = 30_000;
const ONE_OF = 10;
const PASS = 'lost 0, duplicates 0, no 5xx, no process ends, first attempts ≤ 5 s';

/** Faults of the messages between processes that have only Postgres in common (docs/adr/0024). */
export const busRows: readonly Row[] = [
  {
    name: 'bus-cut',
    fault: `every connection for messages ended 20 times at ${PER_SECOND} events/s and in 2,000 events`,
    pass: PASS,
    shapes: WITHOUT_REDIS,
    rig: { shape: 'postgres' },
    run: (rig, { random, scaled }) =>
      undisturbed(rig, scaled, async () => {
        for (let n = 0; n < scaled(20); n += 1) {
          await rig.elapsed(random.whole(300, 1_500));
          await cutBus(rig);
        }
        return [];
      }),
  },
  ...(['silent', 'refused'] as const).map((how) => ({
    name: `bus-${how}`,
    fault: `every connection for messages is ${how === 'silent' ? 'silent, new ones too,' : 'refused'} for ${AWAY_SECONDS} s at ${PER_SECOND} events/s and in 2,000 events`,
    pass: PASS,
    shapes: WITHOUT_REDIS,
    rig: { shape: 'postgres' as const },
    run: (rig: Rig, tools: Tools) =>
      undisturbed(rig, tools.scaled, () =>
        busAway(rig, tools, {
          begin: how === 'silent' ? (gate) => gate.freeze() : (gate) => gate.shut(),
          end: how === 'silent' ? (gate) => gate.thaw() : (gate) => gate.open(),
        }),
      ),
  })),
  {
    name: 'bus-lossy',
    fault: `one of ${ONE_OF} messages does not arrive, at ${PER_SECOND} events/s for 40 s and in 2,000 events`,
    pass: PASS,
    shapes: WITHOUT_REDIS,
    rig: { shape: 'postgres' },
    run: (rig, { scaled }) =>
      undisturbed(rig, scaled, async () => {
        for (const { statements } of membersOf(rig)) statements.loseNotifications(ONE_OF);
        await cutBus(rig);
        await rig.elapsed(scaled(40) * 1_000);
        const lost = membersOf(rig).reduce((sum, { statements }) => sum + statements.lostNotifications(), 0);
        // A process that runs both services hands nothing over by a message.
        return [{ what: 'messages lost', value: lost, ...(rig.shape === 'postgres' && { atLeast: 1 }) }];
      }),
  },
  {
    name: 'notify-queue-full',
    fault: `Postgres' queue of notifications, of 64 pages, is full for ${AWAY_SECONDS} s at ${PER_SECOND} events/s and in 2,000 events`,
    pass: `${PASS}, messages arrive again ≤ 10 s after`,
    shapes: WITHOUT_REDIS,
    missing: missesQueueLimit,
    rig: { shape: 'postgres', postgresSettings: { max_notify_queue_pages: '64' } },
    run: (rig, tools) => undisturbed(rig, tools.scaled, () => fillQueue(rig, tools)),
  },
  {
    name: 'offer-lost',
    fault: `an API is killed ${DEATHS} times after its commit and answer, and before Postgres has its message with the offer`,
    pass: 'lost 0, duplicates 0, first attempts ≤ 5 s',
    shapes: ['postgres'],
    rig: { shape: 'postgres' },
    run: (rig, tools) => dieAtOffers(rig, tools, { of: rig.apis, at: 'offer', moment: 'before' }),
  },
  {
    name: 'offer-taker-killed',
    fault: `a dispatcher is killed ${DEATHS} times after it has read the deliveries that it was offered`,
    pass: 'lost 0, duplicates ≤ in flight at each death, first attempts ≤ 5 s (p99), ≤ 30 s (those that the dead had claimed)',
    shapes: TWO_SERVICES,
    rig: { shape: 'postgres' },
    run: (rig, tools) => dieAtOffers(rig, tools, { of: rig.dispatchers, at: 'take', moment: 'after' }),
  },
  {
    name: 'listener-stopped',
    fault: `a process is suspended (SIGSTOP) for 60 s at ${PER_SECOND} events/s, while 3 MB/s of messages are sent to it`,
    pass: 'Postgres cuts its connection ≤ 30 s after, its queue of notifications is used by < 1 %, lost 0, duplicates ≤ in flight at the suspension, no process ends',
    shapes: WITHOUT_REDIS,
    // A gate would keep reading while the process does not.
    rig: { shape: 'postgres', gates: false },
    run: stopListener,
  },
];

/** All processes, each once: if each of them runs both services, it is in both lists. */
const membersOf = ({ apis, dispatchers }: Rig): Member[] => [...new Set([...apis, ...dispatchers])];

export async function cutBus({ db }: Rig): Promise<void> {
  await db.$executeRaw`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'posthorn-bus'`;
}

/** Sends events while the fault lasts, and for some seconds after it. */
async function undisturbed(rig: Rig, scaled: Tools['scaled'], fault: () => Promise<Mark[]>): Promise<Outcome> {
  const work = async () => {
    await rig.elapsed(2_000);
    const marks = await fault();
    await rig.elapsed(3_000);
    return marks;
  };
  const [marks] = await Promise.all([
    loadWhile(rig.load, { perSecond: PER_SECOND }, work()),
    rig.load.burst(scaled(2_000)),
  ]);
  await rig.drain();
  return {
    duplicatesAtMost: 0,
    marks: [await firstAttempts(rig), noServerErrors(rig), noneEnded(rig), ...marks],
  };
}

async function firstAttempts(rig: Rig): Promise<Mark> {
  const { firstLateMs } = await rig.verdict();
  return { what: 'latest first attempt', unit: 'ms', value: firstLateMs, atMost: FIRST_WITHIN_MS };
}

/** A dispatcher that dies may also hold a delivery that it has claimed, because an earlier offer of it had ended. */
async function firstAttemptsAfter(rig: Rig, died: readonly Member[]): Promise<Mark[]> {
  const { firstLateP99Ms } = await rig.verdict();
  const latest = await firstAttempts(rig);
  return [
    { what: 'first attempt p99', unit: 'ms', value: firstLateP99Ms, atMost: FIRST_WITHIN_MS },
    died === rig.dispatchers ? { ...latest, atMost: AGAIN_WITHIN_MS } : latest,
  ];
}

type Away = Record<'begin' | 'end', (gate: TcpGate) => unknown>;

async function busAway(rig: Rig, { scaled, say }: Tools, { begin, end }: Away): Promise<Mark[]> {
  const members = membersOf(rig);
  for (const { bus } of members) await begin(bus);
  await rig.elapsed(Math.max(LEAST_AWAY_SECONDS, scaled(AWAY_SECONDS)) * 1_000);
  const down = rig.dispatchers.length - (await busesUp(rig));
  for (const { bus } of members) await end(bus);
  const upAgainMs = await untilBusesAreUp(rig);
  say(`${down} dispatchers had no bus; messages arrive again ${upAgainMs} ms after`);
  return [
    { what: 'dispatchers without a bus', value: down, atLeast: rig.dispatchers.length },
    { what: 'messages arrive again', unit: 'ms', value: upAgainMs, atMost: UP_AGAIN_WITHIN_MS },
  ];
}

/** The limit until all buses work again. A bus waits at most 2 s before its next connection. */
const UP_AGAIN_WITHIN_MS = 10_000;

async function untilBusesAreUp(rig: Rig): Promise<number> {
  const fromMs = Date.now();
  const areUp = async () => (await busesUp(rig)) === rig.dispatchers.length;
  await waitFor(areUp, { what: 'the buses', timeoutMs: UP_AGAIN_WITHIN_MS }).catch(() => undefined); // A mark shows it.
  return Date.now() - fromMs;
}

async function busesUp({ dispatchers }: Rig): Promise<number> {
  const texts = await Promise.all(dispatchers.map(({ metricsUrl }) => ask('GET', `${metricsUrl}/metrics`)));
  return texts.filter(({ text }) => /^posthorn_bus_up 1$/m.test(text)).length;
}

async function missesQueueLimit(): Promise<string | undefined> {
  const setting = `select current_setting('max_notify_queue_pages', true) as pages`;
  const [row] = await onServer(process.env.TEST_DATABASE_URL ?? '', setting);
  if (row?.pages == null) return 'Postgres has max_notify_queue_pages from version 17 on';
  return (await findPostgres()) === undefined ? 'the programs of this Postgres are not on this machine' : undefined;
}

/**
 * Fills the queue of notifications. A session that listens and stays in a transaction reads nothing, so
 * nothing is freed.
 */
async function fillQueue(rig: Rig, { scaled, say }: Tools): Promise<Mark[]> {
  const isRefused = await withConnection(rig.databaseUrl, async (reader) => {
    await reader.query('listen nobody_reads');
    await reader.query('begin');
    await reader.query('select 1');
    const refused = await withConnection(rig.databaseUrl, async (writer) => {
      try {
        // These are more messages than the queue has room for.
        for (let n = 0; n < 100; n += 1) await writer.query(`select pg_notify('nobody_reads', repeat('x', 7900))`);
        return false;
      } catch {
        return true;
      }
    });
    say(refused ? 'the queue is full' : 'the queue has room');
    await rig.elapsed(scaled(AWAY_SECONDS) * 1_000);
    await reader.query('rollback');
    return refused;
  });
  return [
    { what: 'full', value: isRefused ? 1 : 0, atLeast: 1 },
    { what: 'messages arrive again', unit: 'ms', value: await untilBusesAreUp(rig), atMost: UP_AGAIN_WITHIN_MS },
  ];
}

type Dying = { of: readonly Member[]; at: StatementName; moment: StatementMoment };

async function dieAtOffers(rig: Rig, { scaled }: Tools, { of, at, moment }: Dying): Promise<Outcome> {
  const inFlight = createInFlight(rig);
  const deaths = scaled(DEATHS);
  for (let n = 0; n < deaths; n += 1) {
    const victim = of[n % of.length];
    if (victim === undefined) throw new Error('no process runs');
    let died: Promise<unknown> | undefined;
    const trap = victim.statements.at(at, moment, () => {
      died = victim.kill();
      return false;
    });
    const offered = async () => {
      // No event is offered while the bus of its process is away.
      await rig.load.burst(10);
      return died !== undefined;
    };
    await waitFor(offered, { what: `an offer at ${victim.name}`, timeoutMs: 60_000 });
    await Promise.all([trap, died]);
    if (rig.dispatchers.includes(victim)) await inFlight.note();
    await readyAgain(victim);
  }
  await rig.load.burst(scaled(500));
  await rig.drain();
  const died = of.reduce((sum, { exits }) => sum + exits.length, 0);
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [{ what: 'deaths', value: died, atLeast: deaths }, ...(await firstAttemptsAfter(rig, of)), otherErrors(rig)],
  };
}

const STOPPED_SECONDS = 60;
/** The shortest suspension. After less, the queue would not show a connection that is not cut. */
const LEAST_STOPPED_SECONDS = 45;
const MESSAGES_A_TURN = 38;
const TURN_MS = 100;

async function stopListener(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const victim = random.pick(rig.dispatchers);
  const inFlight = createInFlight(rig);
  const seen = { most: 0, cutAfterMs: Number.POSITIVE_INFINITY };
  const stopped = async () => {
    await rig.elapsed(2_000);
    const pid = victim.pid();
    if (pid === undefined) throw new Error(`${victim.name} does not run`);
    process.kill(pid, 'SIGSTOP');
    try {
      await inFlight.note();
      const before = await readQueue(rig);
      const fromMs = Date.now();
      const channel = channelOf(await silentWorker(rig));
      await withConnection(rig.databaseUrl, async (sender) => {
        const untilMs = fromMs + Math.max(LEAST_STOPPED_SECONDS, scaled(STOPPED_SECONDS)) * 1_000;
        for (let turn = 0; Date.now() < untilMs; turn += 1) {
          await sender.query(
            `select pg_notify($1, repeat('x', 7900 - length(n::text)) || n) from generate_series(1, $2::int) n`,
            [channel, MESSAGES_A_TURN],
          );
          await rig.elapsed(TURN_MS);
          if (turn % 10 !== 0) continue;
          const { usage, buses } = await readQueue(rig);
          seen.most = Math.max(seen.most, usage);
          if (buses < before.buses) seen.cutAfterMs = Math.min(seen.cutAfterMs, Date.now() - fromMs);
        }
      });
      say(`${victim.name} was cut after ${seen.cutAfterMs} ms; at most ${(100 * seen.most).toFixed(2)} % of the queue`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await rig.elapsed(3_000);
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, stopped());
  await rig.drain();
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [
      { what: 'cut after', unit: 'ms', value: seen.cutAfterMs, atMost: 30_000 },
      { what: 'queue of notifications, most in %', value: 100 * seen.most, atMost: 1 },
      otherErrors(rig),
      noneEnded(rig),
    ],
  };
}

async function readQueue({ db }: Rig): Promise<{ usage: number; buses: number }> {
  const [row] = await db.$queryRaw<{ usage: number; buses: number }[]>`
    select pg_notification_queue_usage() as usage, (select count(*)::int from pg_stat_activity
      where datname = current_database() and application_name = 'posthorn-bus') as buses`;
  return row ?? { usage: 0, buses: 0 };
}

/** The id of the process that has stopped telling the others that it lives. */
async function silentWorker({ db }: Rig): Promise<string> {
  const found = async () => {
    const [row] = await db.$queryRaw<{ id: string }[]>`
      select id from worker where seen_at < now() - interval '2 seconds' order by seen_at limit 1`;
    return row?.id;
  };
  return await waitFor(found, { what: 'the process to be silent' });
}
