/**
 * The work that a task may still do. It is counted in steps instead of time, so that the same input always ends the
 * same way.
 */
export type Steps = { left: number };

/** Thrown if a task needs more steps than it has. */
export class OutOfSteps extends Error {}

export function spend(steps: Steps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new OutOfSteps('out of steps');
}
