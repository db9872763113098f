import { queryFlag } from '@posthorn/contract/primitives';
import { kindOfToken } from '@posthorn/crypto/token';
import type { Logger } from '@posthorn/runtime/logger';
import { type Request, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { requireBearer } from '../auth/credential.ts';
import { type Authenticate, claimantOf, type Principal } from '../auth/principal.ts';
import type { Limits } from '../limits.ts';
import type { Services } from '../operation/context.ts';
import { originOf, refuseMethod } from '../operation/mount.ts';
import { examineQuery, refuseExamined } from '../operation/parse.ts';
import type { RateLimits } from '../operation/rate-limit.ts';
import type { Route } from '../operation/route.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { routes } from '../routes.ts';
import { jsonOf, readManagementBody } from '../transport/body.ts';
import type { TakeBodyRoom } from '../transport/body-room.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { logFault } from '../transport/error-handler.ts';
import { createCaller } from './ask.ts';

export type McpDeps = {
  services: Services;
  logger: Pick<Logger, 'error'>;
  rateLimits: RateLimits;
  limits: Limits;
  takeBodyRoom: TakeBodyRoom;
  /** The authentication for each kind of token. A session names its workspace in the query. */
  authenticate: { management: Authenticate; portal: Authenticate; session: Authenticate };
};

/** The operations for a portal session: the portal's own, and traces, which show only its own endpoints. */
const portalOffers: readonly Route[] = [...portalRoutes, ...routes].flatMap((route) => {
  if (route.operationId === 'traceEvent') return [{ ...route, capability: 'deliveries:read' as const }];
  return route.capability === undefined ? [] : [route];
});

const offers: Record<Principal['grant']['kind'], readonly Route[]> = {
  scopes: routes.filter((route) => !route.dashboardOnly),
  role: routes,
  capabilities: portalOffers,
};

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. Each request is authenticated like one
 * of the interface, and each tool asks the operations of the interface (docs/interface.md, Agents).
 */
export function createMcpRouter(deps: McpDeps): Router {
  const { services, logger, rateLimits, limits, takeBodyRoom } = deps;
  const ownOrigin = new URL(services.settings.baseUrl).origin;
  const handle: RequestHandler = async (request, response) => {
    response.locals.operation = 'mcp';
    response.set('Cache-Control', 'no-store');
    refuseForeignOrigin(request, ownOrigin);
    const { changes, workspace } = readQuery(request);
    let credentialId = '';
    const authenticate = authenticatorOf(request, deps);
    const first = await authenticate(request, {
      workspaceId: workspace,
      spend(id) {
        credentialId = id;
        rateLimits.credential(response, id);
      },
    });
    response.locals.actor = first.actor.id;
    response.locals.workspaceId = first.workspace.id;
    response.locals.claimant = claimantOf(first);
    const spendOfOthers = () => {
      if (first.grant.kind === 'capabilities') {
        rateLimits.portal(response, first.grant.applicationId);
        rateLimits.portals(response, first.workspace.id);
      }
      rateLimits.workspace(response, first.workspace.id);
    };
    spendOfOthers();
    const body = await readManagementBody(request, response, (arriving) =>
      takeBodyRoom(response, claimantOf(first), arriving),
    );
    // Authenticate again: a credential that ended while the body arrived must not be used.
    const principal = await authenticate(request, { workspaceId: workspace, spend: () => {}, isAgain: true });
    const message = messageOf(body, request);
    const caller = createCaller(services, {
      routes: offers[principal.grant.kind],
      principal,
      limits,
      origin: originOf(request, response),
      // Once the answer has begun, it takes no more headers.
      spend: () => {
        if (response.headersSent) return;
        rateLimits.credential(response, credentialId);
        spendOfOthers();
      },
    });
    // Loaded at the first request: most processes are never asked, and the protocol's schemas take memory.
    const [{ answerMessage }, { createToolServer }] = await Promise.all([
      import('./answer-message.ts'),
      import('./mcp-server.ts'),
    ]);
    const onFault = (error: unknown) => logFault(logger, response, error);
    const createServer = () => createToolServer({ caller, allowChanges: changes, onFault });
    await answerMessage({ message, createServer }, request, response);
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/mcp', handle);
  // Without sessions there is no stream of the server's own messages.
  router.all('/mcp', refuseMethod(['POST']));
  return router;
}

/** The one JSON-RPC message in a body. Versions of the protocol since 2025-06-18 have no batches. */
export function messageOf(body: Buffer, request: Request): object {
  const message = jsonOf(body, request);
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw invalid('The body must be one message, a JSON object: batches are not taken', 'body');
}

/** Refuses browsers on pages of other sites (see DNS rebinding in the protocol's own security advice). */
export function refuseForeignOrigin(request: Request, ownOrigin: string): void {
  const origin = request.get('origin');
  if (origin !== undefined && origin !== ownOrigin)
    throw new ApiError('forbidden', 'Pages of other sites may not use this');
}

const mcpQuery = z.object({ changes: queryFlag.optional(), workspace: z.string().optional() });

function readQuery(request: Request): { changes: boolean; workspace: string | undefined } {
  const examined = examineQuery(mcpQuery, request.query);
  refuseExamined([examined]);
  const { changes = false, workspace } = examined.data as z.output<typeof mcpQuery>;
  return { changes, workspace };
}

/** A cookie is never enough: the token must be in the header. */
function authenticatorOf(request: Request, { authenticate }: McpDeps): Authenticate {
  const kind = kindOfToken((request.get('authorization') ?? '').split(' ').at(-1) ?? '');
  if (kind === 'portal' || kind === 'session') return authenticate[kind];
  requireBearer(request, 'management');
  return authenticate.management;
}
