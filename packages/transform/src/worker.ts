import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Run } from './run.ts';
import { compileEngine, createSandbox } from './sandbox.ts';
import { openThreadTime, ownTask } from './thread-time.ts';

// The program of a lane's thread. It runs the jobs that it gets, one after the other.

export type WorkerData = {
  /** The thread's priority, from 0 (that of the process) to 19 (the lowest). */
  niceness: number;
  /** The sandbox's option of the same name. */
  endsSteps: boolean;
  /** The engine that an earlier thread compiled; undefined in the first thread. */
  engine: WebAssembly.Module | undefined;
};

/** The thread's first message, when it can run code: its system id, if it has one, and its engine for later threads. */
export type Ready = { kind: 'ready'; task: string | undefined; engine: WebAssembly.Module };

const { niceness, endsSteps, engine = await compileEngine() } = workerData as WorkerData;
const task = ownTask();
// On Linux each thread has its own priority. So code that may never end leaves the CPU to the delivery of events.
if (task !== undefined) setPriority(Number(task), niceness);
const wallMs = () => performance.now();
const computedMs = (task === undefined ? undefined : openThreadTime(task)) ?? wallMs;
const sandbox = await createSandbox(engine, { computedMs, endsSteps });
// Warms up: the first runs of a thread are slower, because V8 still compiles the engine.
for (let run = 0; run < 3; run += 1)
  await sandbox.run({ code: 'function transform() {}', input: '{}', wantsLogs: false, mostMs: 1_000 });

let last = Promise.resolve();
parentPort?.on('message', (run: Run) => {
  last = last.then(async () => parentPort?.postMessage(await sandbox.run(run)));
});
parentPort?.postMessage({ kind: 'ready', task, engine } satisfies Ready);
