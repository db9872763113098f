import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { VERSION } from '@posthorn/runtime/version';
import { z } from 'zod';
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
  isLegacy: boolean;
  spendChallenge: SpendChallenge;
  refreshInBatches: RefreshInBatches;
  /** Is told of faults of the service, and of what is away. */
  onFault: (error: unknown) => void;
};

/** The server that answers one message of an agent. */
export function createEventsServer({ ctx, agent, message, isLegacy, onFault, ...shared }: Given): Server {
  const info = { name: 'posthorn', version: VERSION };
  const capabilities = { tools: {}, events: {}, extensions: { [EXTENSION]: {} } };
  const cacheHints = { 'server/discover': KEPT, 'tools/list': KEPT };
  const server = new Server(info, { capabilities, instructions: INSTRUCTIONS, cacheHints });
  const dialect = dialectOf(message);
  // The schema of the library would drop what it does not know.
  const params = z.looseObject({});
  const handle = (method: string, run: (given: unknown) => Promise<object>) =>
    server.setRequestHandler(method, { params }, async (given) => {
      try {
        return { ...(await run(given)) };
      } catch (error) {
        throw toProtocolError(error);
      }
    });
  const toProtocolError = (error: unknown): ProtocolError => {
    if (error instanceof EventsError) return new ProtocolError(codeOf(error, dialect), error.message, error.data);
    const known = toApiError(error);
    if (error instanceof ApiError && (known.code === 'rate_limited' || known.code === 'limit_reached')) {
      const exhausted = new EventsError('exhausted', known.message, { limit: 'rate' });
      return new ProtocolError(codeOf(exhausted, dialect), exhausted.message, exhausted.data);
    }
    onFault(error);
    return new ProtocolError(ProtocolErrorCode.InternalError, 'The service cannot answer now. Try again later.');
  };
  handle('events/list', async (given) => ({ ...(await listEvents(ctx, agent, given)), ...(isLegacy ? {} : KEPT) }));
  handle('events/subscribe', (given) =>
    subscribe(ctx, agent, given, { dialect, clientName: clientNameOf(message), ...shared }),
  );
  handle('events/unsubscribe', (given) => unsubscribe(ctx, agent, given, dialect));
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
