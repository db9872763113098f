import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

/** Every answer to an event was no 5xx, and every event was answered. */
export function noServerErrors(rig: Rig): Mark {
  const failed = rig.load.answers.filter(({ status }) => status >= 500 || status === 0);
  return { what: '5xx or no answer', value: failed.length, atMost: 0 };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
