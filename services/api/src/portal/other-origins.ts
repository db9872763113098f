import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { type RequestHandler, Router } from 'express';
import type { Authenticate } from '../auth/principal.ts';

/** The methods of the portal's interface besides HEAD. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The answer to a preflight. No credentials: the token in `Authorization` is the only one, and no cookie counts. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': METHODS.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/** The headers of an answer that a page may read, besides those that it may always read. */
const EXPOSED =
  'Idempotent-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

/**
 * Lets pages of other origins call the portal's interface with the token of a portal session
 * (docs/interface/authentication.md, Portal capabilities): those in `portalOrigins`. A preflight has no token, so an
 * origin of any workspace is allowed there, and in the refusal of a token that is not valid.
 */
export function createOtherOrigins({ db }: { db: Db }): Router {
  const isListed = createOriginLookup(db);
  const answer: RequestHandler = async (request, response, next) => {
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || parseUrl(origin) === undefined || !(await isListed(origin))) return next();
    response.set('Access-Control-Allow-Origin', origin);
    const method = request.get('access-control-request-method');
    if (request.method === 'OPTIONS' && method !== undefined && METHODS.includes(method)) {
      response.locals.operation = 'preflight';
      response.status(204).set(PREFLIGHT).end();
      return;
    }
    response.set('Access-Control-Expose-Headers', EXPOSED);
    next();
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/api/portal', answer);
  return router;
}

/** Authenticates, and hides the answer from pages of an origin that only other workspaces list. */
export function ofOwnOrigins(authenticate: Authenticate): Authenticate {
  return async (request, options) => {
    const principal = await authenticate(request, options);
    const { res: response } = request;
    const allowed = response?.headersSent === false ? response.get('Access-Control-Allow-Origin') : undefined;
    const { portalOrigins } = principal.workspace;
    if (allowed !== undefined && !listedAs(allowed).some((one) => portalOrigins.includes(one))) {
      response?.removeHeader('Access-Control-Allow-Origin');
    }
    return principal;
  };
}

/** How a workspace may list an origin: as it is, or as `http://localhost:*`, an origin with any port. */
function listedAs(origin: string): string[] {
  const { protocol, hostname } = new URL(origin);
  return [origin, `${protocol}//${hostname}:*`];
}

/** Anybody may send made-up origins: all are looked up together, one statement at a time. */
function createOriginLookup(db: Db): (origin: string) => Promise<boolean> {
  return createBatcher<string, boolean>({
    async run(origins) {
      const listed = origins.flatMap((origin) => listedAs(origin).map((one) => ({ origin, one })));
      const rows = await db.$queryRaw<{ origin: string }[]>`
        select asked.origin
        from unnest(${listed.map(({ origin }) => origin)}::text[], ${listed.map(({ one }) => one)}::text[])
          as asked (origin, one)
        where exists (select 1 from workspace where portal_origins @> array[asked.one])`;
      const found = new Set(rows.map(({ origin }) => origin));
      return origins.map((origin) => found.has(origin));
    },
    maxItems: 100,
    maxInFlight: 1,
  });
}
