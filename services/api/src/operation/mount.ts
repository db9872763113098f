import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { RequestOrigin } from '../audit/change.ts';
import { type Authenticate, authorize, claimantOf, type Principal } from '../auth/principal.ts';
import type { Limits } from '../limits.ts';
import { isBodyRead, jsonOf, readManagementBody } from '../transport/body.ts';
import type { ArrivingBody, TakeBodyRoom } from '../transport/body-room.ts';
import { ApiError } from '../transport/error.ts';
import { answerResult } from './answer-result.ts';
import type { Services, WorkspaceContext } from './context.ts';
import { createContext } from './create-context.ts';
import { answerAgain, createFirstRequest, examineKey, type FirstRequest, runOnce } from './idempotency-key.ts';
import { examineBody, examineQuery, refuseExamined, withOtherPart } from './parse.ts';
import type { RateLimits } from './rate-limit.ts';
import { pathParameters, readAddress, withEnvironment } from './read-address.ts';
import { answerOf, isCreated, type Route, type RouteInput } from './route.ts';
import { acceptSentBack, fieldsOf } from './sent-back.ts';

export type MountedInterface = {
  /** The path before the paths of the rows; may contain `{workspaceId}`. */
  base: string;
  authenticate: Authenticate;
  rateLimits: RateLimits;
  limits: Limits;
  takeBodyRoom: TakeBodyRoom;
  /** Whether this interface offers a row. */
  offers: (route: Route) => boolean;
};

/** Mounts the rows of an interface: authenticate → authorise → parse → run → answer through the response schema. */
export function mountInterface(services: Services, routes: readonly Route[], mounted: MountedInterface): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = groupByPath(routes.filter(mounted.offers));
  // Paths with fewer parameters first: `/deliveries/retry` must not be taken for `/deliveries/{id}`.
  const paths = [...byPath].sort(([a], [b]) => parameterCount(a) - parameterCount(b));
  for (const [path, rows] of paths) {
    const readable = fieldsOf([...rows.filter(({ method }) => method !== 'delete'), ...ofCollection(byPath, path)]);
    for (const route of rows) {
      router[route.method](
        expressPath(mounted.base + route.path),
        createHandler(services, { route, readable }, mounted),
      );
    }
    const methods = rows.map((route) => route.method.toUpperCase());
    router.all(expressPath(mounted.base + path), refuseMethod(methods));
  }
  return router;
}

type ByPath = ReadonlyMap<string, readonly Route[]>;

function groupByPath(routes: readonly Route[]): ByPath {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    const path = pathShape(route);
    byPath.set(path, [...(byPath.get(path) ?? []), route]);
  }
  return byPath;
}

/** The operations that list or create the resource at a path. They are at the nearest path above it that has operations. */
function ofCollection(byPath: ByPath, path: string): Route[] {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = byPath.get(path.slice(0, end));
    if (above !== undefined)
      return above.filter(({ response, status }) => response instanceof z.ZodArray || status === 201);
  }
  return [];
}

function parameterCount(path: string): number {
  return path.split('{').length - 1;
}

/** Paths that differ only in the names of their parameters count as one path. */
function pathShape({ path }: Route): string {
  let count = 0;
  return path.replaceAll(/\{\w+\}/g, () => `{p${count++}}`);
}

/** The path with `{name}` in Express' syntax. */
export function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Answers 405 for a path that exists only under other methods. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
  return () => {
    throw new ApiError('method_not_allowed', `This path takes ${allow}`, { Allow: allow });
  };
}

function createHandler(
  services: Services,
  { route, readable }: { route: Route; readable: ReadonlySet<string> },
  { authenticate, rateLimits, limits, takeBodyRoom }: MountedInterface,
): RequestHandler {
  const textOf = createEventWriter(route);
  const authenticateAgain = (request: Request) =>
    authenticate(request, { workspaceId: pathParameters(request).workspaceId, spend: () => {}, isAgain: true });
  const isAllowed = async (request: Request) => {
    try {
      authorize(await authenticateAgain(request), route);
      return true;
    } catch (error) {
      // While Postgres is away, the credential counts neither as valid nor as invalid.
      return !(error instanceof ApiError);
    }
  };
  return async (request, response) => {
    response.locals.operation = route.operationId;
    // Answers contain secrets and tokens.
    response.set('Cache-Control', 'no-store');
    const principal = await authenticate(request, {
      workspaceId: pathParameters(request).workspaceId,
      spend: (credentialId) => rateLimits.credential(response, credentialId),
    });
    const { grant } = principal;
    if (grant.kind === 'capabilities') {
      rateLimits.portal(response, grant.applicationId);
      rateLimits.portals(response, principal.workspace.id);
    }
    rateLimits.workspace(response, principal.workspace.id);
    response.locals.actor = principal.actor.id;
    response.locals.workspaceId = principal.workspace.id;
    response.locals.claimant = claimantOf(principal);
    const origin = originOf(request, response);
    const linkNext = createLinkNext(request, response);
    const contextOf = (caller: Principal, first?: FirstRequest) =>
      createContext(services, { principal: caller, limits, first, origin, linkNext });
    const again = () => authenticateAgain(request);
    const reading = { services, request, response, takeBodyRoom, readable, contextOf, again };
    const { caller, input, dryRun, first } = await readInput(route, principal, reading);
    const context = contextOf(caller, first);
    const run = () => runRow(route, context, input, response);
    const runInTurn = () => (route.isLargeRead(input.query) ? limits.lists.run(claimantOf(principal), run) : run());
    const outcome = await runOnce(first, runInTurn);
    if (outcome.kind === 'kept') return answerAgain(response, route.status, outcome.body);
    const { result, status } = madeBy(route, outcome.result);
    // The next page of a search needs the body again, so there is no link to it.
    if (route.method === 'get') linkNextOf(result, context);
    if (route.ownIdempotency && isRepeat(result)) response.set('Idempotent-Replayed', 'true');
    await answerResult({
      ...{ request, response, route, dryRun, status, result, textOf },
      isAllowed: () => isAllowed(request),
    });
  };
}

/** The answer of an operation and its status: 201 if an upsert has made something new. */
function madeBy({ status }: Route, result: unknown): { result: unknown; status: number } {
  return isCreated(result) ? { result: answerOf(result), status: 201 } : { result, status };
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Authorises the caller, then reads and parses the input. A query or body that the row does not take is refused. Once
 * this returns, no other copy of the body is kept: the operation may wait for its turn. A body may take half a minute
 * to arrive, so the caller is authenticated again after it: a credential that has ended meanwhile changes nothing.
 */
async function readInput(
  route: Route,
  principal: Principal,
  { services, request, response, takeBodyRoom, readable, contextOf, again }: Reading,
): Promise<{ caller: Principal; input: RouteInput; dryRun: Route['dryRun']; first: FirstRequest | undefined }> {
  // A row with a query asks for a dry run there. For any other row, only the body can tell, which is not read yet.
  const mayBeDryRun = route.query === undefined || asksDryRun(route, request.query, undefined);
  authorize(principal, mayBeDryRun ? asDryRun(route) : route);
  const isRead = isBodyRead(route, request);
  const takeRoom = (arriving: ArrivingBody) => takeBodyRoom(response, claimantOf(principal), arriving);
  const bytes = isRead ? await readManagementBody(request, response, takeRoom) : NO_BYTES;
  const caller = isRead ? await again() : principal;
  const body = isRead ? jsonOf(bytes, request) : undefined;
  const dryRun = asksDryRun(route, request.query, body) ? route.dryRun : undefined;
  authorize(caller, dryRun === undefined ? route : asDryRun(route));
  const address = await readAddress(
    route,
    { params: pathParameters(request), query: request.query },
    { db: services.db, principal: caller },
  );
  const { params } = address;
  const query = withOtherPart(withEnvironment(route, examineQuery(route.query, address.query)), route.body);
  const { present } = route;
  const load = present === undefined ? undefined : () => present(contextOf(caller), params, body);
  const examined = withOtherPart(examineBody(route.body, body), route.query);
  const taken = isChange(route) ? await acceptSentBack(examined, { route, body, readable, load }) : examined;
  // The key is checked in a dry run, too, which does not use it.
  const { key: givenKey, ...headers } = examineKey(route, request);
  refuseExamined([query, taken], headers);
  const input = {
    params,
    query: query.data,
    body: taken.data,
    bytes: route.takesBytes ? bytes : NO_BYTES,
    idempotencyKey: dryRun === undefined ? givenKey : undefined,
  };
  const key = route.ownIdempotency ? undefined : input.idempotencyKey;
  const given = { route, principal: caller, params: input.params, query: input.query, bytes };
  return {
    caller,
    input,
    dryRun,
    first: key === undefined ? undefined : createFirstRequest(services, { ...given, key }),
  };
}

type Reading = {
  services: Services;
  request: Request;
  response: Response;
  takeBodyRoom: TakeBodyRoom;
  /** The fields that the answers at the row's path have. */
  readable: ReadonlySet<string>;
  contextOf: (caller: Principal) => WorkspaceContext;
  /** Authenticates the caller again. */
  again: () => Promise<Principal>;
};

/** Whether the row takes a resource that was read and changed, and is sent back as a whole. */
function isChange({ method }: Route): boolean {
  return method === 'patch' || method === 'put';
}

/** Runs the operation. If there is a replica, the answer to a row that may lag names the database that was read. */
export async function runRow(
  route: Route,
  context: WorkspaceContext,
  input: RouteInput,
  response: Pick<Response, 'set'>,
): Promise<unknown> {
  const { readLists } = context;
  if (!route.mayLag || readLists === undefined) return route.run(context, input);
  const { from, result } = await readLists((listDb, readsFrom) => route.run({ ...context, listDb, readsFrom }, input));
  response.set('Posthorn-Read-From', from);
  return result;
}

/** The row with the rights that suffice for its dry run. */
export function asDryRun(route: Route): Route {
  return route.dryRun === undefined
    ? route
    : { ...route, scopes: ['read', ...route.scopes], role: 'viewer', inEnvironment: true };
}

/**
 * A row with a query asks for a dry run in its query, any other row in its body. Neither is parsed yet, because rights
 * are checked before faults of the input are reported.
 */
function asksDryRun(route: Route, query: Request['query'], body: unknown): boolean {
  if (route.query !== undefined) return query.dryRun === 'true';
  return typeof body === 'object' && body !== null && Reflect.get(body, 'dryRun') === true;
}

/** Whether an operation with its own idempotency repeats an earlier answer. */
function isRepeat(result: unknown): boolean {
  return typeof result === 'object' && result !== null && Reflect.get(result, 'duplicate') === true;
}

/** Links to the next page if the result names its cursor. */
function linkNextOf(result: unknown, { linkNext }: WorkspaceContext): void {
  if (typeof result !== 'object' || result === null || !('nextCursor' in result)) return;
  if (typeof result.nextCursor === 'string') linkNext(result.nextCursor);
}

/** Writes the messages of a stream as text. All streams share a message, so each message is written only once. */
function createEventWriter({ response }: Route): (message: object) => string {
  const texts = new WeakMap<object, string>();
  const schema = z.object({ event: z.string(), data: z.unknown() });
  return (message) => {
    const known = texts.get(message);
    if (known !== undefined) return known;
    const { event, data } = schema.parse(response?.parse(message));
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    texts.set(message, text);
    return text;
  };
}

/** The target is relative to the request's URL, so it is right behind a proxy that changes the address or the path. */
export function createLinkNext(request: Request, response: Response): WorkspaceContext['linkNext'] {
  return (cursor, list) => {
    if (cursor === null) return;
    const here = request.path.slice(request.path.lastIndexOf('/') + 1);
    const query = new URLSearchParams(list === undefined ? valuesOf(request.query) : []);
    query.set('cursor', cursor);
    response.set('Link', `<${list ?? here}?${query}>; rel="next"`);
  };
}

/** The origin of a request, for the audit log. */
export function originOf(request: Request, response: Response): RequestOrigin {
  return {
    ip: request.ip ?? null,
    userAgent: request.get('user-agent')?.slice(0, 500) ?? null,
    requestId: String(response.locals.requestId),
  };
}

/** The parameters of a query. One that may be repeated has each of its values: a cursor is bound to all of them. */
function valuesOf(query: Request['query']): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, given]) =>
    [given].flat().flatMap((value): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
