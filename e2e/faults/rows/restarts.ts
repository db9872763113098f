import { waitFor } from '@posthorn/testkit/wait-for';
import { elapsed, type Load, type LoadOptions } from '../load.ts';
import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

export type Restart = { code: number | null; exitMs: number };

/** Told to stop, as an orchestrator does, and ready again in its next life, with other settings where they are given. */
export async function restart(member: Member, settings?: Record<string, string>): Promise<Restart> {
  const beganMs = performance.now();
  const code = await member.stop('SIGTERM');
  const exitMs = performance.now() - beganMs;
  await member.start(settings === undefined ? {} : { settings });
  return { code, exitMs };
}

/** Resolves when the life that began by itself is ready. */
export async function readyAgain(member: Member): Promise<void> {
  const ready = async () => member.pid() !== undefined && (await fetch(`${member.url}/readyz`)).ok;
  await waitFor(ready, { what: `${member.name} to be ready again`, timeoutMs: 30_000 });
}

/** So many events a second for as long as the work lasts, whether or not they are answered. */
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
      second.catch(() => undefined); // It is thrown below.
      sent.push(second);
      await elapsed(1_000);
    }
    await Promise.all(sent);
  };
  const [answer] = await Promise.all([watched, sendOn()]);
  return answer;
}

/** An API that ends may refuse a connection or cut one, and the client asks another; it never answers 5xx. */
export function serverErrors(rig: Rig): Mark {
  return { what: '5xx', value: rig.load.answers.filter(({ status }) => status >= 500).length, atMost: 0 };
}

/** Every restart ended by itself, with 0, within the time that an orchestrator gives. */
export function endedWell(restarts: readonly Restart[]): Mark[] {
  const exits = restarts.map(({ exitMs }) => exitMs);
  return [
    { what: 'restarts', value: restarts.length },
    { what: 'exit codes not 0', value: restarts.filter(({ code }) => code !== 0).length, atMost: 0 },
    { what: 'longest exit', unit: 'ms', value: Math.max(...exits), atMost: 30_000 },
  ];
}
