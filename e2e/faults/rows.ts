import type { Row } from './row.ts';
import { agentRows } from './rows/agents.ts';
import { alertsDue } from './rows/alerts-due.ts';
import { atTheDoorRows } from './rows/at-the-door.ts';
import { brokerRows } from './rows/brokers.ts';
import { busRows } from './rows/bus.ts';
import { eventCancelledAtOnce } from './rows/cancelled.ts';
import { crashPointRows } from './rows/crash-points.ts';
import { deleteWide } from './rows/delete-wide.ts';
import { endpointRows } from './rows/endpoints.ts';
import { ingestionRows } from './rows/ingestion.ts';
import { interfaceRows } from './rows/interface.ts';
import { kafkaSource } from './rows/kafka-source.ts';
import { listenReconnect } from './rows/listen-reconnect.ts';
import { modeSwitch } from './rows/mode-switch.ts';
import { oneStoreRows } from './rows/one-store.ts';
import { operationRows } from './rows/operations.ts';
import { orderRows } from './rows/order.ts';
import { ownOutages } from './rows/own-outage.ts';
import { postgresRows } from './rows/postgres.ts';
import { processRows } from './rows/processes.ts';
import { pullKilled } from './rows/pull-killed.ts';
import { rateLimitRows } from './rows/rate-limits.ts';
import { redisRows } from './rows/redis.ts';
import { redisServerRows } from './rows/redis-servers.ts';
import { scaleRows } from './rows/scale.ts';
import { searchRows } from './rows/search.ts';
import { shareRows } from './rows/shares.ts';
import { transformationRows } from './rows/transformations.ts';
import { upgrade } from './rows/upgrade.ts';

/** All rows, in the order in which they run. */
export const rows: readonly Row[] = [
  ...ingestionRows,
  ...redisRows,
  ...redisServerRows,
  ...postgresRows,
  ...processRows,
  ...oneStoreRows,
  ...busRows,
  modeSwitch,
  ...ownOutages,
  upgrade,
  ...crashPointRows,
  ...endpointRows,
  ...brokerRows,
  kafkaSource,
  ...rateLimitRows,
  ...shareRows,
  ...transformationRows,
  ...atTheDoorRows,
  eventCancelledAtOnce,
  deleteWide,
  alertsDue,
  ...agentRows,
  ...operationRows,
  ...searchRows,
  ...orderRows,
  pullKilled,
  listenReconnect,
  ...interfaceRows,
  ...scaleRows,
];
