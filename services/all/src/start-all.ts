import { createMetrics } from '@posthorn/api/metrics';
import { type ApiParts, type ApiSeams, startApi } from '@posthorn/api/start-api';
import { startDispatcher } from '@posthorn/dispatcher/start-dispatcher';
import type { RunningService } from '@posthorn/runtime/start-service';
import type { Config } from './config.ts';

type Seams = Required<Pick<ApiSeams, 'logger' | 'lifecycle'>> & Pick<ApiSeams, 'metrics'>;

/**
 * The most connections to Postgres, sized for small machines, where one process is enough: 20 in total, and 2 more if
 * agents subscribe. The pools are separate, so that deliveries never make an event wait. The delivery pool also serves
 * the rounds, some of which take long.
 */
const CONNECTIONS = { delivery: 8, api: { ingestion: 3, door: 2, management: 3, consumers: 2, lists: 2 } };

/**
 * Starts a dispatcher and an API that hands the deliveries of its events to it by a call. They share the clock, the log, the
 * lifecycle and the port of metrics. At a stop both end at once: the API its requests, the dispatcher its attempts.
 */
export async function startAll(config: Config, seams: Seams): Promise<RunningService<ApiParts>> {
  const { logger, lifecycle, metrics = createMetrics() } = seams;
  const { parts } = await startDispatcher(config.dispatcher, {
    logger,
    lifecycle,
    besides: [metrics.registry],
    connections: CONNECTIONS.delivery,
  });
  const { clock, handOff, stores } = parts;
  return startApi(config.api, {
    logger,
    lifecycle,
    metrics,
    clock,
    handOff,
    queues: stores.queues,
    connections: CONNECTIONS.api,
    servesMetrics: false,
  });
}
