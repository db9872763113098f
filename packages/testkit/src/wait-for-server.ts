import type { ChildProcess } from 'node:child_process';
import { waitFor } from './wait-for.ts';

/** A broker on the JVM takes up to a minute beside other tests. */
const MAY_TAKE_MS = 180_000;

/** Waits until a program that was started answers. Rejects when it has ended, or does not answer for three minutes. */
export async function waitForServer(
  child: ChildProcess,
  name: string,
  answers: () => boolean | Promise<boolean>,
): Promise<void> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const outcome = async () => (hasEnded() ? 'ended' : (await answers()) && 'answers');
  const how = await waitFor(outcome, { what: `${name} to answer`, timeoutMs: MAY_TAKE_MS });
  if (how === 'ended') throw new Error(`${name} has ended`);
}
