import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '@posthorn/contract/errors';
import { fieldPath } from '@posthorn/contract/field-path';
import { z } from 'zod';
import type { Examined } from './parse.ts';
import type { Route } from './route.ts';
import type { UnknownField } from './unknown-fields.ts';

/**
 * A caller may read a resource, change a field and send the whole back by PATCH. So fields of the resource that the
 * body's schema does not have do not count as unknown. Fields that the service writes are ignored, and the row's
 * `immutable` fields must have their present value. Keys inside a field (a `config` of an earlier version) may stay as
 * they are. `readable` has the fields that the resource's answers have; `load` reads the resource as the caller sees
 * it.
 */
export async function acceptSentBack(
  examined: Examined,
  { route, body, readable, load }: SentBack & { route: Pick<Route, 'immutable'>; body: unknown },
): Promise<Examined> {
  if (examined.unknown.length === 0) return examined;
  const isImmutable = ({ path }: UnknownField) => route.immutable.some((name) => name === path[0]);
  const rest = examined.unknown.filter((one) => one.path.length > 1 || isImmutable(one) || !readable.has(topOf(one)));
  const compared = rest.filter((one) => one.path.length > 1 || isImmutable(one));
  if (compared.length === 0 || load === undefined) return { ...examined, unknown: rest };
  const present = await load();
  const changed = compared.filter(({ path }) => !isDeepStrictEqual(valueAt(body, path), valueAt(present, path)));
  const faults = changed.filter((one) => one.path.length === 1).map(({ path }) => unchangeable(path));
  return {
    ...examined,
    faults: [...examined.faults, ...faults],
    unknown: rest.filter((one) => !compared.includes(one) || (one.path.length > 1 && changed.includes(one))),
  };
}

export type SentBack = { readable: ReadonlySet<string>; load: (() => Promise<unknown>) | undefined };

/** The fields of the resource that the rows answer, alone or in a list. */
export function fieldsOf(rows: readonly Pick<Route, 'response'>[]): Set<string> {
  const shown = rows.map(({ response }) => (response instanceof z.ZodArray ? response.element : response));
  return new Set(shown.flatMap((answer) => (answer instanceof z.ZodObject ? Object.keys(answer.shape) : [])));
}

function topOf({ path }: UnknownField): string {
  return String(path[0]);
}

function unchangeable(path: readonly PropertyKey[]): FieldProblem {
  const field = fieldPath(path);
  return { field, message: `${field} cannot be changed` };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
