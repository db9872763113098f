/** The work that one task may still do. Steps are counted instead of time, so the same input always ends the same way. */
export type Steps = { left: number };

/** Thrown when a task would need more steps than it has. */
export class OutOfSteps extends Error {}

export function spend(steps: Steps, count: number): void {
  steps.left -= count;
  if (steps.left < 0) throw new OutOfSteps('out of steps');
}
