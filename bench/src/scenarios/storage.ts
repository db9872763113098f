import { withConnection } from '@posthorn/db/connection';
import type pg from 'pg';
import type { Figure } from '../figures.ts';
import { burst } from '../flat-out.ts';
import type { Context, Outcome, Scenario, Table } from '../scenario.ts';
import { type Side, type Sides, withSides } from '../sides.ts';
import * as sizes from '../storage-sizes.ts';

export const storage: Scenario = {
  name: 'storage',
  what: 'bytes of Postgres and WAL per delivered event, without its body and the headers of its attempt',
  run: (context) => withSides(context, { consumers: true }, (sides) => measure(context, sides)),
};

/** The tables of each pipeline, and the stored size of bodies and headers. */
const SIDES = {
  Posthorn: {
    isOwn: (table: string) => !table.startsWith('bare_'),
    events: 'select count(*) as n from event',
    content: `select (select sum(pg_column_size(payload)) from event) +
      (select sum(coalesce(pg_column_size(request_headers), 0) + coalesce(pg_column_size(response_headers), 0)
        + coalesce(pg_column_size(response_body), 0)) from attempt) as n`,
  },
  bare: {
    isOwn: (table: string) => table.startsWith('bare_'),
    events: 'select count(*) as n from bare_event',
    content: `select (select sum(pg_column_size(payload)) from bare_event)
      + (select sum(pg_column_size(headers)) from bare_attempt) as n`,
  },
} as const;

async function measure({ seconds, say }: Context, { posthorn, bare, receivers, stack }: Sides): Promise<Outcome> {
  return withConnection(stack.databaseUrl, async (connection) => {
    await sizes.stopAutovacuum(connection);
    const empty = await sizes.readSizes(connection);
    const written: Written[] = [];
    for (const side of [bare, posthorn]) {
      say(`${side.name}: writing`);
      written.push(await write(connection, side, () => burst({ ...side, receivers, seconds })));
      for (const service of [side.dispatcher, side.api]) await service?.end('SIGKILL');
    }
    say('vacuum');
    const asWritten = sizes.growth(empty, await sizes.readSizes(connection));
    await connection.query('vacuum');
    const vacuumed = sizes.growth(empty, await sizes.readSizes(connection));
    await sizes.rewriteTables(connection);
    const live = sizes.growth(empty, await sizes.readSizes(connection));
    const [other, own] = written.map((one) => account(one, { asWritten, vacuumed, live }));
    if (own === undefined || other === undefined) throw new Error('nothing was written');
    return answer(own, other);
  });
}

type Written = { side: Side['name']; events: number; content: number; wal: sizes.Wal };

/**
 * The number of events, the size of their bodies and headers, and the WAL that `work` writes. Begins with a checkpoint,
 * as Postgres makes one every few minutes.
 */
async function write(connection: pg.Client, { name }: Side, work: () => Promise<unknown>): Promise<Written> {
  await connection.query('checkpoint');
  const from = await sizes.walPlace(connection);
  await work();
  const wal = await sizes.walSince(connection, from);
  const count = async (statement: string) =>
    Number((await connection.query<{ n: string | null }>(statement)).rows[0]?.n ?? 0);
  return { side: name, events: await count(SIDES[name].events), content: await count(SIDES[name].content), wal };
}

type Stages = Record<'asWritten' | 'vacuumed' | 'live', sizes.Sizes>;

/** All sizes per event. */
function account({ side, events, content, wal }: Written, stages: Stages) {
  const own = (all: sizes.Sizes): sizes.Sizes => new Map([...all].filter(([table]) => SIDES[side].isOwn(table)));
  const [written, vacuumed, live] = [own(stages.asWritten), own(stages.vacuumed), own(stages.live)];
  const anEvent = (all: sizes.Sizes) => (sizes.total(all) - content) / events;
  return {
    events,
    content: content / events,
    written: anEvent(written),
    vacuumed: anEvent(vacuumed),
    live: anEvent(live),
    wal: wal.bytes / events,
    walWithoutImages: (wal.bytes - (wal.pageImageBytes ?? Number.NaN)) / events,
    tables: [...written].map(([table, bytes]) => ({
      table,
      written: bytes / events,
      live: (live.get(table) ?? 0) / events,
    })),
  };
}

type Account = ReturnType<typeof account>;

function answer(own: Account, bare: Account): Outcome {
  const both = (figure: string, of: (one: Account) => number): Figure => ({
    figure,
    value: of(own),
    unit: 'bytes',
    bare: of(bare),
  });
  const table: Table = {
    title: 'Bytes an event by table, bodies and headers included',
    columns: ['table', 'written', 'live (rewritten)'],
    rows: own.tables.map((one) => [one.table, one.written, one.live]),
  };
  const bars = own.tables.flatMap((one) => [
    { name: `${one.table}, live`, value: one.live },
    { name: `${one.table}, written`, value: one.written, faint: true },
  ]);
  return {
    figures: [
      both('live bytes an event', (one) => one.live),
      both('written bytes an event', (one) => one.written),
      both('bytes an event after a plain vacuum', (one) => one.vacuumed),
      both('body and headers an event', (one) => one.content),
      both('WAL an event', (one) => one.wal),
      both('WAL an event without full-page images', (one) => one.walWithoutImages),
      { figure: 'events', value: own.events, unit: '', bare: bare.events },
    ],
    plot: { kind: 'bars', title: 'Postgres bytes a delivered event, body and headers included', unit: 'bytes', bars },
    tables: [table],
  };
}
