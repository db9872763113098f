import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Load, Target } from '../load.ts';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { addOtherWorkspace, sendBatches } from './other-workspace.ts';
import { loadWhile } from './restarts.ts';
import { startsOf } from './starts.ts';

const EVENTS = 100_000;
const WARM_UP_EVENTS = 5_000;
const START_P99_MS = 2_000;

export const floodRows: readonly Row[] = [
  {
    name: 'flood-workspace',
    fault: `one workspace sends 100,000 events at once, and another one a second, after ${WARM_UP_EVENTS.toLocaleString('en')} events`,
    pass: 'p99 start of the other ≤ 2 s',
    rig: { endpoints: 1, gates: false },
    run: (rig, tools) => flood(rig, tools, addSingleWorkspace),
  },
  {
    name: 'flood-endpoint',
    fault: `one endpoint gets 100,000 events at once, and another one a second, after ${WARM_UP_EVENTS.toLocaleString('en')} events`,
    pass: 'p99 start of the other ≤ 2 s',
    rig: { endpoints: 1, gates: false },
    run: (rig, tools) => flood(rig, tools, addOtherEndpoint),
  },
];

/** The load of one event a second, and its target. */
type Other = { load: Load; target: Target };

async function flood(rig: Rig, tools: Tools, addOther: (rig: Rig, tools: Tools) => Promise<Other>) {
  const { scaled, say } = tools;
  // Warm processes: in the first seconds of a process, half of its work is V8's compilation.
  await rig.load.burst(scaled(WARM_UP_EVENTS));
  await rig.drain();
  const { eventType } = await rig.addEndpoint({ name: 'flooded', loaded: false });
  const { load, target } = await addOther(rig, tools);
  let delivered = 0;
  rig.receivers.onReceipt(({ endpoint }) => {
    if (endpoint === 'flooded') delivered += 1;
  });
  const beganMs = performance.now();
  const sendAll = async () => {
    const targets = [{ eventType, endpoints: ['flooded'] }];
    await sendBatches(rig, { apiKey: rig.apiKey, targets, events: scaled(EVENTS) });
    say(`the flood is accepted after ${Math.round(performance.now() - beganMs)} ms`);
    await waitFor(() => delivered >= scaled(EVENTS), {
      what: 'the flood to be delivered',
      timeoutMs: 400_000,
    });
  };
  await loadWhile(load, { perSecond: 1, to: [target] }, sendAll());
  const seconds = (performance.now() - beganMs) / 1_000;
  const starts = startsOf(rig, 'single');
  const fannedOutMs = await fannedOutAfter(rig);
  say(`${Math.round(scaled(EVENTS) / seconds)} per second, ${starts.length} single events during the flood`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'p99 start', unit: 'ms' as const, value: quantile(starts, 0.99), atMost: START_P99_MS },
      { what: 'p99 fanned out', unit: 'ms' as const, value: fannedOutMs },
      { what: 'flood per second', value: scaled(EVENTS) / seconds },
    ],
  };
}

/** The time from the acceptance of the single events until their deliveries are made. */
async function fannedOutAfter(rig: Rig): Promise<number> {
  const { uuid } = rig.endpoints.find(({ name }) => name === 'single') ?? {};
  const rows = await rig.db.$queryRaw<{ event_id: string; at_ms: number }[]>`
    select event_id, extract(epoch from at)::float8 * 1000 as at_ms from fault_move
    where was is null and endpoint_id = ${uuid}::uuid`;
  const acceptedAtMs = new Map(rig.load.sent.map((event) => [event.eventId, event.acceptedAtMs]));
  return quantile(
    rows.map(({ event_id, at_ms }) => at_ms - (acceptedAtMs.get(toId('msg', event_id)) ?? at_ms)),
    0.99,
  );
}

async function addOtherEndpoint(rig: Rig): Promise<Other> {
  const { eventType } = await rig.addEndpoint({ name: 'single', loaded: false });
  return { load: rig.load, target: { eventType, endpoints: ['single'] } };
}

async function addSingleWorkspace(rig: Rig, { random }: Tools): Promise<Other> {
  const { load, addEndpoint } = await addOtherWorkspace(rig, random);
  const { eventType, name } = await addEndpoint({ name: 'single' });
  return { load, target: { eventType, endpoints: [name] } };
}
