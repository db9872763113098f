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

/** The reading of the specification to which this server is built. */
const READING = 'sep-3415@5eb68628';

const INSTRUCTIONS = `Events of a webhook service. events/list names the events, and what may be filtered. events/subscribe sends them to a callback, until refreshBefore. Built to ${READING}.`;

type Given = {
  ctx: WorkspaceContext;
  agent: Agent;
  message: unknown;
  spendChallenge: SpendChallenge;
  refreshInBatches: RefreshInBatches;
  /** Is told of each challenge that was sent: `passed`, or why it failed. */
  onChallenge: (result: string) => void;
  /** Is told of each call that asks for events, and its result. */
  onCall: (call: { call: string; result: string }) => void;
  /** Is told of faults of the service, and of what is away. */
  onFault: (error: unknown) => void;
};

/** What answers an agent that asks for events, in one message. */
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

/** The schema of the library would drop what it does not know. Made once: to make a schema takes longer than to use it. */
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
    // These tools ask no operation.
    return callTool(called, { caller: undefined as never, given: input, onFault });
  });
  return server;
}

/** What a client may keep: it depends on the key. */
const KEPT = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** The refusal that an agent is told; undefined for a fault of the service. */
function asRefusal(error: unknown): EventsError | undefined {
  if (error instanceof EventsError) return error;
  const known = toApiError(error);
  const isLimit = known.code === 'rate_limited' || known.code === 'limit_reached';
  return error instanceof ApiError && isLimit
    ? new EventsError('exhausted', known.message, { limit: 'rate' })
    : undefined;
}
