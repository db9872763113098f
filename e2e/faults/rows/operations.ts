import { fromId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import { flaky } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { createInFlight, type InFlight } from './marks.ts';
import { loadWhile, readyAgain } from './restarts.ts';

/** The number of events. About half of them end as dead letters. */
const EVENTS = 40_000;
const FAULTS = 40;
const PER_SECOND = 50;
const WITHIN_MINUTES = 15;
const ENDS_WITHIN_MS = 300_000;

export const operationRows: readonly Row[] = [
  {
    name: 'recovery-killed',
    fault: `APIs and dispatchers are killed ${FAULTS} times while ${EVENTS / 2} dead letters are recovered`,
    pass: 'each recovered once, none left, duplicates ≤ in flight at each kill',
    withinMinutes: WITHIN_MINUTES,
    run: (rig, tools) =>
      recoverWhile(rig, tools, async (inFlight) => {
        const victim = tools.random.pick([...rig.apis, ...rig.dispatchers]);
        await victim.kill();
        await inFlight.note();
        await readyAgain(victim);
      }),
  },
  {
    name: 'operations-redis-flush',
    fault: `Redis is flushed ${FAULTS} times while ${EVENTS / 2} dead letters are recovered`,
    pass: 'each recovered once, none left, duplicates ≤ in flight at each flush',
    withinMinutes: WITHIN_MINUTES,
    run: (rig, tools) =>
      recoverWhile(rig, tools, async (inFlight) => {
        await inFlight.note();
        await rig.redis.flush();
      }),
  },
];

/** Makes dead letters, and recovers them while the fault is repeated and other events arrive. */
async function recoverWhile(
  rig: Rig,
  { random, scaled, say }: Tools,
  fault: (inFlight: InFlight) => Promise<void>,
): Promise<Outcome> {
  const endpoint = await rig.addEndpoint({
    name: 'recovered',
    config: { retrySchedule: [] },
    // Every other delivery is refused at its first attempt, and there is no second attempt.
    behaviour: flaky,
    loaded: false,
  });
  await rig.load.burst(scaled(EVENTS), { to: [{ eventType: endpoint.eventType, endpoints: [endpoint.name] }] });
  await rig.drain();
  const deadLetters = await countDeadLetters(rig, endpoint);
  const operationId = await startRecovery(rig, endpoint);
  const isOver = async () => (await readOperation(rig, operationId)).finishedAt !== null;
  const inFlight = createInFlight(rig);
  let faults = 0;
  const repeat = async () => {
    while (faults < Math.max(2, scaled(FAULTS)) && (faults === 0 || !(await isOver()))) {
      await rig.elapsed(random.whole(300, 2_000));
      await fault(inFlight);
      faults += 1;
    }
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, repeat());
  await waitFor(isOver, { what: 'the recovery to end', timeoutMs: ENDS_WITHIN_MS });
  await rig.drain();
  const { status, matched, enqueued, delivered } = await readOperation(rig, operationId);
  say(`${faults} faults, ${status}: matched ${matched}, enqueued ${enqueued}, delivered ${delivered}`);
  return {
    duplicatesAtMost: inFlight.count(),
    // The claims of a dead dispatcher become free when their leases end.
    retriesLateAtMostMs: 30_000,
    marks: [
      { what: 'dead letters', value: deadLetters, atLeast: 1 },
      { what: 'enqueued', value: enqueued, atLeast: deadLetters, atMost: deadLetters },
      { what: 'counted as delivered', value: delivered, atLeast: deadLetters, atMost: deadLetters },
      { what: 'left', value: await countDeadLetters(rig, endpoint), atMost: 0 },
      { what: 'faults', value: faults, atLeast: 1 },
    ],
  };
}

function countDeadLetters(rig: Rig, { uuid }: Endpoint): Promise<number> {
  return rig.db.delivery.count({ where: { endpointId: uuid, status: 'dead_letter' } });
}

async function startRecovery(rig: Rig, { id }: Endpoint): Promise<string> {
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const { status, body } = await rig.client.call('POST', `/endpoints/${id}/recover`, { since, mode: 'failed' });
  const uuid = fromId('op', String(body.id));
  if (status !== 202 || uuid === undefined) throw new Error(`the recovery was refused: ${JSON.stringify(body)}`);
  return uuid;
}

/** Reads the operation from the table, because the API may be dead. */
function readOperation(rig: Rig, id: string) {
  return rig.db.operation.findUniqueOrThrow({ where: { id } });
}
