import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { compileEngine, createSandbox, type Run } from './sandbox.ts';
import { openThreadTime, ownTask } from './thread-time.ts';

// The program of a lane's thread: runs what it is sent, one after the other.

export type WorkerData = {
  /** The thread's priority, from 0 (as the process) to 19 (the least). */
  niceness: number;
  /** From a thread before; undefined for the first. */
  engine: WebAssembly.Module | undefined;
};

/** What the thread says once it can run: its number in the system, if it has one, and its engine for later threads. */
export type Ready = { kind: 'ready'; task: string | undefined; engine: WebAssembly.Module };

const { niceness, engine = await compileEngine() } = workerData as WorkerData;
const task = ownTask();
// On Linux a priority belongs to a thread. So code that may not end leaves the processors to the process that delivers.
if (task !== undefined) setPriority(Number(task), niceness);
const wallMs = () => performance.now();
const sandbox = await createSandbox(engine, (task === undefined ? undefined : openThreadTime(task)) ?? wallMs);
// The first runs of a thread are slower: the engine is compiled meanwhile.
for (let run = 0; run < 3; run += 1)
  sandbox.run({ code: 'function transform() {}', input: '{}', wantsLogs: false, mostMs: 1_000 });

parentPort?.on('message', (run: Run) => parentPort?.postMessage(sandbox.run(run)));
parentPort?.postMessage({ kind: 'ready', task, engine } satisfies Ready);
