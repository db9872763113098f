import { Prisma } from './generated/client.ts';

/** Sorts before every id, and stands for no id (RFC 9562, section 5.9). */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * The condition that a UUIDv7 key of a partitioned table is one of `ids`. It also states the range of the ids: with a
 * generic plan, Postgres can prune partitions before execution only by a range.
 */
export function among(column: 'd.id' | 'id', ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.raw(column)} = any(${ids}::uuid[]) and ${within(column, ids)})`;
}

/** Only the range condition, for looking up one key at a time. */
export function within(column: 'd.id' | 'id', ids: readonly string[]): Prisma.Sql {
  const [lowest, highest] = rangeOf(ids);
  return Prisma.sql`${Prisma.raw(column)} between ${lowest}::uuid and ${highest}::uuid`;
}

/** The lowest and the highest of the ids. */
export function rangeOf(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest = NIL_UUID] = ids;
  let highest = lowest;
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

/** The smallest UUIDv7-shaped key of an instant: it separates earlier keys from later ones. */
export function lowestKeyAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** The milliseconds since 1970 of a UUIDv7 column: its first 48 bits. */
export function keyMs(column: string): Prisma.Sql {
  return Prisma.sql`('x' || translate(left(${Prisma.raw(column)}::text, 13), '-', ''))::bit(48)::bigint`;
}
