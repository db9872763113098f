import winston from 'winston';
import Transport from 'winston-transport';

/** Facts of one line, beside its message. Never a payload, a secret, a password or a token. */
export type LogFields = Record<string, unknown>;

/** One line of JSON a call, on stdout. `error` is for what wants a person, `warn` for what heals by itself. */
export type Logger = {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
};

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A logger that puts `service` and the time on every line. `write` replaces stdout, for tests. */
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

/** Where winston keeps the line that its format made. */
const MESSAGE: unique symbol = Symbol.for('message');

/**
 * Writes the lines of one turn of the event loop together, at its end or the process': each write is a system call. With
 * winston's own Console in between, ingestion's lines took 25 µs each, and so 12.
 */
function createLineWriter(stream: NodeJS.WriteStream): (line: string) => void {
  // Whoever read the log may have gone: that must neither end the process nor be logged, which would fail again.
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

/** Fields are plain; winston's own serializer, which is made for what is not, took three times as long. */
const oneLine = winston.format.printf((line) => JSON.stringify(line));

/** What of an error may stand in a log line: its name, message and place, its causes, never its data. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  return { error: error.message, errorName: error.name, stack: error.stack, ...cause };
}

const QUIET_MS = 1_000;

/**
 * A logger for what may fail thousands of times a second while a dependency is away: one line a second in all. What
 * finds the second taken waits for its turn and is then written as it last was, with how often it was swallowed.
 */
export function createQuietLogger(logger: Pick<Logger, 'warn'>): Pick<Logger, 'warn'> {
  const waiting = new Map<string, { fields: LogFields | undefined; repeated: number }>();
  let resting = false;
  const write = (message: string, fields: LogFields | undefined, repeated: number) => {
    logger.warn(message, { ...fields, repeated });
    resting = true;
    // Not worth a process's life: what waits when it ends has been said before, or concerns nobody any more.
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
