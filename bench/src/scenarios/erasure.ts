import { setTimeout as pause } from 'node:timers/promises';
import { createDb } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { insertDelivered } from '../backlog.ts';
import { percentile, timeFigures } from '../figures.ts';
import { now, postSteadily } from '../load.ts';
import { type Management, managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Stack, withStack } from '../stack.ts';
import { latencies } from './latency.ts';

/** The number of events. `BENCH_ERASED` sets another. */
const EVENTS = Number(process.env.BENCH_ERASED ?? 1_000_000);
const PROBES_PER_SECOND = 50;
const WARM_UP_SECONDS = 10;
const LOOK_MS = 200;
/** The dispatcher is killed when these shares of the remaining events are erased. */
const KILLED_AT = [1 / 3, 2 / 3];
const GIVE_UP_MS = 3_600_000;

export const erasure: Scenario = {
  name: 'erasure',
  what: `${EVENTS.toLocaleString('en-US')} events of a customer erased, with two kills of the dispatcher: its time, and new events of another tenant meanwhile`,
  // An erasure pauses between its turns: a million events take about 7 minutes.
  moreSeconds: 900,
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

type Operation = { id: string; status: string; matched: number | null; enqueued: number };

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(1, stack.tls);
  try {
    const api = await stack.startApi();
    const manage = managementOf(api, stack);
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const customer = await manage<{ id: string }>('POST', '/applications', { name: 'Customer' });
    const path = `/applications/${customer.id}/endpoints`;
    const endpoint = await manage<{ id: string }>('POST', path, { url: urls[0] });
    say(`inserting ${EVENTS.toLocaleString('en-US')} events, with their deliveries and attempts`);
    await insertDelivered(stack, { applicationId: customer.id, endpointId: endpoint.id }, EVENTS);
    const tenant = await anotherTenant(stack);
    const { ingest } = await oneEndpointEach(managementOf(api, tenant), {
      stack: tenant,
      apis: [api],
      urls,
      name: 'other',
    });
    const dispatcher = await stack.startDispatcher();
    await postSteadily(ingest, PROBES_PER_SECOND, WARM_UP_SECONDS);
    say('without an erasure');
    const quiet = await latencies({ ingest }, { receivers, perSecond: PROBES_PER_SECOND, seconds });
    say('during the erasure');
    const startedAt = now();
    const { id } = await manage<Operation>('POST', '/erasures', { applicationId: customer.id });
    const busy = await latencies({ ingest }, { receivers, perSecond: PROBES_PER_SECOND, seconds });
    const during = await read(manage, id);
    say('to its end, with two kills');
    const { kills, seen } = await untilEnd(manage, id, { stack, dispatcher });
    const took = (now() - startedAt) / 1_000;
    return {
      figures: [
        { figure: 'to the end', value: took, unit: 's' },
        { figure: 'erased', value: EVENTS / took, unit: '/s' },
        { figure: 'left when the measurement of latency ended', value: EVENTS - during.enqueued, unit: '' },
        { figure: 'kills', value: kills, unit: '' },
        { figure: 'steps of progress seen', value: seen, unit: '' },
        { figure: 'payloads left', value: await countLeft(stack, endpoint.id), unit: '' },
        ...timeFigures('another tenant, no erasure', quiet.arrived),
        ...timeFigures('another tenant, erasure', busy.arrived),
        {
          figure: 'another tenant, p99 against none',
          value: percentile(busy.arrived, 99) / percentile(quiet.arrived, 99),
          unit: '×',
        },
        { figure: 'not arrived within 2 s', value: busy.missing, unit: '' },
      ],
    };
  } finally {
    await receivers.close();
  }
}

/** Another workspace of the installation, with its own credentials. */
async function anotherTenant(stack: Stack): Promise<Stack> {
  const db = createDb({ databaseUrl: stack.databaseUrl, maxConnections: 1, onIdleError: () => {} });
  try {
    return { ...stack, ...(await seedWorkspace(db)) };
  } finally {
    await db.$disconnect();
  }
}

function read(manage: Management, id: string): Promise<Operation> {
  return manage<Operation>('GET', `/operations/${id}`);
}

type Killed = { stack: Stack; dispatcher: ServiceProcess };

/** Reads the progress until the operation has ended, and kills the dispatcher on the way. */
async function untilEnd(manage: Management, id: string, { stack, dispatcher }: Killed) {
  const first = await read(manage, id);
  const left = EVENTS - first.enqueued;
  const killAt = KILLED_AT.map((share) => first.enqueued + share * left);
  const progress = new Set([first.enqueued]);
  let running = dispatcher;
  let kills = 0;
  for (const until = now() + GIVE_UP_MS; now() < until; await pause(LOOK_MS)) {
    const { status, enqueued } = await read(manage, id);
    progress.add(enqueued);
    if (status === 'completed') break;
    if (enqueued < (killAt[kills] ?? Infinity)) continue;
    kills += 1;
    await running.end('SIGKILL');
    running = await stack.startDispatcher();
  }
  return { kills, seen: progress.size };
}

/** The number of the customer's payloads and attempts that could still be read. */
function countLeft(stack: Stack, endpointId: string): Promise<number> {
  return withConnection(stack.databaseUrl, async (connection) => {
    const { rows } = await connection.query<{ left: string }>(
      `select (select count(*) from event where event_type = 'bench.erased' and payload is not null)
         + (select count(*) from attempt where url = $1) as left`,
      [`https://customer.example/${endpointId}`],
    );
    return Number(rows[0]?.left);
  });
}
