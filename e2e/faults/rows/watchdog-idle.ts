import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { noneEnded } from './marks.ts';

/**
 * A job for an overdue row is enqueued again at most every 3 s, and the dispatchers receive it in turn. With the
 * production setting, each of 27 dispatchers gets one every 80 s. 27 processes do not fit on one machine. With this
 * setting, 8 processes get as few jobs.
 */
const DISPATCHERS = 8;
const SWEEP_INTERVAL_MS = '20000';
/** The delay of the retry: enough to hold the row before it is due. */
const RETRY_SECONDS = 20;
const WATCHED_SECONDS = 150;
/**
 * The shortest time to watch. The watchdog considers rows that have been overdue for 30 s, and ends the process
 * 60 s later.
 */
const LEAST_WATCHED_SECONDS = 110;

export const watchdogIdle: Row = {
  name: 'watchdog-idle',
  fault: 'one row stays overdue all the time; 8 idle dispatchers reconcile as seldom as a fleet of 27',
  pass: 'exits 0 in 150 s',
  rig: { apis: 1, dispatchers: DISPATCHERS, endpoints: 1, settings: { SWEEP_INTERVAL_MS } },
  run: idle,
};

async function idle(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  // The first attempt to this endpoint fails, and the retry cannot begin.
  const stuck = await rig.addEndpoint({
    ...{ name: 'stuck', loaded: false, config: { retrySchedule: [RETRY_SECONDS] } },
    behaviour: ({ attempt }) => ({ status: attempt === 1 ? 500 : 200 }),
  });
  await rig.load.burst(1, { to: [{ eventType: stuck.eventType, endpoints: [stuck.name] }] });
  const retries = (dueBefore?: Date) =>
    rig.db.delivery.count({
      where: { endpointId: stuck.uuid, status: 'scheduled_retry', ...(dueBefore && { dueAt: { lt: dueBefore } }) },
    });
  const within = 60_000;
  await waitFor(async () => (await retries()) === 1, { what: 'the first attempt to fail', timeoutMs: within });
  await keepUnmoved(rig, stuck);
  const isOverdue = async () => (await retries(new Date())) === 1;
  await waitFor(isOverdue, { what: 'the retry to be due', timeoutMs: within });
  const watchedMs = Math.max(LEAST_WATCHED_SECONDS, scaled(WATCHED_SECONDS)) * 1_000;
  await rig.elapsed(watchedMs);
  const [ended, overdue] = [noneEnded(rig), await isOverdue()];
  say(`${ended.value} dispatchers ended: ${rig.dispatchers.map(({ exits }) => exits.length).join(' ')}`);
  await rig.db.$executeRaw`drop trigger keep_unmoved on delivery`;
  await rig.drain();
  return {
    duplicatesAtMost: 0,
    // The delivery was held for all this time.
    retriesLateAtMostMs: watchedMs + within,
    marks: [{ what: 'rows overdue all the time', value: overdue ? 1 : 0, atLeast: 1 }, ended],
  };
}

/** Adds a trigger that ignores every change of this endpoint's deliveries without an error. */
async function keepUnmoved(rig: Rig, { uuid }: Endpoint): Promise<void> {
  await rig.db.$executeRaw`create table unmoved as select ${uuid}::uuid as endpoint_id`;
  await rig.db.$executeRaw`
    create function keep_unmoved() returns trigger language plpgsql as $$
    begin
      return case when old.endpoint_id in (select endpoint_id from unmoved) then null else new end;
    end $$`;
  await rig.db.$executeRaw`
    create trigger keep_unmoved before update on delivery for each row execute function keep_unmoved()`;
}
