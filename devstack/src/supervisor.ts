import { join } from 'node:path';
import { type Child, endChild, type Program, startChild } from './child.ts';
import { Failure } from './failure.ts';
import type { Guard } from './guard.ts';
import { decideRestart, neverDied, type RestartState } from './restart-policy.ts';
import { rotateLog } from './rotate-log.ts';
import type { Run } from './run.ts';
import { red, say, sayBlock } from './say.ts';

/** Keeps programs alive until the run ends. */
export type Supervisor = {
  /** Starts the program now, and again whenever it ends. */
  keep(program: Program): Kept;
  /**
   * The running programs, in the order in which they were started. A process that waits for its restart is not listed.
   */
  processes(): { name: string; pid: number }[];
  /** Called after each restart. */
  onRestart(listener: () => void): void;
};

export type Kept = { stop: (hurry: AbortSignal) => Promise<void> };

type Keeping = {
  program: Program;
  child: Child;
  alive: boolean;
  shownWords?: string;
  timer?: NodeJS.Timeout;
  stopping: boolean;
};

const SHOWN_LINES = 12;
const ROTATE_EVERY_MS = 1_000;

/** A supervisor that logs to `logsFolder`, and fails the whole run when the restart policy gives up a program. */
export function createSupervisor(run: Run, logsFolder: string, guard: Guard): Supervisor {
  const keeping: Keeping[] = [];
  const listeners: (() => void)[] = [];
  const logOf = (program: Program) => join(logsFolder, `${program.name}.log`);

  const rotating = setInterval(() => {
    try {
      for (const { program } of keeping) rotateLog(logOf(program));
    } catch {
      // Most likely a full disk: the programs continue, and the next round tries again.
    }
  }, ROTATE_EVERY_MS);
  rotating.unref();

  const watch = async (kept: Keeping, state: RestartState) => {
    const { program, child } = kept;
    const bornMs = run.clock.monotonicMs();
    const reason = await child.ended;
    kept.alive = false;
    if (kept.stopping || run.signal.aborted) return;
    const atMs = run.clock.monotonicMs();
    const decision = decideRestart(state, { atMs, livedMs: atMs - bornMs });
    const words = child.lastWords(SHOWN_LINES);
    if (words === '' || words === kept.shownWords) {
      say(program.name, red(`ended unexpectedly (${reason})${words === '' ? '' : ', with the same output'}`));
    } else {
      say(program.name, red(`ended unexpectedly (${reason}); the end of its log, ${logOf(program)}:`));
      sayBlock(indent(words));
    }
    kept.shownWords = words;
    if (decision.kind === 'give_up') {
      run.fail(
        new Failure(
          `${program.name} ended five times within a minute, the last time with: ${reason}.`,
          `Its whole log: ${logOf(program)}`,
        ),
      );
      return;
    }
    say(program.name, `restarts in ${decision.afterMs / 1000} s`);
    kept.timer = setTimeout(() => {
      if (kept.stopping || run.signal.aborted) return;
      kept.child = startChild(program, logOf(program), guard);
      kept.alive = true;
      void watch(kept, decision.state);
      for (const listener of listeners) listener();
    }, decision.afterMs);
  };

  return {
    keep(program) {
      run.signal.throwIfAborted();
      rotateLog(logOf(program));
      const kept: Keeping = {
        program,
        child: startChild(program, logOf(program), guard),
        alive: true,
        stopping: false,
      };
      keeping.push(kept);
      void watch(kept, neverDied);
      return { stop: (hurry) => stop(kept, hurry) };
    },
    processes: () =>
      keeping.flatMap(({ program: { name }, child: { pid }, alive }) =>
        alive && pid !== undefined ? { name, pid } : [],
      ),
    onRestart: (listener) => void listeners.push(listener),
  };
}

async function stop(kept: Keeping, hurry: AbortSignal): Promise<void> {
  kept.stopping = true;
  clearTimeout(kept.timer);
  await endChild(kept.child, kept.program, hurry);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `             ${line}`)
    .join('\n');
}
