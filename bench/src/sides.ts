import { prepareBare } from './bare/start.ts';
import type { Ingest } from './load.ts';
import { BODY, managementOf, oneEndpointEach } from './management.ts';
import type { Measured } from './processes.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import type { Context } from './scenario.ts';
import type { ServiceProcess } from './service-process.ts';
import { type Stack, withStack } from './stack.ts';

const ENDPOINTS = 10;

/** One of the two pipelines that are compared. */
export type Side = {
  name: 'Posthorn' | 'bare';
  ingest: Ingest;
  api: ServiceProcess;
  /** Undefined without consumers, and where one process runs everything. */
  dispatcher: ServiceProcess | undefined;
  /** The processes that do the work, including the stores. */
  processes: readonly Measured[];
};

export type Sides = { posthorn: Side; bare: Side; receivers: Receivers; stack: Stack };

export type SidesOptions = {
  /** Whether the dispatchers run; without them nothing is delivered. */
  consumers: boolean;
  /** Runs before any service is started. */
  prepare?: (stack: Stack) => Promise<void>;
  nodeArgs?: NodeArgs;
};

type NodeArgs = (stack: Stack, side: Side['name'], role: 'api' | 'dispatcher') => readonly string[];

/**
 * Runs `work` with Posthorn and the bare pipeline side by side on the same stores, delivering to the same ten HTTPS
 * receivers. They are measured alternately, under the same conditions; the idle one costs almost nothing.
 */
export async function withSides<T>(
  context: Context,
  options: SidesOptions,
  work: (sides: Sides) => Promise<T>,
): Promise<T> {
  return withStack(context, async (stack) => {
    const receivers = await startReceivers(ENDPOINTS, stack.tls);
    try {
      const urls = receivers.origins.map((origin) => `${origin}/hook`);
      const { nodeArgs = () => [], consumers, prepare } = options;
      await prepare?.(stack);
      const api = await stack.startApi(nodeArgs(stack, 'Posthorn', 'api'));
      const startDispatcher = () => stack.startDispatcher(nodeArgs(stack, 'Posthorn', 'dispatcher'));
      const dispatcher = consumers && context.shape !== 'one' ? await startDispatcher() : undefined;
      const { ingest } = await oneEndpointEach(managementOf(api, stack), { stack, apis: [api], urls, name: 'healthy' });
      const posthorn = { name: 'Posthorn' as const, ingest, ...roles(stack, api, dispatcher) };
      const bare = await startBareSide(stack, urls, { consumers, nodeArgs });
      return await work({ posthorn, bare, receivers, stack });
    } finally {
      await receivers.close();
    }
  });
}

/** The order of measurement: each side twice, the second time in reverse order, so that drift affects both equally. */
export function alternating({ posthorn, bare }: Sides): Side[] {
  return [bare, posthorn, posthorn, bare];
}

async function startBareSide(
  stack: Stack,
  urls: readonly string[],
  { consumers, nodeArgs }: { consumers: boolean; nodeArgs: NodeArgs },
): Promise<Side> {
  const bare = await prepareBare(stack, urls);
  const dispatcher = consumers ? await bare.start('dispatcher', nodeArgs(stack, 'bare', 'dispatcher')) : undefined;
  const api = await bare.start('api', nodeArgs(stack, 'bare', 'api'));
  const headers = { 'content-type': 'application/json' };
  const ingest = { baseUrls: [api.url], paths: ['/events'], headers, body: BODY };
  return { name: 'bare', ingest, ...roles(stack, api, dispatcher) };
}

function roles(stack: Stack, api: ServiceProcess, dispatcher: ServiceProcess | undefined) {
  const processes: Measured[] = [api, ...(dispatcher === undefined ? [] : [dispatcher]), ...stack.stores];
  return { api, dispatcher, processes };
}
