import winston from 'winston';
import Transport from 'winston-transport';
import { describeError } from './describe-error.ts';

/** The fields of a line, besides its message. Never a payload, a secret, a password or a token. */
export type LogFields = Record<string, unknown>;

/** Writes one line of JSON to stdout for each call. An `error` needs a person; a `warn` recovers by itself. */
export type Logger = {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
};

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger that adds `service` and the time to every line. `write` replaces stdout in tests. */
export function createLogger(options: { service: string; level: LogLevel; write?: (line: string) => void }): Logger {
  const { service, level, write = createLineWriter(process.stdout) } = options;
  return winston.createLogger({
    level: level === 'silent' ? 'error' : level,
    silent: level === 'silent',
    defaultMeta: { service },
    format: winston.format.combine(winston.format.timestamp(), oneLine),
    transports: [
      new Transport({
        log(info: { [MESSAGE]: string }, next: () => void) {
          write(`${info[MESSAGE]}\n`);
          next();
        },
      }),
    ],
  });
}

/** The key under which winston stores the formatted line. */
const MESSAGE: unique symbol = Symbol.for('message');

/**
 * Writes the lines of one turn of the event loop together, at its end or at the end of the process, because each write
 * is a system call. Ingestion's lines took 25 µs each with winston's own Console, and take 12 this way.
 */
function createLineWriter(stream: NodeJS.WriteStream): (line: string) => void {
  // An error here means that nothing reads the log any more. It must neither end the process nor be logged, because
  // logging would fail again.
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  let waiting = '';
  const flush = () => {
    if (waiting !== '') stream.write(waiting);
    waiting = '';
  };
  process.on('exit', flush);
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting += line;
  };
}

/** Writes plain values only. winston's own serializer also handles other values, and took three times as long. */
const oneLine = winston.format.printf((line) => JSON.stringify(line));

/** The parts of an error that a log line may contain: its name, message, place and causes, never its data. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { error: describeError(error), errorName: error.name, stack: error.stack, ...cause };
}

const QUIET_MS = 1_000;

/**
 * A logger for errors that may occur thousands of times a second while a dependency is away. It writes at most one line
 * a second. Further messages wait for the next second. Only the latest message of each text is written, with the number
 * of those that it left out.
 */
export function createQuietLogger(logger: Pick<Logger, 'warn'>): Pick<Logger, 'warn'> {
  const waiting = new Map<string, { fields: LogFields | undefined; repeated: number }>();
  let resting = false;
  const write = (message: string, fields: LogFields | undefined, repeated: number) => {
    logger.warn(message, { ...fields, repeated });
    resting = true;
    // The timer does not keep the process alive. A message that still waits at the end was logged before, or no longer
    // matters.
    setTimeout(next, QUIET_MS).unref();
  };
  const next = () => {
    resting = false;
    for (const [message, { fields, repeated }] of waiting) {
      waiting.delete(message);
      return write(message, fields, repeated);
    }
  };
  return {
    warn(message, fields) {
      if (!resting) return write(message, fields, 0);
      waiting.set(message, { fields, repeated: (waiting.get(message)?.repeated ?? -1) + 1 });
    },
  };
}
