import { withConnection } from '@posthorn/db/connection';
import type { Figure } from '../figures.ts';
import { type Burst, burst, LEAD_IN_SECONDS, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { managementOf, oneEndpointEach } from '../management.ts';
import { startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario, Table } from '../scenario.ts';
import { type Stack, withStack } from '../stack.ts';
import { countStatements, statementsOf, statementsTable } from '../statements.ts';

const ENDPOINTS = 10;
const KEYS = 1_000;
/** The number of keys for the burst in which nearly every event finds an open delivery of its key. */
const FEW_KEYS = 100;
/** Deliveries that wait behind a head that is not sent, for the last burst. */
const WAITING = 100_000;

export const fifo: Scenario = {
  name: 'fifo',
  what: 'events with 1,000 ordering keys to ten fifo endpoints, posted at full rate, compared with events without order',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(ENDPOINTS, stack.tls);
  await countStatements(stack.databaseUrl);
  try {
    const [api, dispatcher] = [await stack.startApi(), await stack.startDispatcher()];
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const common = { stack, apis: [api], urls };
    const manage = managementOf(api, stack);
    const plain = await oneEndpointEach(manage, { ...common, name: 'plain' });
    const config = { ordering: 'fifo' };
    const ordered = await oneEndpointEach(manage, { ...common, name: 'fifo', config });
    const orderingKeys = Array.from({ length: KEYS }, (_, index) => `key-${index}`);
    const options = { receivers, processes: [api, dispatcher, ...stack.stores] };
    const few = { ...ordered.ingest, orderingKeys: orderingKeys.slice(0, FEW_KEYS) };
    const sides = { none: plain.ingest, fifo: { ...ordered.ingest, orderingKeys }, few };
    for (const ingest of Object.values(sides)) await burst({ ...options, ingest, seconds: WARM_UP_SECONDS });
    const bursts: Record<keyof typeof sides, Burst[]> = { none: [], fifo: [], few: [] };
    const tables: Partial<Record<keyof typeof sides, Table>> = {};
    for (const side of ['none', 'fifo', 'few', 'few', 'fifo', 'none'] as const) {
      say(side);
      await burst({ ...options, ingest: sides[side], seconds: LEAD_IN_SECONDS });
      const found = await statementsOf(stack.databaseUrl, async () => {
        bursts[side].push(await burst({ ...options, ingest: sides[side], seconds: seconds / 2 }));
      });
      const delivered = bursts[side].at(-1)?.delivered ?? 1;
      tables[side] = statementsTable(`Statements, ${side}`, found, delivered);
    }
    say('beside a full key');
    await fillOneKey(stack);
    await burst({ ...options, ingest: sides.fifo, seconds: LEAD_IN_SECONDS });
    const beside = together([await burst({ ...options, ingest: sides.fifo, seconds: seconds / 2 })]);
    const measured = { none: together(bursts.none), ordered: together(bursts.fifo), few: together(bursts.few), beside };
    return { ...answer(measured), tables: Object.values(tables) };
  } finally {
    await receivers.close();
  }
}

/**
 * Adds deliveries of one key at one of the endpoints: a head that is due in an hour, and deliveries that wait for it.
 */
async function fillOneKey({ databaseUrl }: Stack): Promise<void> {
  await withConnection(databaseUrl, async (connection) => {
    await connection.query(
      `insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, ordering_key,
         ordering_number)
       select key, key, p.id, p.workspace_id, p.environment_id, 'bench.waits',
         now() + case n when 0 then interval '1 hour' else interval '0' end, 'full', n + 1
       from generate_series(0, $1::int) as n
       cross join (select * from endpoint where is_fifo order by id limit 1) p
       cross join lateral (select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008'
         || lpad(to_hex(n), 15, '0'))::uuid as key) k
       order by n`,
      [WAITING],
    );
    // Otherwise Postgres would do both while the burst is measured.
    await connection.query('vacuum analyze delivery, ordered_delivery');
    await connection.query('checkpoint');
  });
}

type Side = ReturnType<typeof together>;

function answer({ none, ordered, few, beside }: Record<'none' | 'ordered' | 'few' | 'beside', Side>): Outcome {
  const bars = [
    { name: `${KEYS} keys in order`, value: ordered.deliveredPerSecond },
    { name: 'without order', value: none.deliveredPerSecond, faint: true },
  ];
  return {
    figures: [
      { figure: 'delivered in order', value: ordered.deliveredPerSecond, unit: '/s' },
      { figure: 'delivered without order', value: none.deliveredPerSecond, unit: '/s' },
      { figure: 'against no order', value: ordered.deliveredPerSecond / none.deliveredPerSecond, unit: '×' },
      {
        figure: `${FEW_KEYS} keys in order, against no order`,
        value: few.deliveredPerSecond / none.deliveredPerSecond,
        unit: '×',
      },
      { figure: 'accepted but not delivered', value: ordered.lost + few.lost + beside.lost, unit: '' },
      {
        figure: `beside a key in which ${WAITING} wait, against without`,
        value: beside.deliveredPerSecond / ordered.deliveredPerSecond,
        unit: '×',
      },
      ...cpuOf(ordered, 'an event in order'),
      ...cpuOf(none, 'an event without order'),
    ],
    plot: { kind: 'bars', title: 'Deliveries per second, with and without order', unit: '/s', bars },
  };
}

function cpuOf({ cpuPerEvent }: Side, event: string): Figure[] {
  return [...cpuPerEvent].map(([name, value]) => ({ figure: `CPU ${name}, ${event}`, value, unit: 'µs' }));
}
