/** The constraint or the columns of a unique violation; undefined for any other error. */
export function uniqueViolation(error: unknown): string | undefined {
  const cause = driverCause(error);
  return cause?.kind === 'UniqueConstraintViolation' ? constraintName(cause) : undefined;
}

/** Whether the statement referenced a missing row, or removed a row that is still referenced. */
export function isForeignKeyViolation(error: unknown): boolean {
  const kind = driverCause(error)?.kind;
  return kind === 'ForeignKeyConstraintViolation' || kind === 'RestrictViolation';
}

/** A deadlock or a serialization failure: the whole transaction can be retried. */
export function isWriteConflict(error: unknown): boolean {
  return property(error, 'code') === 'P2034' || driverCause(error)?.kind === 'TransactionWriteConflict';
}

/**
 * Whether Postgres is away, starting, stopping, silent, out of connections or without a partition for the row, or ended
 * the work because of a conflict with other work: the caller may try again later.
 */
export function isUnavailable(error: unknown): boolean {
  const cause = driverCause(error);
  if (cause !== undefined && UNAVAILABLE_KINDS.has(cause.kind)) return true;
  const sqlState = cause?.sqlState;
  if (sqlState !== undefined) return UNAVAILABLE_CODES.has(sqlState);
  const code = property(error, 'code');
  if (typeof code === 'string' && UNAVAILABLE_CODES.has(code)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message);
}

/** The SQLSTATE of an error from Postgres, or else the name of the error. It says nothing about the data. */
export function faultCode(error: unknown): string {
  const name = property(error, 'name');
  return driverCause(error)?.sqlState ?? (typeof name === 'string' ? name : typeof error);
}

/** Whether a statement has waited for a lock for longer than its connection allows. */
export function isLockedOut(error: unknown): boolean {
  return driverCause(error)?.sqlState === '55P03';
}

/** Whether Postgres has ended the statement at its time limit. */
export function isTimedOut(error: unknown): boolean {
  return driverCause(error)?.sqlState === '57014';
}

/** Whether a row's time has no partition yet. That row waits for the partition maintenance; other rows do not. */
export function isMissingPartition(error: unknown): boolean {
  return driverCause(error)?.sqlState === NO_PARTITION;
}

/**
 * Whether a statement can never succeed, however often it is repeated: its data or its text is wrong (SQLSTATE classes
 * 22, 23 and 42, but not 23514, a missing partition), or Prisma refused its arguments.
 */
export function isHopeless(error: unknown): boolean {
  if (property(error, 'name') === 'PrismaClientValidationError') return true;
  const sqlState = driverCause(error)?.sqlState ?? property(error, 'code');
  return typeof sqlState === 'string' && /^(22|23|42)[0-9A-Z]{3}$/.test(sqlState) && sqlState !== NO_PARTITION;
}

/** Whether a statement had a value that no column can hold, such as a text with U+0000 (SQLSTATE class 22). */
export function isWrongValue(error: unknown): boolean {
  return driverCause(error)?.sqlState?.startsWith('22') === true;
}

/** A check violation. The schema has no checks, so only a row without a partition causes it. */
const NO_PARTITION = '23514';
const UNAVAILABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
// P…: Prisma's codes for the same conditions; 57P0x: shutdown, crash, starting; 53…: out of connections, disk or
// memory; 08…: connection; 55P03, 57014: a wait for a lock or a statement took too long; 25006: read-only after a
// failover; P2034, 40001, 40P01: repeated write conflicts or deadlocks.
const UNAVAILABLE_CODES = new Set(
  ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', '57P01', '57P02', '57P03', '53300', NO_PARTITION].concat(
    ['53100', '53200', '53400', '55P03', '57014', '25006', 'P2034', '40001', '40P01'],
    ['08000', '08003', '08006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ),
);
// Errors that pg reports only by message.
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Can't reach database|the time zone of the session is/i;

type DriverCause = { kind: string; sqlState: string | undefined; constraint?: unknown };

/** The driver adapter's error, wherever Prisma puts it: on the error itself, in `meta`, or in `cause`. */
function driverCause(error: unknown): DriverCause | undefined {
  const adapterError = property(property(error, 'meta'), 'driverAdapterError');
  for (const candidate of [property(adapterError, 'cause'), property(error, 'cause')]) {
    const kind = property(candidate, 'kind');
    if (typeof kind === 'string') {
      // `code` is set when the adapter has no kind for the error; `originalCode` is always set, except for socket
      // errors.
      const code = property(candidate, 'originalCode') ?? property(candidate, 'code');
      const sqlState = typeof code === 'string' && SQL_STATE.test(code) ? code : undefined;
      return { kind, sqlState, constraint: property(candidate, 'constraint') };
    }
  }
  return undefined;
}

const SQL_STATE = /^[0-9A-Z]{5}$/;

function constraintName({ constraint }: DriverCause): string {
  const index = property(constraint, 'index');
  if (typeof index === 'string') return index;
  const fields = property(constraint, 'fields');
  return Array.isArray(fields) ? fields.join(',') : '';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
