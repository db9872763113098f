import { randomUUID } from 'node:crypto';

// Prisma writes the values of a raw statement as JSON, bytes as base64, and reads them again. For its error reports it keeps the
// values of its last statements. So it gets a short name in the place of a large value.

type Large = string | Uint8Array;

/** A text of fewer characters is given as it is. */
const LARGE_CHARACTERS = 1_000;

const named = new Map<string, Large>();
const NAME_START = `large value ${randomUUID()} `;
let count = 0;

/** Runs a statement that is given names in the places of its large values. They hold until it has ended. */
export async function withLargeValues<Result>(
  values: readonly unknown[],
  run: (given: unknown[]) => Promise<Result>,
): Promise<Result> {
  const names: string[] = [];
  const given = values.map((value) => {
    if (!isLarge(value)) return value;
    count += 1;
    const name = `${NAME_START}${count}`;
    named.set(name, value);
    names.push(name);
    return name;
  });
  try {
    return await run(given);
  } finally {
    for (const name of names) named.delete(name);
  }
}

/** A statement as the driver is to send it: with its large values in the places of their names. */
export function withoutNames(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('values' in statement)) return statement;
  const { values } = statement;
  return Array.isArray(values) && values.some(isName) ? { ...statement, values: values.map(largeOf) } : statement;
}

function isLarge(value: unknown): value is Large {
  return value instanceof Uint8Array || (typeof value === 'string' && value.length >= LARGE_CHARACTERS);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(NAME_START);
}

function largeOf(value: unknown): unknown {
  if (!isName(value)) return value;
  const large = named.get(value);
  // As a text it might be stored.
  if (large === undefined) throw new Error('a large value is gone: its statement has ended');
  return large;
}
