import { fromId } from '@posthorn/contract/ids';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { loadWhile } from './restarts.ts';
import { startsOf } from './starts.ts';

const PER_SECOND = 20;
const WARM_UP_EVENTS = 5_000;

export const hangingRows: readonly Row[] = [
  {
    name: 'endpoint-hanging',
    fault: '500 endpoints hang, and one is healthy',
    pass: 'p99 of the healthy one ≤ 150 ms',
    withinMinutes: 14,
    rig: { gates: false },
    run: (rig, tools) => hang(rig, tools, { answerAtFirst: false, p99AtMostMs: 150 }),
  },
  {
    name: 'endpoints-begin-to-hang',
    fault: '500 endpoints that have answered before begin to hang, and one stays healthy',
    pass: 'p99 of the healthy one ≤ 1 s',
    withinMinutes: 14,
    rig: { gates: false },
    run: (rig, tools) => hang(rig, tools, { answerAtFirst: true, p99AtMostMs: 1_000 }),
  },
];

type Hanging = { answerAtFirst: boolean; p99AtMostMs: number };

async function hang(rig: Rig, { scaled, say }: Tools, { answerAtFirst, p99AtMostMs }: Hanging) {
  const [healthy] = await Promise.all([rig.addEndpoint({ name: 'healthy', loaded: false })]);
  const to = [{ eventType: healthy.eventType, endpoints: ['healthy'] }];
  const hanging = await addHanging(rig, Math.max(50, scaled(500)));
  const wide = [{ eventType: HANGING_TYPE, endpoints: hanging }];
  // Warm up, because cold processes would measure the compilation of V8.
  await rig.load.burst(scaled(WARM_UP_EVENTS), { to });
  if (answerAtFirst) await rig.load.burst(10, { to: wide, concurrency: 2 });
  await rig.drain();
  for (const name of hanging) rig.receivers.respond(name, () => ({ raw: () => undefined }));
  const seconds = Math.max(10, scaled(40));
  await rig.load.steady(PER_SECOND, 5, { to });
  const beganMs = Date.now();
  await rig.load.steady(PER_SECOND, seconds, { to });
  const hangsFromMs = Date.now();
  const loadBoth = () => loadWhile(rig.load, { perSecond: 1, to: wide }, rig.load.steady(PER_SECOND, seconds, { to }));
  await loadBoth();
  const endedMs = Date.now();
  const inFlight = await rig.inFlight();
  // From now on the endpoints answer, so that the row can end.
  for (const name of hanging) rig.receivers.respond(name, () => ({}));
  const between = (fromMs: number, untilMs: number) => quantile(startsOf(rig, 'healthy', { fromMs, untilMs }), 0.99);
  const baselineMs = between(beganMs, hangsFromMs);
  const besideMs = between(hangsFromMs, endedMs);
  say(
    `healthy p99 ${baselineMs} ms alone, ${besideMs} ms with ${hanging.length} hanging endpoints, ${inFlight} in flight`,
  );
  // Deferred deliveries return within five minutes.
  await rig.drain(8 * 60_000);
  // For comparison: the cost of as many endpoints that answer.
  const answersFromMs = Date.now();
  await loadBoth();
  const answeringMs = between(answersFromMs, Date.now());
  await rig.drain();
  return {
    duplicatesAtMost: 0,
    retriesLateAtMostMs: 120_000,
    marks: [
      { what: 'baseline p99', unit: 'ms' as const, value: baselineMs },
      { what: 'p99 when all answer', unit: 'ms' as const, value: answeringMs },
      { what: 'p99 with hanging endpoints', unit: 'ms' as const, value: besideMs, atMost: p99AtMostMs },
      { what: 'hanging at once', value: inFlight, atLeast: 20 },
    ],
  };
}

const HANGING_TYPE = 'load.hanging';

/** Adds `count` endpoints that all get every event of one type. */
async function addHanging(rig: Rig, count: number): Promise<string[]> {
  const { client, environmentId } = rig;
  await client.call('POST', '/event-types', { name: HANGING_TYPE, publishIn: [environmentId] });
  const types = await client.call<{ id: string; name: string }[]>('GET', '/event-types');
  const eventTypeIds = types.body.filter(({ name }) => name === HANGING_TYPE).map(({ id }) => id);
  const names = Array.from({ length: count }, (_, n) => `hanging-${n}`);
  const left = [...names];
  const add = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const wanted = { url: rig.receivers.urlOf(name), environmentId };
      const { body } = await client.call<{ id: string }>('POST', '/endpoints', wanted);
      await client.call('POST', `/endpoints/${body.id}/subscriptions`, { eventTypeIds });
      const uuid = fromId('ep', body.id) ?? '';
      rig.endpoints.push({ name, id: body.id, uuid, eventType: HANGING_TYPE });
    }
  };
  await Promise.all(Array.from({ length: 8 }, add));
  return names;
}
