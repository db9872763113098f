import { type Clause, type Found, find, holds } from './clause.ts';
import type { Filter } from './parse-filter.ts';
import type { Payload } from './payload.ts';

/**
 * Whether a subscription with this filter, or none, gets an event with this payload. An unreadable payload passes: the
 * delivery then says why nothing could be sent.
 */
export function passes(filter: Filter | undefined, payload: Payload): boolean {
  if (filter === undefined || payload.kind === 'unreadable') return true;
  return payload.kind === 'json' && matches(filter, payload.value);
}

/** Whether the payload, a value as `JSON.parse` returns it, matches the filter. */
export function matches(filter: Filter, payload: unknown): boolean {
  switch (filter.kind) {
    case 'clause':
      return holds(filter, find(payload, filter.keys));
    case 'not':
      return !matches(filter.of, payload);
    case 'all':
      for (const one of filter.of) if (!matches(one, payload)) return false;
      return true;
    case 'any':
      for (const one of filter.of) if (matches(one, payload)) return true;
      return false;
  }
}

/** A clause and what the payload has at its path. `found` is null where the path is absent. */
export type ClauseResult = Pick<Clause, 'path' | 'operator' | 'expected'> & { found: unknown; holds: boolean };

export type Examination = { matches: boolean; clauses: ClauseResult[] };

/**
 * Whether the payload matches, and the result of each clause of the filter, in the order in which they were written.
 * `beforeClause` may pause, because a clause may take milliseconds on a large payload.
 */
export async function examine(
  filter: Filter,
  payload: unknown,
  beforeClause: () => Promise<void>,
): Promise<Examination> {
  if (filter.kind === 'clause') {
    await beforeClause();
    const found = find(payload, filter.keys);
    const result = resultOf(filter, found, holds(filter, found));
    return { matches: result.holds, clauses: [result] };
  }
  if (filter.kind === 'not') {
    const { matches, clauses } = await examine(filter.of, payload, beforeClause);
    return { matches: !matches, clauses };
  }
  const parts: Examination[] = [];
  for (const one of filter.of) parts.push(await examine(one, payload, beforeClause));
  const isMatch = (part: Examination) => part.matches;
  return {
    matches: filter.kind === 'all' ? parts.every(isMatch) : parts.some(isMatch),
    clauses: parts.flatMap(({ clauses }) => clauses),
  };
}

/**
 * The first clause that keeps the payload from matching; undefined if it matches. Within `not`, this is a clause that
 * holds. Each clause is evaluated at most once, because one may take milliseconds on a large payload.
 */
export function firstObstacle(filter: Filter, payload: unknown, wanted = true): ClauseResult | undefined {
  if (filter.kind === 'clause') {
    const found = find(payload, filter.keys);
    const isHeld = holds(filter, found);
    return isHeld === wanted ? undefined : resultOf(filter, found, isHeld);
  }
  if (filter.kind === 'not') return firstObstacle(filter.of, payload, !wanted);
  // To match any, or to fail all, one part without an obstacle is enough.
  const oneIsEnough = (filter.kind === 'any') === wanted;
  let first: ClauseResult | undefined;
  for (const one of filter.of) {
    const obstacle = firstObstacle(one, payload, wanted);
    if (oneIsEnough ? obstacle === undefined : obstacle !== undefined) return obstacle;
    first ??= obstacle;
  }
  return first;
}

const MAX_FOUND_CHARACTERS = 1_024;

function resultOf({ path, operator, expected }: Clause, found: Found, isHeld: boolean): ClauseResult {
  return { path, operator, expected, found: found.isPresent ? shortened(found.value) : null, holds: isHeld };
}

/**
 * A long value is shown as the beginning of its JSON text, so that an explanation stays small. Only that much of the text
 * is built: a value may be as large as a payload, and nested so deeply that JSON.stringify fails.
 */
function shortened(value: unknown): unknown {
  const text = beginningOf(value, MAX_FOUND_CHARACTERS);
  return text.length <= MAX_FOUND_CHARACTERS ? value : `${text.slice(0, MAX_FOUND_CHARACTERS)}…`;
}

/** The JSON text of a value, or at least its first `room + 1` characters. */
function beginningOf(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const keys = isList ? value.keys() : Object.keys(value);
  let text = isList ? '[' : '{';
  for (const key of keys) {
    if (text.length > room) return text;
    if (text.length > 1) text += ',';
    if (typeof key === 'string') text += `${JSON.stringify(key.slice(0, room + 1))}:`;
    text += beginningOf(Reflect.get(value, key), Math.max(0, room - text.length));
  }
  return text + (isList ? ']' : '}');
}
