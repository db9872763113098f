import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceChange } from '@posthorn/contract/apply';
import { boundedChanges } from '../audit/bounded-changes.ts';

type FieldChange = WorkspaceChange['fields'][number];

/** Stands for a secret in a plan. */
export const REDACTED = '[redacted]';

/**
 * The change of a field, as a plan shows it. Empty if the document does not name the field, or names its present value.
 */
export function fieldOf(field: string, from: unknown, to: unknown): FieldChange[] {
  if (to === undefined || isDeepStrictEqual(from ?? null, to)) return [];
  return [changed(field, from, to)];
}

/** The keys of an object that differ, each as a field. The document always names the whole object. */
export function fieldsOf(field: string, from: object, to: object | undefined): FieldChange[] {
  if (to === undefined) return [];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].sort().flatMap((key) => {
    const [before, after] = [ownValue(from, key), ownValue(to, key)];
    return isDeepStrictEqual(before, after) ? [] : [changed(`${field}.${key}`, before, after)];
  });
}

/** A field with other values; long ones as digests. */
export function changed(field: string, from: unknown, to: unknown): FieldChange {
  const { value } = boundedChanges({ value: { from: from ?? null, to: to ?? null } });
  return { field, from: value?.from, to: value?.to };
}

function ownValue(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}
