import type { Run } from './node.ts';
import { isObject, keysOf, propertyOf } from './run-schema.ts';
import { OutOfSteps, spend } from './steps.ts';

const MAX_DEPTH = 500;

/** Whether two JSON values are equal: numbers by value, objects in any order of their keys. */
export function isSame(a: unknown, b: unknown, run: Run): boolean {
  spend(run.steps, 2);
  // Texts of equal length may be compared to their end.
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spend(run.steps, a.length / 64);
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index], run));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = keysOf(a, run);
  if (keys.length !== keysOf(b, run).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(propertyOf(a, key), propertyOf(b, key), run));
}

/** A text that is the same for two JSON values exactly if they are equal. */
export function canonicalText(value: unknown, run: Run, depth = 0): string {
  spend(run.steps, 1);
  if (depth > MAX_DEPTH) throw new OutOfSteps('nested too deeply');
  if (Array.isArray(value)) return built(`[${value.map((item) => canonicalText(item, run, depth + 1)).join()}]`, run);
  if (isObject(value)) {
    const keys = [...keysOf(value, run)].sort();
    spend(run.steps, keys.length * 4);
    const texts = keys.map((key) => `${JSON.stringify(key)}:${canonicalText(propertyOf(value, key), run, depth + 1)}`);
    return built(`{${texts.join()}}`, run);
  }
  if (typeof value === 'string') spend(run.steps, value.length / 16);
  return JSON.stringify(value);
}

/** Charges for the text, because each level copies the text of the levels below it. */
function built(text: string, run: Run): string {
  spend(run.steps, text.length / 64);
  return text;
}
