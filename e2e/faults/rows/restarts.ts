import { waitFor } from '@posthorn/testkit/wait-for';
import { elapsed, type Load, type LoadOptions } from '../load.ts';
import type { Life, Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

export type Restart = { code: number | null; exitMs: number };

/** Restarts a member as an orchestrator does, with the settings or release of `life`, and waits until it is ready. */
export async function restart(member: Member, life: Life = {}): Promise<Restart> {
  const beganMs = performance.now();
  const code = await member.stop('SIGTERM');
  const exitMs = performance.now() - beganMs;
  await member.start(life);
  return { code, exitMs };
}

const ANSWERS_WITHIN_MS = 5_000;

/** Resolves when the next life is ready. It begins by itself. */
export async function readyAgain(member: Member): Promise<void> {
  const ask = () => fetch(`${member.url}/readyz`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  const ready = async () => member.pid() !== undefined && (await ask()).ok;
  await waitFor(ready, { what: `${member.name} to be ready again`, timeoutMs: 30_000 }).catch((error: unknown) => {
    throw new Error(`it has ended with ${member.exits.join(', ')}, and last wrote:\n${member.output().slice(-4_000)}`, {
      cause: error,
    });
  });
}

/** Sends events at a fixed rate for as long as the work lasts, without waiting for answers. */
export async function loadWhile<T>(
  load: Load,
  { perSecond, ...options }: LoadOptions & { perSecond: number },
  work: Promise<T>,
): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => {
    isOver = true;
  });
  const sendOn = async () => {
    const sent: Promise<unknown>[] = [];
    while (!isOver) {
      const second = load.steady(perSecond, 1, options);
      second.catch(() => undefined); // The end of this function throws the error again.
      sent.push(second);
      await elapsed(1_000);
    }
    await Promise.all(sent);
  };
  const [answer] = await Promise.all([watched, sendOn()]);
  return answer;
}

/** A stopping API may refuse or cut a connection. Then the client tries the other API. But an API never answers 5xx. */
export function serverErrors(rig: Rig): Mark {
  return { what: '5xx', value: rig.load.answers.filter(({ status }) => status >= 500).length, atMost: 0 };
}

/** Marks that every process exited with 0 within the grace period of an orchestrator. */
export function endedWell(restarts: readonly Restart[]): Mark[] {
  const exits = restarts.map(({ exitMs }) => exitMs);
  return [
    { what: 'restarts', value: restarts.length },
    { what: 'exit codes not 0', value: restarts.filter(({ code }) => code !== 0).length, atMost: 0 },
    { what: 'longest exit', unit: 'ms', value: Math.max(...exits), atMost: 30_000 },
  ];
}
