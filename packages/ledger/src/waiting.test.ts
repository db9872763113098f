import { afterAll, expect, test } from '@jest/globals';
import { Prisma } from '@posthorn/db/generated/client';
import { createTestDatabase } from '@posthorn/testkit/database';
import { dueOf, IN_LINE_SINCE, placeInLine, unmoved } from './waiting.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

test('a delivery keeps its place in a line when the clocks of the server change: the move is the same in every hour', async () => {
  // The servers of `npm test` have a zone whose clocks change in March and November. A move by days would keep the
  // local hour.
  const hours = Prisma.sql`generate_series('2026-01-01T00:30Z'::timestamptz, '2027-01-01T00:30Z', interval '1 hour') as t(at)`;
  const moved = dueOf(Prisma.sql`at`, Prisma.sql`true`);
  const moves = await db.$queryRaw<{ seconds: number; hours: bigint }[]>`
    select extract(epoch from ${moved})::float8 - extract(epoch from at)::float8 as seconds, count(*) as hours
    from ${hours} group by 1`;
  const [move] = moves;
  expect(moves).toEqual([{ seconds: move?.seconds, hours: 8_761n }]);
  const lines = await db.$queryRaw<{ direct: number; recovered: number; kept: number }[]>`
    select extract(epoch from ${placeInLine(Prisma.sql`false`, Prisma.sql`false`)})::float8 - extract(epoch from now())::float8 as direct,
      extract(epoch from ${placeInLine(Prisma.sql`true`, Prisma.sql`true`)})::float8 - extract(epoch from now())::float8 as recovered,
      extract(epoch from ${placeInLine(Prisma.sql`false`, Prisma.sql`true`)})::float8 - extract(epoch from now())::float8 as kept`;
  expect(lines).toEqual([
    {
      direct: move?.seconds,
      recovered: 365_250 * 86_400 + (move?.seconds ?? 0),
      kept: 146_097 * 86_400 + (move?.seconds ?? 0),
    },
  ]);
  const [instant] = await db.$queryRaw<{ at: Date; moved: Date }[]>`
    select at, ${moved} as moved from (select '2026-03-08T05:31:00Z'::timestamptz as at) t`;
  expect(unmoved(instant?.moved ?? new Date(0))).toEqual(instant?.at);
  const [kept] = await db.$queryRaw<{ at: Date; now: Date }[]>`
    select ${placeInLine(Prisma.sql`false`, Prisma.sql`true`)} as at, now() as now`;
  expect(unmoved(kept?.at ?? new Date(0))).toEqual(kept?.now);
});

test('the time at which a delivery entered its line can be read, whether it is new, kept by an outage, or recovered', async () => {
  for (const [isRecovered, isKept] of [
    ['false', 'false'],
    ['false', 'true'],
    ['true', 'true'],
  ] as const) {
    const place = placeInLine(Prisma.raw(isRecovered), Prisma.raw(isKept));
    const rows = await db.$queryRaw`select ${IN_LINE_SINCE} = now() as "isNow" from (select ${place} as due_at) d`;
    expect(rows).toEqual([{ isNow: true }]);
  }
});
