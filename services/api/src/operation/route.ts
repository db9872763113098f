import type { Capability, Role, Scope } from '@posthorn/contract/access';
import type { ErrorCode } from '@posthorn/contract/errors';
import type { z } from 'zod';
import type { JsonText } from '../transport/answer.ts';
import type { WorkspaceContext } from './context.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The names in a path template: `/a/{id}/b/{otherId}` has `id` and `otherId`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof PathParameters<Rest>]: string }
  : Record<never, string>;

export type Described = {
  operationId: string;
  method: Method;
  tag: string;
  summary: string;
  description: string;
  /** The status of a successful answer. */
  status: 200 | 201 | 202 | 204;
  /** The errors of this operation, besides those of every operation (401, 400 for its input, 429, 500, 503). */
  errors: readonly ErrorCode[];
};

/**
 * One operation on a workspace, as a row of data. The dashboard offers every row. The management interface offers those
 * that are not `dashboardOnly`, and the portal those that name a capability. `run` is the operation. Its result is sent
 * only through `response`, except a large document (`JsonText`). An array may be answered in pages (`inPages`): each
 * page is an array.
 */
export type Route = Described & {
  path: string;
  /** A management token needs one of these scopes. */
  scopes: readonly Scope[];
  /** The lowest role that a session needs. */
  role: Role;
  /**
   * The capability that a portal session needs, or `any` for every portal session. Undefined when the portal does not
   * offer the row.
   */
  capability: Capability | 'any' | undefined;
  /** The description in the portal, where a customer has one application in one environment. */
  portalDescription: string | undefined;
  /** Offered only to sessions, not to management tokens. */
  dashboardOnly: boolean;
  /**
   * Whether a token that is bound to environments may use it: `run` stays within `bounds`. Reads do by default; a change
   * does only when the row says so.
   */
  inEnvironment: boolean;
  /** Refused with plan_required on the free plan. */
  paid: boolean;
  /** Whether it is a large read with this query (docs/interface.md, Delivery list item). `run` then reads by `listDb`. */
  isLargeRead: (query: unknown) => boolean;
  /**
   * Whether `run` reads only by `listDb`, and the answer may be as old as the lag of a replica. If there is a replica,
   * the answer has a `Posthorn-Read-From` header.
   */
  mayLag: boolean;
  /** Whether the answer may have a `Link` header to its next page. */
  links: boolean;
  /** Whether `run` returns a stream (`EventStream`) of server-sent events; `response` is the schema of one. */
  streams: boolean;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  /** Whether `run` also gets the body as it was sent. */
  takesBytes: boolean;
  response: z.ZodType | undefined;
  /** Writes the parsed answer as CSV, for a request that prefers `text/csv` to JSON. */
  csv: ((answer: unknown) => string) | undefined;
  /**
   * The answer to a body with `dryRun: true`, or to a query with `dryRun=true` where the row has one. A dry run changes
   * nothing and has the status 200, and the scope `read` or the role `viewer` suffices. Undefined without a dry run.
   */
  dryRun: z.ZodType | undefined;
  /** Fields of the answer that are only stored sealed: an `Idempotency-Key` repeats them for ten minutes only. */
  secrets: readonly string[];
  /**
   * Whether it creates or replaces the resource that `ext:` and an externalId in its path name. `run` then returns
   * `Created` for a new resource, which is answered with 201.
   */
  upserts: boolean;
  /** Whether the answer is known only some time after the change has been committed. */
  answersLater: boolean;
  /** Whether the operation itself handles an `Idempotency-Key`. Its result then has `duplicate`. */
  ownIdempotency: boolean;
  /**
   * For a row that changes a resource: the fields of the resource that never change. A body may repeat their present
   * value, which `present` reads.
   */
  immutable: readonly string[];
  /** The resource as the caller sees it, for a body that repeats what does not change. The body is not parsed yet. */
  present: ((context: WorkspaceContext, params: Record<string, string>, body: unknown) => Promise<unknown>) | undefined;
  run: (context: WorkspaceContext, input: RouteInput) => Promise<unknown>;
};

/** The input is parsed before the operation runs, so the operation trusts it. */
export type RouteInput = {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  /** The body as it was sent; empty unless `takesBytes`. */
  bytes: Buffer;
  /** The `Idempotency-Key` of the request, where the row honours one. */
  idempotencyKey: string | undefined;
};

type RouteRow<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Dry extends z.ZodType,
> = Omit<Described, 'errors'> & {
  path: Path;
  scopes: readonly Scope[];
  role: Role;
  capability?: Capability | 'any';
  portalDescription?: string;
  dashboardOnly?: boolean;
  inEnvironment?: boolean;
  paid?: boolean;
  isLargeRead?: boolean | ((query: z.output<Query>) => boolean);
  mayLag?: boolean;
  errors?: readonly ErrorCode[];
  links?: boolean;
  streams?: boolean;
  query?: Query;
  body?: Body;
  takesBytes?: boolean;
  response?: Answer;
  csv?: (answer: z.output<Answer>) => string;
  dryRun?: Dry;
  secrets?: readonly (keyof z.output<Answer> & string)[];
  upserts?: boolean;
  answersLater?: boolean;
  ownIdempotency?: boolean;
  immutable?: readonly (keyof z.output<Answer> & string)[];
  present?: (context: WorkspaceContext, params: PathParameters<Path>, body: unknown) => Promise<unknown>;
  run: (
    context: WorkspaceContext,
    input: Pick<RouteInput, 'bytes' | 'idempotencyKey'> & {
      params: PathParameters<Path>;
      query: z.output<Query>;
      body: z.output<Body>;
    },
  ) => Promise<
    z.input<Answer> | Created<z.input<Answer>> | z.input<Dry> | AsyncIterable<z.input<Answer>> | JsonText | undefined
  >;
};

const CREATED = Symbol('created');

/** The answer of an upsert that made something new. */
export type Created<Answer> = { readonly [CREATED]: Answer };

export function created<Answer>(answer: Answer): Created<Answer> {
  return { [CREATED]: answer };
}

export function isCreated(result: unknown): result is Created<unknown> {
  return typeof result === 'object' && result !== null && CREATED in result;
}

/** Takes the answer out of `Created`. */
export function answerOf<Answer>(result: Created<Answer>): Answer {
  return result[CREATED];
}

/** Checks a row's operation against the row's own schemas, and removes the types that the table cannot hold. */
export function route<
  Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
  Dry extends z.ZodType = z.ZodUndefined,
>(row: RouteRow<Path, Query, Body, Answer, Dry>): Route {
  const { isLargeRead = false } = row;
  return {
    ...row,
    capability: row.capability,
    portalDescription: row.portalDescription,
    dashboardOnly: row.dashboardOnly ?? false,
    inEnvironment: row.inEnvironment ?? row.method === 'get',
    paid: row.paid ?? false,
    // The query has been parsed, too.
    isLargeRead: (typeof isLargeRead === 'function' ? isLargeRead : () => isLargeRead) as Route['isLargeRead'],
    mayLag: row.mayLag ?? false,
    errors: row.errors ?? [],
    links: row.links ?? false,
    streams: row.streams ?? false,
    query: row.query,
    body: row.body,
    takesBytes: row.takesBytes ?? false,
    response: row.response,
    // The answer has been parsed with exactly this schema.
    csv: row.csv as Route['csv'],
    dryRun: row.dryRun,
    secrets: row.secrets ?? [],
    upserts: row.upserts ?? false,
    answersLater: row.answersLater ?? false,
    ownIdempotency: row.ownIdempotency ?? false,
    immutable: row.immutable ?? [],
    // The path has exactly these parameters.
    present: row.present as Route['present'],
    // The input has been parsed with exactly these schemas.
    run: row.run as Route['run'],
  };
}
