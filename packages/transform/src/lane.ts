import { Worker } from 'node:worker_threads';
import { toError } from '@posthorn/runtime/describe-error';
import { type Run, type RunResult, STUCK } from './run.ts';
import { openThreadTime } from './thread-time.ts';
import type { Ready, WorkerData } from './worker.ts';
import { WORKER_FILE } from './worker-file.ts';

/** One thread that runs transformations in the order in which they arrive. The first run starts the thread. */
export type Lane = {
  /** Rejects only when the thread cannot be started, or is closed. */
  run(run: Run): Promise<RunResult>;
  close(): Promise<void>;
};

/** A run that has computed for this long ends together with its thread, unless the sandbox ends such runs itself. */
const STUCK_MS = 100;
const LOOK_EVERY_MS = 50;
/**
 * The longest time of a run, also where the thread's computing time is unknown. A lease lasts 5 s longer than the
 * attempt.
 */
const STUCK_WALL_MS = 3_000;

type Job = { run: Run; resolve: (result: RunResult) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; isReady: boolean; computedMs: (() => number) | undefined };

/** The compiled engine, from the first thread that compiled it. */
let engine: WebAssembly.Module | undefined;

/**
 * Opens a lane. Starting a thread takes 200 ms of CPU time, so a lane for code that may never end needs `endsSteps`.
 */
export function openLane({ niceness, endsSteps }: Pick<WorkerData, 'niceness' | 'endsSteps'>): Lane {
  const jobs: Job[] = [];
  let thread: Thread | undefined;
  let watch: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Ends the thread. Jobs that have not begun run in the next thread. */
  async function replace(): Promise<void> {
    const ended = thread;
    thread = undefined;
    clearTimeout(watch);
    if (ended !== undefined) {
      ended.worker.removeAllListeners();
      // An error while the thread ends has no consequences.
      ended.worker.on('error', () => {});
      await ended.worker.terminate();
    }
    if (jobs.length > 0 && thread === undefined && !isClosed) start();
  }

  function settle(result: RunResult): void {
    jobs.shift()?.resolve(result);
    watchFirst();
  }

  function giveUpFirst(computedMs: number): void {
    jobs.shift()?.resolve({ ...STUCK, computedMs });
    void replace();
  }

  function start(): void {
    const worker = new Worker(WORKER_FILE, {
      // The thread's own heap only holds the texts of a few runs. The sandbox limits the memory of the engine.
      resourceLimits: { maxOldGenerationSizeMb: 64 },
      stdout: true,
      stderr: true,
      env: {},
      workerData: { niceness, endsSteps, engine } satisfies WorkerData,
    });
    const started: Thread = { worker, isReady: false, computedMs: undefined };
    thread = started;
    worker.unref();
    worker.on('message', (message: RunResult | Ready) => {
      if (message.kind !== 'ready') return settle(message);
      engine ??= message.engine;
      started.isReady = true;
      started.computedMs = message.task === undefined ? undefined : openThreadTime(message.task);
      watchFirst();
    });
    worker.on('error', (error) => {
      if (started.isReady) return giveUpFirst(STUCK_MS);
      const failed = jobs.splice(0);
      for (const job of failed) job.reject(toError(error));
      void replace();
    });
    for (const { run } of jobs) worker.postMessage(run);
  }

  /** Watches whether the first job runs for too long. */
  function watchFirst(): void {
    clearTimeout(watch);
    const [first] = jobs;
    if (first === undefined || thread?.isReady !== true) return;
    const startedMs = performance.now();
    const { computedMs } = thread;
    let computedBefore: number | undefined;
    const look = () => {
      if (jobs[0] !== first) return;
      const passedMs = performance.now() - startedMs;
      const computed = computedMs?.();
      computedBefore ??= computed;
      const spentMs =
        computed === undefined || computedBefore === undefined ? passedMs / 10 : computed - computedBefore;
      if ((spentMs >= STUCK_MS && !endsSteps) || passedMs > STUCK_WALL_MS) giveUpFirst(spentMs);
      else watch = setTimeout(look, LOOK_EVERY_MS).unref();
    };
    watch = setTimeout(look, LOOK_EVERY_MS).unref();
  }

  return {
    run: (run) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the lane is closed'));
        jobs.push({ run, resolve, reject });
        if (thread === undefined) start();
        else thread.worker.postMessage(run);
        if (jobs.length === 1) watchFirst();
      }),
    async close() {
      isClosed = true;
      for (const job of jobs.splice(0)) job.reject(new Error('the lane is closed'));
      await replace();
    },
  };
}
