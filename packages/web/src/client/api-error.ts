import { t } from '../language/language.ts';
import { type FieldProblem, problemWords } from './refusal-words.ts';

/** A response that is not a success, or no response at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The response's X-Request-Id, by which the service's log can be searched. */
  readonly requestId: string | null;
  /** The wait that the response asks for; null if it asks for none. */
  readonly retryAfterMs: number | null;
  /** The problems of the input by field, such as `config.headers`. */
  readonly details: readonly FieldProblem[];

  constructor(fault: {
    status: number;
    code: string;
    message: string;
    requestId: string | null;
    retryAfterMs?: number | null;
    details?: readonly FieldProblem[];
  }) {
    super(fault.message);
    this.name = 'ApiError';
    this.status = fault.status;
    this.code = fault.code;
    this.requestId = fault.requestId;
    this.retryAfterMs = fault.retryAfterMs ?? null;
    this.details = fault.details ?? [];
  }
}

/** Makes the error of a response. `body` is its parsed JSON, of any shape. */
export function apiErrorOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): ApiError {
  const error = fieldOf(body, 'error');
  const code = fieldOf(error, 'code');
  const message = fieldOf(error, 'message');
  return new ApiError({
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
    code: typeof code === 'string' ? code : 'unexpected_answer',
    message: typeof message === 'string' ? message : t('The service answered {status}', { status: `${status}` }),
    details: detailsOf(fieldOf(error, 'details')),
  });
}

/**
 * The problems that a response reports for a field or its parts, one on each line; undefined if there are none. The
 * text stands below the field's label, so it leaves out the API's name of the field, but keeps the names of its parts.
 */
export function fieldProblem(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const problems = error.details.filter((problem) => isAgainst(problem, field));
  if (problems.length === 0) return undefined;
  return problems.map((one) => problemWords({ ...one, message: withoutName(one.message, field) })).join('\n');
}

/**
 * The problems of the input that none of the shown fields displays; undefined for an error that is not about the input.
 */
export function problemsBeyond(error: unknown, shown: readonly string[]): string[] | undefined {
  if (!(error instanceof ApiError) || error.details.length === 0) return undefined;
  const isShown = (problem: FieldProblem) => shown.some((field) => isAgainst(problem, field));
  return error.details.filter((problem) => !isShown(problem)).map(problemWords);
}

function isAgainst({ field: name }: FieldProblem, field: string): boolean {
  return name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`);
}

function withoutName(message: string, field: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** True if there is no valid session: it has ended, or there never was one. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** True if the workspace requires a second factor, and the person has none. */
export function isFactorRequired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_required';
}

/** True if the service answered that the resource does not exist, or no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/**
 * True if a page must show the error instead of its content: nothing was read, or the resource no longer exists. After
 * any other failure, the page keeps the last answer.
 */
export function isUnread({ data, error }: { data: unknown; error: unknown }): boolean {
  return error !== null && (data === undefined || isGone(error));
}

function detailsOf(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const field = fieldOf(one, 'field');
    const message = fieldOf(one, 'message');
    const rule = fieldOf(one, 'rule');
    if (typeof field !== 'string' || typeof message !== 'string') return [];
    return [{ field, message, ...(typeof rule === 'string' && { rule }) }];
  });
}

/** Reads `Retry-After`, in which the service sends whole seconds. */
function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : null;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
