/** The constraint or the columns that a unique violation names, or undefined when the error is none. */
export function uniqueViolation(error: unknown): string | undefined {
  const cause = driverCause(error);
  return cause?.kind === 'UniqueConstraintViolation' ? constraintName(cause) : undefined;
}

/** Whether a row was missing that the statement referred to, or is still referred to by others. */
export function isForeignKeyViolation(error: unknown): boolean {
  const kind = driverCause(error)?.kind;
  return kind === 'ForeignKeyConstraintViolation' || kind === 'RestrictViolation';
}

/** A deadlock or a serialization failure: the whole transaction may simply be tried again. */
export function isWriteConflict(error: unknown): boolean {
  return property(error, 'code') === 'P2034' || driverCause(error)?.kind === 'TransactionWriteConflict';
}

/** Whether Postgres is away, starting, stopping or out of connections: the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  const code = property(error, 'code');
  if (typeof code === 'string' && UNAVAILABLE_CODES.has(code)) return true;
  const cause = driverCause(error);
  if (cause !== undefined && UNAVAILABLE_KINDS.has(cause.kind)) return true;
  if (typeof cause?.code === 'string' && UNAVAILABLE_CODES.has(cause.code)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message);
}

const UNAVAILABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);
// P….: Prisma's words for the same; 57P0x: shutdown, crash, starting; 53…: out of connections, disk or memory; 08….:
// connection; 55P03, 57014: waited too long for a lock or a statement; 25006: read-only after a failover.
const UNAVAILABLE_CODES = new Set(
  ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', '57P01', '57P02', '57P03', '53300'].concat(
    ['53100', '53200', '53400', '55P03', '57014', '25006'],
    ['08000', '08003', '08006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ),
);
// What pg says in words only.
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Can't reach database/i;

type DriverCause = { kind: string; code?: unknown; constraint?: unknown };

/** What the driver adapter says, wherever Prisma has put it: on the error itself, in `meta`, or in `cause`. */
function driverCause(error: unknown): DriverCause | undefined {
  const adapterError = property(property(error, 'meta'), 'driverAdapterError');
  for (const candidate of [property(adapterError, 'cause'), property(error, 'cause')]) {
    const kind = property(candidate, 'kind');
    if (typeof kind === 'string') {
      return { kind, code: property(candidate, 'code'), constraint: property(candidate, 'constraint') };
    }
  }
  return undefined;
}

function constraintName({ constraint }: DriverCause): string {
  const index = property(constraint, 'index');
  if (typeof index === 'string') return index;
  const fields = property(constraint, 'fields');
  return Array.isArray(fields) ? fields.join(',') : '';
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
