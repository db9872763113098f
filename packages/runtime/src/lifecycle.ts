import { withDeadline } from './deadline.ts';
import { errorFields, type Logger } from './logger.ts';

/** Keeps what a process has opened, and closes it in reverse order when the process is told to stop. */
export type Lifecycle = {
  /** Registers the function that closes something just opened. */
  onStop(name: string, stop: () => Promise<void> | void): void;
  /** Closes everything in reverse order, within the deadline. Later calls await the first. */
  stop(reason: string): Promise<void>;
};

/**
 * On SIGTERM and SIGINT, closes everything and ends the process: with 0, or with 1 when the deadline passed or a close
 * failed. An uncaught exception also closes everything, and ends the process with 1.
 */
export function createLifecycle(options: { logger: Logger; deadlineMs: number }): Lifecycle {
  const { logger, deadlineMs } = options;
  const opened: { name: string; stop: () => Promise<void> | void }[] = [];
  let stopping: Promise<void> | undefined;
  let clean = true;

  const closeAll = async () => {
    for (let entry = opened.pop(); entry !== undefined; entry = opened.pop()) {
      try {
        await entry.stop();
      } catch (error) {
        clean = false;
        logger.error('could not be closed cleanly', { part: entry.name, ...errorFields(error) });
      }
    }
  };
  const stop = (reason: string): Promise<void> => {
    if (stopping === undefined) {
      logger.info('stopping', { reason });
      stopping = withDeadline(closeAll(), deadlineMs).then((inTime) => {
        if (!inTime) clean = false;
        logger.info(inTime ? 'stopped' : 'stopped by the deadline', { reason });
      });
    }
    return stopping;
  };
  const endProcess = (reason: string, failed: boolean) => {
    void stop(reason).then(() => process.exit(failed || !clean ? 1 : 0));
  };

  process.on('SIGTERM', () => endProcess('SIGTERM', false));
  process.on('SIGINT', () => endProcess('SIGINT', false));
  process.on('uncaughtException', (error) => {
    logger.error('an exception was not caught', errorFields(error));
    endProcess('uncaught exception', true);
  });
  process.on('unhandledRejection', (error) => {
    logger.error('a rejection was not handled', errorFields(error));
    endProcess('unhandled rejection', true);
  });
  return { onStop: (name, close) => opened.push({ name, stop: close }), stop };
}
