import { createContext, Script } from 'node:vm';

/** The name of the work in the context of the script. The work runs in the context where it was made: nothing isolates it. */
const NAME = 'work';
const context: Record<string, () => unknown> = {};
createContext(context);
const script = new Script(`${NAME}()`);

/**
 * Runs `work`, and ends it after `ms` of time that passed, even within one step of WebAssembly. Returns undefined then: the
 * state of what the work used is unknown. The thread goes on. It costs about 0.2 ms, because Node starts a thread that waits.
 */
export function within<Result extends object>(ms: number, work: () => Result): Result | undefined {
  context[NAME] = work;
  try {
    return script.runInContext(context, { timeout: ms }) as Result;
  } catch (error) {
    // It is an error of the other context, so it is not an instance of this one's `Error`.
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
