import { withDeadline } from './deadline.ts';
import { errorFields, type Logger } from './logger.ts';

/** Keeps what a service has opened, and closes it in reverse order when the service is told to stop. */
export type Lifecycle = {
  /**
   * Registers the function that closes something just opened. With `atOnce` it is called when the stop begins, and awaited
   * in its turn: for work that takes long to end.
   */
  onStop(name: string, stop: () => Promise<void> | void, options?: { atOnce: boolean }): void;
  /**
   * Closes everything in reverse order, within the deadline. Later calls await the first. Resolves with true if
   * everything was closed in time and without an error.
   */
  stop(reason: string): Promise<boolean>;
  /** Stops because the service cannot continue. Its process then ends with 1. */
  giveUp(reason: string): void;
};

export type LifecycleOptions = {
  logger: Logger;
  deadlineMs: number;
  /** Called when the service has given up and is closed. By default the process goes on: it may do other work. */
  exit?: (code: number) => void;
};

/** The lifecycle of a service. It does not listen to signals: createProcessLifecycle does. */
export function createLifecycle({ logger, deadlineMs, exit }: LifecycleOptions): Lifecycle {
  const opened: { name: string; atOnce: boolean; stop: () => Promise<void> | void }[] = [];
  let stopping: Promise<boolean> | undefined;
  let clean = true;

  const closeAll = async () => {
    for (const entry of opened.filter(({ atOnce }) => atOnce)) {
      const begun = (async () => entry.stop())();
      begun.catch(() => undefined); // Its turn reports it.
      entry.stop = () => begun;
    }
    for (let entry = opened.pop(); entry !== undefined; entry = opened.pop()) {
      try {
        await entry.stop();
      } catch (error) {
        clean = false;
        logger.error('could not be closed cleanly', { part: entry.name, ...errorFields(error) });
      }
    }
  };
  const stop = (reason: string): Promise<boolean> => {
    if (stopping === undefined) {
      logger.info('stopping', { reason });
      stopping = withDeadline(closeAll(), deadlineMs).then((inTime) => {
        logger.info(inTime ? 'stopped' : 'stopped by the deadline', { reason });
        return inTime && clean;
      });
    }
    return stopping;
  };
  return {
    onStop: (name, close, { atOnce } = { atOnce: false }) => opened.push({ name, atOnce, stop: close }),
    stop,
    giveUp: (reason) => void stop(reason).then(() => exit?.(1)),
  };
}

/**
 * The lifecycle of a process. On SIGTERM and SIGINT it closes everything and ends the process: with 0, or with 1 when
 * the deadline passed or a close failed. An uncaught exception also closes everything, and ends the process with 1.
 */
export function createProcessLifecycle(options: Omit<LifecycleOptions, 'exit'>): Lifecycle {
  const { logger } = options;
  const lifecycle = createLifecycle({ ...options, exit: (code) => process.exit(code) });
  const endProcess = (reason: string) => {
    void lifecycle.stop(reason).then((clean) => process.exit(clean ? 0 : 1));
  };
  process.on('SIGTERM', () => endProcess('SIGTERM'));
  process.on('SIGINT', () => endProcess('SIGINT'));
  process.on('uncaughtException', (error) => {
    logger.error('an exception was not caught', errorFields(error));
    lifecycle.giveUp('uncaught exception');
  });
  process.on('unhandledRejection', (error) => {
    logger.error('a rejection was not handled', errorFields(error));
    lifecycle.giveUp('unhandled rejection');
  });
  return lifecycle;
}
