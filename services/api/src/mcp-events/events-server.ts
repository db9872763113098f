import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Era, type Methods, SERVER_INFO } from '../agents/answer-message.ts';
import { callTool, listTool, refuse } from '../agents/tool.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { toApiError } from '../transport/error-handler.ts';
import type { Agent } from './agent.ts';
import { agentTools } from './agent-tools.ts';
import type { SpendChallenge } from './challenge-limits.ts';
import { clientNameOf, codeOf, dialectOf, EventsError, EXTENSION } from './events-error.ts';
import { listEvents } from './list-events.ts';
import type { RefreshInBatches } from './refresh-in-batches.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

/** The draft of the specification that this server follows. */
const READING = 'sep-3415@5eb68628';

const INSTRUCTIONS = `Events of a webhook service. events/list names the events, and what may be filtered. events/subscribe sends them to a callback, until refreshBefore. Built to ${READING}.`;

type Given = {
  ctx: WorkspaceContext;
  agent: Agent;
  message: unknown;
  spendChallenge: SpendChallenge;
  refreshInBatches: RefreshInBatches;
  /** Called for each challenge that was sent, with `passed` or why it failed. */
  onChallenge: (result: string) => void;
  /** Called for each call that asks for events, with its result. */
  onCall: (call: { call: string; result: string }) => void;
  /** Called for faults of the service, and when something it needs is away. */
  onFault: (error: unknown) => void;
};

/** The methods by which an agent asks for events, for one message. */
export function createEventsMethods({ ctx, agent, message, onCall, onFault, ...shared }: Given): Methods {
  const dialect = dialectOf(message);
  const handle =
    (call: string, run: (params: unknown, era: Era) => Promise<object>): Methods[string] =>
    async (params, era) => {
      try {
        const answer: Record<string, unknown> = { ...(await run(params, era)) };
        onCall({ call: 'deliveryStatus' in answer ? 'refresh' : call, result: 'ok' });
        return answer;
      } catch (error) {
        const refusal = asRefusal(error);
        onCall({ call, result: refusal?.kind ?? 'unavailable' });
        if (refusal !== undefined) throw new ProtocolError(codeOf(refusal, dialect), refusal.message, refusal.data);
        onFault(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'The service cannot answer now. Try again later.');
      }
    };
  return {
    'events/list': handle('list', async (params, { isLegacy }) => {
      return { ...(await listEvents(ctx, agent, params)), ...(isLegacy ? {} : KEPT) };
    }),
    'events/subscribe': handle('subscribe', (params) =>
      subscribe(ctx, agent, params, { dialect, clientName: clientNameOf(message), ...shared }),
    ),
    'events/unsubscribe': handle('unsubscribe', (params) => unsubscribe(ctx, agent, params, dialect)),
  };
}

/** The library's own schemas would drop unknown fields. Made once: making a schema takes longer than using it. */
const ANY_PARAMS = { params: z.looseObject({}) };

/** The server that answers one message of an agent. */
export function createEventsServer(
  { ctx, agent, onFault }: Pick<Given, 'ctx' | 'agent' | 'onFault'>,
  methods: Methods,
  era: Era,
): Server {
  const capabilities = { tools: {}, events: {}, extensions: { [EXTENSION]: {} } };
  const cacheHints = { 'server/discover': KEPT, 'tools/list': KEPT };
  const server = new Server(SERVER_INFO, { capabilities, instructions: INSTRUCTIONS, cacheHints });
  for (const [name, method] of Object.entries(methods)) {
    server.setRequestHandler(name, ANY_PARAMS, (params) => method(params, era));
  }
  const tools = agentTools(ctx, agent);
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(listTool) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }) => {
    const called = tools.find((one) => one.name === name);
    if (called === undefined) {
      const names = tools.map((one) => one.name).join(', ');
      return refuse(new ApiError('not_found', `The tool ${name.slice(0, 60)} does not exist`), `use one of ${names}.`);
    }
    // These tools call no operation, so they need no caller.
    return callTool(called, { caller: undefined as never, given: input, onFault });
  });
  return server;
}

/** How long a client may cache these answers. They depend on the key. */
const KEPT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** The refusal to send to the agent; undefined for a fault of the service. */
function asRefusal(error: unknown): EventsError | undefined {
  if (error instanceof EventsError) return error;
  const known = toApiError(error);
  const isLimit = known.code === 'rate_limited' || known.code === 'limit_reached';
  return error instanceof ApiError && isLimit
    ? new EventsError('exhausted', known.message, { limit: 'rate' })
    : undefined;
}
