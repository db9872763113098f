import type { Run } from './node.ts';
import { isObject, keysOf, propertyOf } from './run-schema.ts';
import { OutOfSteps, spend } from './steps.ts';

const MOST_DEPTH = 500;

/** Whether two JSON values are the same: numbers by value, objects whatever the order of their keys. */
export function isSame(a: unknown, b: unknown, run: Run): boolean {
  spend(run.steps, 2);
  if (a === b) {
    if (typeof a === 'string') spend(run.steps, a.length / 64);
    return true;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index], run));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = keysOf(a, run);
  if (keys.length !== keysOf(b, run).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(propertyOf(a, key), propertyOf(b, key), run));
}

/** A text that two JSON values share exactly when they are the same. */
export function canonicalText(value: unknown, run: Run, depth = 0): string {
  spend(run.steps, 1);
  if (depth > MOST_DEPTH) throw new OutOfSteps('nested too deeply');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, run, depth + 1)).join()}]`;
  if (isObject(value)) {
    const keys = [...keysOf(value, run)].sort();
    spend(run.steps, keys.length * 4);
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(propertyOf(value, key), run, depth + 1)}`).join()}}`;
  }
  if (typeof value === 'string') spend(run.steps, value.length / 16);
  return JSON.stringify(value);
}
