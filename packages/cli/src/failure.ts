import {
  ApiError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  OptionError,
  PosthornError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from '@posthorn/client';
import { oneLine } from './safe-text.ts';

export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  refused: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

export type Failure = {
  exitCode: number;
  /** A code of the interface, or one of the command line's own. */
  code: string;
  message: string;
  requestId?: string | undefined;
  /** What the user can do next. */
  next?: string | undefined;
};

/** A wrong command line. Nothing was done. */
export class Usage extends Error {
  override name = 'Usage';
}

/** Ends a command with an exit code other than 0. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function toFailure(error: unknown): Failure {
  if (error instanceof CommandError) return error.failure;
  if (error instanceof Usage) return { exitCode: EXIT.usage, code: 'usage', message: error.message };
  if (error instanceof OptionError) return ofOption(error);
  if (error instanceof ApiError) return ofApi(error);
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    const code = error instanceof TimeoutError ? 'timeout' : 'no_connection';
    const next = 'check the address and the network: posthorn profile list shows the address';
    return { exitCode: EXIT.unavailable, code, message: error.message, next };
  }
  const code = error instanceof PosthornError ? 'failed' : 'unexpected_error';
  return { exitCode: EXIT.other, code, message: error instanceof Error ? error.message : String(error) };
}

function ofOption({ option, message }: OptionError): Failure {
  if (!CREDENTIALS.includes(option)) return { exitCode: EXIT.usage, code: 'usage', message };
  const next = 'posthorn login, or set POSTHORN_BASE_URL and POSTHORN_TOKEN';
  return { exitCode: EXIT.unauthorized, code: 'not_logged_in', message, next };
}

const CREDENTIALS = ['token', 'apiKey'];

/** One line: `posthorn: code: message (request …). Next: …` */
export function describeFailure({ code, message, requestId, next }: Failure): string {
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return oneLine(`posthorn: ${code}: ${message}${request}${next === undefined ? '' : `. Next: ${next}`}`);
}

function ofApi(error: ApiError): Failure {
  const { code, requestId } = error;
  // Leave out details that repeat the message, and do not repeat a field that the detail names.
  const details = (error.details ?? [])
    .filter(({ message }) => !error.message.includes(message))
    .map(({ field, message }) => (message.startsWith(field) ? message : `${field}: ${message}`))
    .join('; ');
  const message = details === '' ? error.message : `${error.message}: ${details}`;
  return { code, message, requestId, ...verdictOf(error) };
}

function verdictOf(error: ApiError): { exitCode: number; next: string } {
  // The address is probably that of another server.
  if (error.code === 'unexpected_answer') {
    return { exitCode: EXIT.unavailable, next: 'check the address: posthorn profile list shows it' };
  }
  if (error instanceof UnauthorizedError) return { exitCode: EXIT.unauthorized, next: 'log in again: posthorn login' };
  if (error instanceof ForbiddenError) {
    return { exitCode: EXIT.unauthorized, next: 'use a credential that may do this: posthorn whoami shows yours' };
  }
  if (error instanceof NotFoundError) {
    return { exitCode: EXIT.notFound, next: 'check the id, and the workspace: posthorn whoami shows yours' };
  }
  if (error instanceof RateLimitedError) {
    return { exitCode: EXIT.refused, next: `try again in ${error.retryAfter ?? 1} s` };
  }
  if (error instanceof UnavailableError) return { exitCode: EXIT.unavailable, next: 'try again in a minute' };
  if (error.status >= 500) return { exitCode: EXIT.other, next: 'give the operator the request id' };
  return { exitCode: EXIT.refused, next: 'change the request: --help shows an example' };
}
