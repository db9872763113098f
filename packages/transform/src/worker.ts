import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Run } from './run.ts';
import { compileEngine, createSandbox } from './sandbox.ts';
import { openThreadTime, ownTask } from './thread-time.ts';

// The program of a lane's thread: runs what it is sent, one after the other.

export type WorkerData = {
  /** The thread's priority, from 0 (as the process) to 19 (the least). */
  niceness: number;
  /** As an option of the sandbox. */
  endsSteps: boolean;
  /** From a thread before; undefined for the first. */
  engine: WebAssembly.Module | undefined;
};

/** What the thread says once it can run: its number in the system, if it has one, and its engine for later threads. */
export type Ready = { kind: 'ready'; task: string | undefined; engine: WebAssembly.Module };

const { niceness, endsSteps, engine = await compileEngine() } = workerData as WorkerData;
const task = ownTask();
// On Linux a priority belongs to a thread. So code that may not end leaves the processors to the process that delivers.
if (task !== undefined) setPriority(Number(task), niceness);
const wallMs = () => performance.now();
const computedMs = (task === undefined ? undefined : openThreadTime(task)) ?? wallMs;
const sandbox = await createSandbox(engine, { computedMs, endsSteps });
// The first runs of a thread are slower: the engine is compiled meanwhile.
for (let run = 0; run < 3; run += 1)
  await sandbox.run({ code: 'function transform() {}', input: '{}', wantsLogs: false, mostMs: 1_000 });

let last = Promise.resolve();
parentPort?.on('message', (run: Run) => {
  last = last.then(async () => parentPort?.postMessage(await sandbox.run(run)));
});
parentPort?.postMessage({ kind: 'ready', task, engine } satisfies Ready);
