import { fromId } from '@posthorn/contract/ids';
import { withConnection } from '@posthorn/db/connection';
import { dropExpiredPartitions, ensurePartitions } from '@posthorn/db/partitions';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createApiClient } from '@posthorn/testkit/api-client';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { createInFlight, noServerErrors } from './marks.ts';
import { loadWhile, readyAgain } from './restarts.ts';

const EVENTS = 20_000;
const KILLS = 10;
const PER_SECOND = 50;
const ENDS_WITHIN_MS = 300_000;
const EVENT_TYPE = 'search.parcel';
/** The search keys. The load's body has values for both. */
const SEARCH_KEYS = [
  { name: 'run', path: 'run' },
  { name: 'n', path: 'n' },
];
const DAY_MS = 86_400_000;
/** The days that are dropped, oldest first. Lists still show them. */
const DROPPED_DAYS = [6, 5, 4, 3];
const EVENTS_A_DAY = 5_000;

export const searchRows: readonly Row[] = [
  {
    name: 'erasure-while-indexing',
    fault: `a customer is erased while ${EVENTS} events of two customers are indexed, and dispatchers are killed`,
    pass: 'nothing of the erased customer is found or kept, tokens included; every event of the other one is found',
    run: eraseWhileIndexing,
  },
  {
    name: 'search-while-partition-dropped',
    fault: `${DROPPED_DAYS.length} days of events are dropped under searches and an indexing`,
    pass: 'every search is answered and finds the events of today; nothing of the dropped days is found afterwards',
    run: searchWhileDropping,
  },
];

async function eraseWhileIndexing(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const typeId = await createType(rig, null);
  const customers = await Promise.all(
    ['Erased', 'Kept'].map(async (name) => {
      const { body } = await rig.client.call<{ id: string }>('POST', '/applications', { name });
      const events: { eventId?: string }[] = [];
      await rig.load.burst(Math.ceil(scaled(EVENTS) / 2), {
        to: [{ eventType: EVENT_TYPE, endpoints: [] }],
        headers: { 'x-application-id': body.id },
        onEvent: (event) => void events.push(event),
      });
      return { id: body.id, uuids: () => events.flatMap(({ eventId }) => fromId('msg', eventId ?? '') ?? []) };
    }),
  );
  const [erased, kept] = customers;
  if (erased === undefined || kept === undefined) throw new Error('two customers');
  await rig.client.call('PATCH', `/event-types/${typeId}`, { searchKeys: SEARCH_KEYS });
  const operations = [await start(rig, '/search-index', { eventType: EVENT_TYPE })];
  operations.push(await start(rig, '/erasures', { applicationId: erased.id }));
  const isOver = async () =>
    (await rig.db.operation.count({ where: { id: { in: operations }, finishedAt: null } })) === 0;
  const inFlight = createInFlight(rig);
  let kills = 0;
  const kill = async () => {
    while (kills < Math.max(2, scaled(KILLS)) && (kills === 0 || !(await isOver()))) {
      await rig.elapsed(random.whole(200, 1_500));
      const victim = random.pick(rig.dispatchers);
      await victim.kill();
      await inFlight.note();
      kills += 1;
      await readyAgain(victim);
    }
    await waitFor(isOver, { what: 'the end of both operations', timeoutMs: ENDS_WITHIN_MS });
    // An indexing after the erasure must find nothing of the customer either.
    operations.push(await start(rig, '/search-index', { eventType: EVENT_TYPE }));
    await waitFor(isOver, { what: 'the end of the second indexing', timeoutMs: ENDS_WITHIN_MS });
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, kill());
  await rig.drain();
  const [ofErased, ofKept] = await Promise.all([countKept(rig, erased.uuids()), countKept(rig, kept.uuids())]);
  const wanted = kept.uuids().length;
  say(`${kills} kills; ${ofKept.tokens} tokens of ${wanted} events kept, ${ofErased.tokens} of the erased ones`);
  const incomplete = await rig.db.operation.count({ where: { id: { in: operations }, status: { not: 'completed' } } });
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: 30_000,
    marks: [
      { what: 'tokens of the erased', value: ofErased.tokens, atMost: 0 },
      { what: 'payloads of the erased', value: ofErased.payloads, atMost: 0 },
      { what: 'tokens of the kept', value: ofKept.tokens, atLeast: 2 * wanted, atMost: 2 * wanted },
      { what: 'operations not completed', value: incomplete, atMost: 0 },
      { what: 'kills', value: kills, atLeast: 1 },
    ],
  };
}

async function searchWhileDropping(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  await createType(rig, [{ name: 'parcel', path: 'parcel' }]);
  const event = { eventType: EVENT_TYPE, data: { parcel: 'p_1002' } };
  const sent = await rig.client.call<{ id: string }>('POST', '/events', event);
  const { body: today } = sent;
  await insertOld(rig, today.id, scaled(EVENTS_A_DAY));
  const clients = rig.apis.map(({ url }) => createApiClient({ ...rig, baseUrl: url }));
  const counts = { searches: 0, refused: 0, withoutToday: 0 };
  let isOver = false;
  const search = async () => {
    while (!isOver) {
      for (const client of clients) {
        const { status, body } = await client.call<Found>('POST', '/events/search', { search: ['parcel:p_1002'] });
        counts.searches += 1;
        if (status !== 200) counts.refused += 1;
        else if (!body.events.some(({ id }) => id === today.id)) counts.withoutToday += 1;
      }
    }
  };
  let dropped = 0;
  const drop = async () => {
    const operation = await start(rig, '/search-index', { eventType: EVENT_TYPE });
    for (const day of DROPPED_DAYS) {
      await rig.elapsed(1_000);
      const names = await withConnection(rig.databaseUrl, (connection) => dropExpiredPartitions(connection, day - 1));
      dropped += names.filter((name) => name.startsWith('event_token_')).length;
    }
    await rig.elapsed(1_000);
    const ended = async () => (await rig.db.operation.count({ where: { id: operation, finishedAt: null } })) === 0;
    await waitFor(ended, { what: 'the end of the indexing', timeoutMs: ENDS_WITHIN_MS });
    isOver = true;
  };
  const searching = Array.from({ length: 4 }, search);
  await loadWhile(
    rig.load,
    { perSecond: PER_SECOND },
    drop().finally(() => {
      isOver = true;
    }),
  );
  await Promise.all(searching);
  const { body } = await rig.client.call<Found>('POST', '/events/search', { search: ['parcel:p_1002'], limit: 100 });
  say(`${counts.searches} searches, ${dropped} partitions of tokens dropped, ${body.events.length} events found then`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'searches', value: counts.searches, atLeast: 1 },
      { what: 'searches refused', value: counts.refused, atMost: 0 },
      { what: 'searches without the event of today', value: counts.withoutToday, atMost: 0 },
      { what: 'partitions of tokens dropped', value: dropped, atLeast: DROPPED_DAYS.length },
      { what: 'found afterwards', value: body.events.length, atLeast: 1, atMost: 1 },
      noServerErrors(rig),
    ],
  };
}

type Found = { events: { id: string }[] };

async function createType(rig: Rig, searchKeys: object[] | null): Promise<string> {
  const body = { name: EVENT_TYPE, publishIn: [rig.environmentId], searchKeys };
  return (await rig.client.call<{ id: string }>('POST', '/event-types', body)).body.id;
}

/** Starts an operation, and returns its key. */
async function start(rig: Rig, path: string, given: object): Promise<string> {
  const { status, body } = await rig.client.call<{ id: string }>('POST', path, given);
  const uuid = fromId('op', String(body.id));
  if (status !== 202 || uuid === undefined) throw new Error(`POST ${path} was refused: ${JSON.stringify(body)}`);
  return uuid;
}

/** The number of tokens and payloads that these events still have. */
async function countKept({ db }: Rig, uuids: readonly string[]): Promise<{ tokens: number; payloads: number }> {
  const [row] = await db.$queryRaw<{ tokens: number; payloads: number }[]>`
    select (select count(*)::int from event_token where event_id = any(${uuids}::uuid[])) as tokens,
      (select count(*)::int from event where id = any(${uuids}::uuid[]) and payload is not null) as payloads`;
  return row ?? { tokens: 0, payloads: 0 };
}

/** Inserts events on each of the dropped days, with the tokens of this event. */
async function insertOld({ db, databaseUrl }: Rig, eventId: string, aDay: number): Promise<void> {
  const uuid = fromId('msg', eventId);
  const dayAt = (day: number) => new Date(Date.now() - day * DAY_MS);
  await withConnection(databaseUrl, (connection) => ensurePartitions(connection, dayAt(DROPPED_DAYS[0] ?? 0)));
  for (const day of DROPPED_DAYS) {
    const first = lowestKeyAt(dayAt(day));
    await db.$executeRaw`
      with old as (
        insert into event (id, workspace_id, environment_id, event_type, payload_size, published)
        select (left(${first}::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, workspace_id, environment_id, event_type, 0, true
        from event cross join generate_series(1, ${aDay}::int) n where event.id = ${uuid}::uuid returning id)
      insert into event_token (token, event_id)
      select t.token, old.id from old cross join event_token t where t.event_id = ${uuid}::uuid`;
  }
}
