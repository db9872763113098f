import { toId } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Endpoint, Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';

const STEP_SECONDS = 5;
const JITTER = 0.2;
/** Deliveries with the same Retry-After time are spread over this part of the wait. */
const SPREAD = 0.1;
const MOST_SPREAD_SECONDS = 30;
const DAY_SECONDS = 86_400;
/** The row triggers a retry manually if it is due later than this. */
const WAITED_FOR_SECONDS = 15;
/** The tolerance for dates. They have whole seconds, and are parsed slightly later than they were written. */
const DATE_GRAIN_SECONDS = 1.5;
/** The tolerance for times. They count from the start of the statement, and the history is written slightly later. */
const CLOCK_GRAIN_SECONDS = 0.1;

export const goneRow: Row = {
  name: 'endpoint-gone',
  fault: 'endpoints answer 410',
  pass: 'deactivated as gone, nothing sent after it',
  async run(rig, { scaled, say }) {
    const gone: Endpoint[] = [];
    for (let n = 0; n < scaled(20); n += 1) {
      const name = `gone-${n}`;
      const behaviour = () => ({ status: 410 });
      gone.push(await rig.addEndpoint({ name, loaded: false, endsAs: 'failed', behaviour }));
    }
    const to = ({ name, eventType }: Endpoint, endpoints = [name]) => ({ to: [{ eventType, endpoints }] });
    for (const endpoint of gone) await rig.load.burst(1, to(endpoint));
    await rig.drain();
    const found = await Promise.all(gone.map(({ id }) => rig.client.call('GET', `/endpoints/${id}`)));
    const inactive = found.filter(({ body }) => body.isActive === false && body.disabledReason === 'gone').length;
    // No endpoint matches the events now, so a receipt would be unexpected.
    for (const endpoint of gone) await rig.load.burst(5, to(endpoint, []));
    await rig.load.burst(scaled(500));
    say(`${inactive} of ${gone.length} deactivated`);
    const marks = [{ what: 'deactivated', value: inactive, atLeast: gone.length }];
    return { duplicatesAtMost: 0, marks };
  },
};

export const retryAfterRow: Row = {
  name: 'endpoint-retry-after',
  fault: 'endpoints answer 429 and 503 with 25 spellings of Retry-After',
  pass: 'the retry is later than the schedule as asked, never earlier',
  run: spell,
};

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

/** Values of the header, with the seconds that each asks for. Undefined if the value must be ignored. */
const SPELLINGS: readonly [write: () => string, seconds?: number][] = [
  [() => '0', 0],
  [() => '1', 1],
  [() => '9', 9],
  [() => '  9\t', 9],
  [() => '009', 9],
  [() => '3600', 3_600],
  [() => '86400', DAY_SECONDS],
  [() => '86401', DAY_SECONDS],
  [() => '99999999999999999999999999', DAY_SECONDS],
  [() => inSeconds(10).toUTCString(), 10],
  [() => inSeconds(7_200).toUTCString(), 7_200],
  [() => inSeconds(40 * DAY_SECONDS).toUTCString(), DAY_SECONDS],
  [() => inSeconds(-3_600).toUTCString()],
  [() => rfc850(inSeconds(3_600)), 3_600],
  [() => asctime(inSeconds(3_600)), 3_600],
  [() => inSeconds(3_600).toISOString()],
  [() => '-5'],
  [() => '+9'],
  [() => '9.5'],
  [() => '1e3'],
  [() => '0x10'],
  [() => '9, 10'],
  [() => '9s'],
  [() => 'soon'],
  [() => ''],
];

async function spell(rig: Rig, { scaled, say }: Tools) {
  const cases = SPELLINGS.flatMap(([write, seconds]) => [429, 503].map((status) => ({ status, write, seconds })));
  const asked = new Map<string, { header: string; seconds: number | undefined }>();
  const { uuid, name, eventType } = await rig.addEndpoint({
    name: 'asks',
    loaded: false,
    config: { retrySchedule: [STEP_SECONDS, 1, 1] },
    behaviour({ attempt, eventId }) {
      const { status, write, seconds } = cases[asked.size] ?? {};
      if (attempt > 1 || write === undefined || status === undefined) return {};
      const header = write();
      asked.set(eventId, { header, seconds });
      return { status, headers: { 'retry-after': header } };
    },
  });
  const background = rig.load.burst(scaled(1_000));
  await rig.load.burst(cases.length, { to: [{ eventType, endpoints: [name] }], concurrency: 4 });
  await waitFor(
    async () => (await rig.db.attempt.count({ where: { url: rig.receivers.urlOf(name) } })) >= cases.length,
    {
      what: 'the first attempts',
    },
  );
  const waits = await readWaits(rig, uuid);
  const judged = waits.map(({ eventId, waitSeconds }) => {
    const { header = '', seconds } = asked.get(eventId) ?? {};
    return { header, waitSeconds, fault: faultOf(waitSeconds, seconds) };
  });
  for (const { header, waitSeconds, fault } of judged) {
    if (fault !== undefined) say(`Retry-After: ${JSON.stringify(header)} waits ${waitSeconds.toFixed(2)} s: ${fault}`);
  }
  const far = waits.filter(({ waitSeconds }) => waitSeconds > WAITED_FOR_SECONDS);
  for (const { deliveryId } of far) await rig.client.call('POST', `/deliveries/${deliveryId}/retry`);
  await background;
  const count = (fault: string) => judged.filter((one) => one.fault === fault).length;
  const marks = [
    { what: 'spellings', value: waits.length, atLeast: cases.length, atMost: cases.length },
    { what: 'earlier', value: count('earlier'), atMost: 0 },
    { what: 'later than asked', value: count('later'), atMost: 0 },
  ];
  return { duplicatesAtMost: 0, marks };
}

function faultOf(waitSeconds: number, askedSeconds = 0): 'earlier' | 'later' | undefined {
  const least = Math.max(STEP_SECONDS * (1 - JITTER), askedSeconds - DATE_GRAIN_SECONDS);
  const most = Math.max(
    STEP_SECONDS * (1 + JITTER),
    askedSeconds + Math.min(askedSeconds * SPREAD, MOST_SPREAD_SECONDS),
  );
  if (waitSeconds < least - CLOCK_GRAIN_SECONDS) return 'earlier';
  return waitSeconds > most + CLOCK_GRAIN_SECONDS ? 'later' : undefined;
}

/** The time from the settling of the first attempt to the due time of the next one, by Postgres' clock. */
async function readWaits(rig: Rig, endpointUuid: string) {
  const rows = await rig.db.$queryRaw<{ id: string; event_id: string; seconds: number }[]>`
    select d.id, d.event_id, extract(epoch from m.due_at - m.at)::float8 as seconds
    from delivery d join lateral (
      select due_at, at from fault_move
      where event_id = d.event_id and endpoint_id = d.endpoint_id and is_now = 'scheduled_retry' order by seq limit 1) m on true
    where d.endpoint_id = ${endpointUuid}::uuid`;
  return rows.map(({ id, event_id, seconds }) => ({
    deliveryId: toId('dlv', id),
    eventId: toId('msg', event_id),
    waitSeconds: seconds,
  }));
}

function rfc850(at: Date): string {
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const [, day, month, year = '', time] = at.toUTCString().split(/[ ,]+/);
  return `${days[at.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(at: Date): string {
  const [weekday, day, month, year, time] = at.toUTCString().split(/[ ,]+/);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
