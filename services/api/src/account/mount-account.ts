import { stopAlertsBody } from '@posthorn/contract/alert-rules';
import { LIMITS } from '@posthorn/contract/limits';
import { networkOf } from '@posthorn/egress/network-of';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { DeviceCookie } from '../auth/device-cookie.ts';
import type { OidcCookie } from '../auth/oidc-cookie.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { SessionAuth } from '../auth/session-token.ts';
import type { Services } from '../operation/context.ts';
import { createLinkNext, expressPath, originOf, refuseMethod } from '../operation/mount.ts';
import { examineBody, examineQuery, refuseExamined } from '../operation/parse.ts';
import type { RateLimit } from '../operation/rate-limit.ts';
import { pathParameters } from '../operation/read-address.ts';
import { answerJson } from '../transport/answer.ts';
import { createReadJson, isBodyRead } from '../transport/body.ts';
import { ApiError } from '../transport/error.ts';
import { answerPages, isPages, shownBy } from '../transport/pages.ts';
import type { AccountContext, AccountRoute } from './account-route.ts';
import type { LoginLimit } from './login-limit.ts';
import type { Provider } from './oidc/provider.ts';
import type { PasswordTries } from './password-tries.ts';
import { stopAlerts } from './stop-alerts.ts';

export type AccountDeps = {
  services: Services;
  logger: Logger;
  loginLimit: LoginLimit;
  cookie: SessionCookie;
  deviceCookie: DeviceCookie;
  oidcCookie: OidcCookie;
  provider: Provider | undefined;
  requireSession: SessionAuth['requireSession'];
  rateLimit: RateLimit;
  passwordTries: PasswordTries;
  /** The rate limit of one IP address at `/api/auth/*`, where callers are not authenticated. */
  addressLimit: RateLimit;
};

/** These bodies are small, and some come from unauthenticated callers. */
const readJson = createReadJson(LIMITS.accountBodyBytes);

/** Mounts the rows below `/api`: the address's limit → session → its limit → body → run → answer. */
export function mountAccount(deps: AccountDeps, routes: readonly AccountRoute[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/api/auth', (request, response, next) => {
    deps.addressLimit(response, networkOf(request.ip ?? ''));
    next();
  });
  router.post('/stop-alerts', createOneClick(deps));
  for (const route of routes) router[route.method](expressPath(`/api${route.path}`), createHandler(deps, route));
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method.toUpperCase());
    router.all(expressPath(`/api${path}`), refuseMethod(methods));
  }
  return router;
}

function createHandler(deps: AccountDeps, route: AccountRoute): RequestHandler {
  return async (request, response) => {
    response.locals.operation = route.operationId;
    // Answers contain secrets and tokens.
    response.set('Cache-Control', 'no-store');
    if (route.isForPasswords) requirePasswords(deps);
    const context = createContext(deps, request, response);
    const caller = route.needsSession
      ? {
          ...context,
          session: await requireSession(deps, request, response),
          linkNext: createLinkNext(request, response),
        }
      : context;
    const given = isBodyRead(route, request) ? await readJson(request, response) : undefined;
    // A body may take half a minute to arrive, and a session that ended meanwhile must change nothing.
    if (given !== undefined && 'session' in caller) {
      caller.session = await deps.requireSession(request, () => {}, false);
    }
    const query = examineQuery(route.query, request.query);
    const body = examineBody(route.body, given);
    refuseExamined([query, body]);
    const result = await route.run(caller, { params: pathParameters(request), query: query.data, body: body.data });
    if (route.response === undefined) response.status(route.status).end();
    else if (isPages(result))
      await answerPages(response, route.status, { pages: result, shown: shownBy(route.response) });
    else answerJson(response, route.status, route.response.parse(result));
  };
}

/**
 * One-click unsubscribe (RFC 8058): mail programs POST to the address in `List-Unsubscribe`. The token is in the query,
 * so the body is not read. People who open the same address get the page.
 */
function createOneClick(deps: AccountDeps): RequestHandler {
  return async (request, response) => {
    response.locals.operation = 'stopAlerts';
    deps.addressLimit(response, networkOf(request.ip ?? ''));
    const body = stopAlertsBody.safeParse({ token: request.query.token });
    if (!body.success) throw new ApiError('unauthorized', 'The link is of no alert mail');
    await stopAlerts(createContext(deps, request, response), { body: body.data });
    response.status(200).set('Cache-Control', 'no-store').end();
  };
}

function requirePasswords({ services }: AccountDeps): void {
  if (services.settings.passwordLogin) return;
  throw new ApiError('forbidden', 'Passwords are switched off here: use the sign-in provider');
}

async function requireSession(deps: AccountDeps, request: Request, response: Response) {
  const session = await deps.requireSession(request, (credentialId) => deps.rateLimit(response, credentialId));
  response.locals.actor = session.user.id;
  return session;
}

function createContext(deps: AccountDeps, request: Request, response: Response): AccountContext {
  const { services, logger, loginLimit, passwordTries, cookie, deviceCookie, oidcCookie, provider } = deps;
  return {
    ...services,
    logger,
    loginLimit,
    passwordTries,
    provider,
    oidcCookie: {
      read: () => oidcCookie.read(request),
      set: (secret, maxAgeMs) => oidcCookie.set(response, secret, maxAgeMs),
      clear: () => oidcCookie.clear(response),
    },
    afterAnswer(work) {
      const run = () => {
        work().catch((error: unknown) => logger.warn('work after an answer failed', errorFields(error)));
      };
      // If the caller has already disconnected, there is no answer to wait for.
      if (response.closed) run();
      else response.once('close', run);
    },
    origin: originOf(request, response),
    cookie: {
      set: (token, maxAgeMs) => cookie.set(response, token, maxAgeMs),
      clear: () => cookie.clear(response),
    },
    device: {
      id: (user) => deviceCookie.read(request, user),
      remember: (user) => deviceCookie.set(response, user),
    },
  };
}
