import { LIMITS } from '@posthorn/contract/limits';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { createChange } from '../audit/change.ts';
import { type Authenticate, authorize, type Principal, sight } from '../auth/principal.ts';
import type { Services, WorkspaceContext } from './context.ts';
import { ApiError } from './error.ts';
import { parseInput, parseJson } from './parse.ts';
import type { Route } from './route.ts';

export type Door = {
  /** Where the rows' paths hang; may hold `{workspaceId}`. */
  base: string;
  authenticate: Authenticate;
  /** Which rows this door offers. */
  offers: (route: Route) => boolean;
};

/** Hangs the rows on a door: authenticate → authorise → parse → run → answer through the response schema. */
export function mountDoor(services: Services, routes: readonly Route[], door: Door): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const offered = routes.filter(door.offers);
  for (const route of offered) {
    router[route.method](expressPath(door.base + route.path), createHandler(services, route, door.authenticate));
  }
  for (const path of new Set(offered.map((route) => route.path))) {
    const methods = offered.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    router.all(expressPath(door.base + path), refuseMethod(methods));
  }
  return router;
}

/** `{name}` as Express writes it. */
export function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Answers 405 for a path that exists under other methods only. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ');
  return () => {
    throw new ApiError('method_not_allowed', `This path takes ${allow}`, { Allow: allow });
  };
}

function createHandler(services: Services, route: Route, authenticate: Authenticate): RequestHandler {
  return async (request, response) => {
    response.locals.operation = route.operationId;
    const principal = await authenticate(request, pathParameters(request).workspaceId);
    response.locals.actor = principal.actor.id;
    response.locals.workspaceId = principal.workspace.id;
    authorize(principal, route);
    const input = {
      params: pathParameters(request),
      query: route.query === undefined ? undefined : parseInput(route.query, singleValues(request.query)),
      body: route.body === undefined ? undefined : parseInput(route.body, parseJson(await readBody(request, response))),
    };
    const result = await route.run(createContext(services, principal, request, response), input);
    if (route.response === undefined) response.status(route.status).end();
    // What leaves is what the schema names: a column that must not be seen cannot slip through.
    else response.status(route.status).json(route.response.parse(result));
  };
}

function createContext(
  services: Services,
  principal: Principal,
  request: Request,
  response: Response,
): WorkspaceContext {
  const { workspace, actor, grant } = principal;
  const origin = {
    ip: request.ip ?? null,
    userAgent: request.get('user-agent')?.slice(0, 500) ?? null,
    requestId: String(response.locals.requestId),
  };
  return {
    ...services,
    workspace,
    actor,
    role: grant.kind === 'role' ? grant.role : null,
    bounds:
      grant.kind === 'capabilities' ? { applicationId: grant.applicationId, environmentId: grant.environmentId } : {},
    sees: sight(principal),
    change: createChange(services.db, { workspaceId: workspace.id, actor, origin }),
  };
}

const parseRaw = express.raw({ type: () => true, limit: LIMITS.managementBodyBytes, inflate: false });
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** The body's bytes, read only now that the caller is known. */
async function readBody(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parseRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const empty = !Buffer.isBuffer(request.body) || request.body.length === 0;
  if (!empty && !JSON_TYPE.test(request.get('content-type') ?? '')) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json');
  }
  return request.body;
}

/** A query parameter given twice is an array: refused rather than guessed at. */
function singleValues(query: Request['query']): Record<string, unknown> {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new ApiError('validation_error', `${name} must be given once`);
  }
  return query;
}

function pathParameters(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
