import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createSandbox, type Run } from './sandbox.ts';
import { openThreadTime, ownTask } from './thread-time.ts';

// The program of a lane's thread: runs what it is sent, one after the other.

/** `niceness` is the thread's priority, from 0 (as the process) to 19 (the least). */
export type WorkerData = { niceness: number };

const task = ownTask();
// On Linux a priority belongs to a thread. So code that may not end leaves the processors to the process that delivers.
if (task !== undefined) setPriority(Number(task), (workerData as WorkerData).niceness);
const wallMs = () => performance.now();
const sandbox = await createSandbox((task === undefined ? undefined : openThreadTime(task)) ?? wallMs);
// The first runs of a thread are slower: the engine is compiled meanwhile.
for (let run = 0; run < 3; run += 1)
  sandbox.run({ code: 'function transform() {}', input: '{}', wantsLogs: false, mostMs: 1_000 });

parentPort?.on('message', (run: Run) => parentPort?.postMessage(sandbox.run(run)));
parentPort?.postMessage({ kind: 'ready', task });
