import type { Db } from '@posthorn/db/client';
import type { Logger } from '@posthorn/runtime/logger';
import { type RequestHandler, Router } from 'express';
import { messageOf, refuseForeignOrigin } from '../agents/mcp.ts';
import { claimantOf } from '../auth/principal.ts';
import type { Limits } from '../limits.ts';
import type { ApiMetrics } from '../metrics.ts';
import type { Services } from '../operation/context.ts';
import { createContext } from '../operation/create-context.ts';
import { originOf, refuseMethod } from '../operation/mount.ts';
import { createRateLimit } from '../operation/rate-limit.ts';
import { readBehind, readManagementBody } from '../transport/body.ts';
import type { TakeBodyRoom } from '../transport/body-room.ts';
import { ApiError } from '../transport/error.ts';
import { logFault } from '../transport/error-handler.ts';
import { type AgentAuthDeps, createAgentAuth, createPlaces } from './agent.ts';
import { createChallengeLimits } from './challenge-limits.ts';
import { createRefreshInBatches } from './refresh-in-batches.ts';
import { createAgentAuthentication, WELL_KNOWN } from './token-agent.ts';

export type EventsDeps = Pick<AgentAuthDeps, 'lastUsed' | 'isKnown'> & {
  services: Services;
  agentsDb: Db | undefined;
  logger: Pick<Logger, 'error'>;
  metrics: Pick<ApiMetrics, 'agentCalls' | 'agentChallenges'>;
  limits: Limits;
  takeBodyRoom: TakeBodyRoom;
};

const PATH = '/mcp/events/:environmentId';

let protocol: ReturnType<typeof importProtocol> | undefined;
const importProtocol = () => Promise.all([import('../agents/answer-message.ts'), import('./events-server.ts')]);

/** Loaded at the first request: most processes are never asked, and the protocol's schemas take memory. */
function loadProtocol() {
  protocol ??= importProtocol();
  return protocol;
}

/**
 * `POST /mcp/events/{environmentId}`: agents subscribe to the events of an environment over the Model Context Protocol,
 * without sessions (docs/interface.md, Agents subscribe). The path is unknown unless the operator has switched it on.
 */
export function createEventsRouter(deps: EventsDeps): Router {
  const { services, agentsDb, logger, metrics, limits, takeBodyRoom, ...auth } = deps;
  const router = Router({ caseSensitive: true, strict: true });
  const { clock, db, settings } = services;
  if (settings.agents === undefined || agentsDb === undefined) return router;
  const ownOrigin = new URL(settings.baseUrl).origin;
  const findPlace = createPlaces({ db, clock });
  const byKey = createAgentAuth({ ...auth, db, clock, findPlace });
  const { authenticate, describe } = createAgentAuthentication(services, byKey, findPlace);
  const perAgent = createRateLimit({ clock, perSecond: 20, burstSeconds: 5, caller: 'This agent' });
  const perWorkspace = createRateLimit({
    clock,
    perSecond: 2_000,
    burstSeconds: 5,
    caller: 'Agents of this workspace',
  });
  const spendChallenge = createChallengeLimits({ clock, ...settings.agents });
  const refreshInBatches = createRefreshInBatches({ ...services, db: agentsDb });
  const handle: RequestHandler<{ environmentId: string }> = async (request, response) => {
    response.locals.operation = 'mcp_events';
    response.set('Cache-Control', 'no-store');
    refuseForeignOrigin(request, ownOrigin);
    // A token in an address is written to logs.
    if (Object.keys(request.query).length > 0) throw new ApiError('unauthorized', 'The address takes no query');
    const first = await authenticate(request, request.params.environmentId);
    const claimant = claimantOf(first.access);
    response.locals.actor = first.access.actor.id;
    response.locals.workspaceId = first.access.workspace.id;
    response.locals.claimant = claimant;
    perAgent(response, first.principal);
    perWorkspace(response, first.access.workspace.id);
    const { caller: agent, body } = await readBehind(first, {
      clock,
      read: () => readManagementBody(request, response, (arriving) => takeBodyRoom(response, claimant, arriving)),
      authenticate: () => authenticate(request, request.params.environmentId),
    });
    const { access: principal } = agent;
    const message = messageOf(body, request);
    const origin = originOf(request, response);
    const ctx = createContext(services, { principal, limits, first: undefined, origin, linkNext: () => {} });
    const onCall = (call: { call: string; result: string }) => metrics.agentCalls.inc(call);
    const onChallenge = (result: string) => metrics.agentChallenges.inc({ result });
    let isUnavailable = false;
    const onFault = (error: unknown) => {
      isUnavailable = true;
      if (!response.headersSent) response.set('Retry-After', '5');
      if (!(error instanceof ApiError)) logFault(logger, response, error);
    };
    const [{ answerMessage }, { createEventsMethods, createEventsServer }] = await loadProtocol();
    const given = { ctx, agent, message, spendChallenge, refreshInBatches, onCall, onChallenge, onFault };
    const methods = createEventsMethods(given);
    const createServer = (era: { isLegacy: boolean }) => createEventsServer(given, methods, era);
    await answerMessage({ message, methods, createServer, isUnavailable: () => isUnavailable }, request, response);
  };
  router.post(PATH, handle);
  router.get(`${WELL_KNOWN}${PATH}`, async (request, response) => {
    response.locals.operation = 'mcp_events_resource';
    response.json(await describe(request.params.environmentId));
  });
  // Without sessions there is no stream of the server's own messages.
  router.all(PATH, refuseMethod(['POST']));
  return router;
}
