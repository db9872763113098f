import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { createBacklog } from './scale-backlog.ts';

const DUE = 1_000_000;
const EMPTY_BURST = 10_000;
const LEAST_BURST = 1_000;
/** Enough rows to keep the dispatchers busy for some seconds. */
const USUAL = 20_000;
const QUIET_SECONDS = 5;
/** Time to warm up: the first seconds of a process are not typical. */
const WARM_UP_MS = 3_000;
const PER_SECOND = 50;
const LIST_EVERY_MS = 100;
const MEGABYTE = 1024 * 1024;

/** Measures the stack without a backlog, and then with a million overdue rows. */
export async function millionDue(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const endpoints = await Promise.all(
    Array.from({ length: 10 }, (_, n) => rig.addEndpoint({ name: `due-${n}`, loaded: false })),
  );
  const backlog = createBacklog(rig, { environmentId: rig.environmentId, endpoints });
  const to = endpoints.map(({ name, eventType }) => ({ eventType, endpoints: [name] }));
  const windowSeconds = Math.max(10, scaled(40));

  const burst = Math.max(LEAST_BURST, scaled(EMPTY_BURST));
  await rig.load.burst(LEAST_BURST, { to, concurrency: 32 });
  await rig.drain();
  const burstMs = Date.now();
  await rig.load.burst(burst, { to, concurrency: 32 });
  await rig.drain();
  const empty = backlog.arrived(burstMs, Date.now());
  const quiet = await watch(rig, QUIET_SECONDS);
  say(`empty: ${show(empty)}; ingest p99 ${quiet.ingestP99Ms} ms, list p99 ${quiet.listP99Ms.toFixed(0)} ms`);
  // The API is compared while the dispatchers are equally busy, because they share the cores with it and with
  // the load generator.
  await backlog.fill(Math.max(LEAST_BURST, scaled(USUAL)));
  await backlog.begun();
  const usual = await watch(rig, windowSeconds / 2);
  await rig.drain();
  say(`with a usual burst: ingest p99 ${usual.ingestP99Ms} ms, list p99 ${usual.listP99Ms.toFixed(0)} ms`);

  const due = scaled(DUE);
  await backlog.fill(due);
  say(`${due} rows are due`);
  await backlog.begun();
  await rig.elapsed(WARM_UP_MS);
  // The drain rate is measured without other load, as without a backlog. The interface is measured afterwards.
  const beganMs = Date.now();
  await rig.elapsed((windowSeconds / 2) * 1_000);
  const drained = backlog.arrived(beganMs, Date.now());
  const busy = await watch(rig, windowSeconds);
  say(
    `with them: ${show(drained)}; list p99 ${busy.listP99Ms.toFixed(0)} ms; ${await backlog.removeRest()} of them taken away`,
  );
  await rig.drain();
  await backlog.account();
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'ingest p99', unit: 'ms', value: busy.ingestP99Ms, atMost: 2 * Math.max(1, usual.ingestP99Ms) },
      { what: 'list p99', unit: 'ms', value: busy.listP99Ms, atMost: 100 },
      ...(rig.shape === 'scaled' ? [{ what: 'Redis MB', value: busy.redisMegabytes, atMost: 100 }] : []),
      { what: 'drain rate, % of the usual one', value: (100 * drained.perSecond) / empty.perSecond, atLeast: 90 },
      noFaults('5xx or no answer', rig, busy.listFaults),
    ],
  };
}

type Watched = { ingestP99Ms: number; listP99Ms: number; listFaults: number; redisMegabytes: number };

/** Runs a steady load and reads lists. Also returns the peak memory of Redis. */
async function watch(rig: Rig, seconds: number): Promise<Watched> {
  const before = rig.load.answers.length;
  const lists: { status: number; afterMs: number }[] = [];
  const memory: number[] = [];
  let over = false;
  const [endpoint] = rig.endpoints;
  const paths = [
    '/deliveries',
    '/deliveries?status=pending',
    '/deliveries?status=failed',
    `/endpoints/${endpoint?.id}/deliveries`,
  ];
  const read = async () => {
    for (let n = 0; !over; n += 1) {
      const base = `${rig.apis[n % rig.apis.length]?.url}/management/v1/workspaces/${rig.workspaceId}`;
      lists.push(await ask('GET', base + (paths[n % paths.length] ?? ''), { token: rig.managementToken }));
      if (n % 10 === 0) memory.push(await usedMemory(rig));
      await rig.elapsed(LIST_EVERY_MS);
    }
  };
  const reading = read();
  await rig.load.steady(PER_SECOND, seconds);
  over = true;
  await reading;
  return {
    ingestP99Ms: quantile(
      rig.load.answers.slice(before).map(({ afterMs }) => afterMs),
      0.99,
    ),
    listP99Ms: quantile(
      lists.map(({ afterMs }) => afterMs),
      0.99,
    ),
    listFaults: lists.filter(({ status }) => status !== 200).length,
    redisMegabytes: Math.max(...memory) / MEGABYTE,
  };
}

async function usedMemory(rig: Rig): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(String(await rig.redis.ask('INFO', 'memory')))?.[1]);
}

function noFaults(what: string, rig: Rig, listFaults: number): Mark {
  const failed = rig.load.answers.filter(({ status }) => status >= 500 || status === 0).length;
  return { what, value: failed + listFaults, atMost: 0 };
}

function show({ count, perSecond }: { count: number; perSecond: number }): string {
  return `${count} delivered, ${perSecond.toFixed(0)}/s`;
}
