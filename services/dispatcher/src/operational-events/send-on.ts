import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import { afterTurns } from '@posthorn/db/chosen-in-turns';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Producer } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { createOpenSearchKey, type OpenSearchKey, tokensOfPayload } from '@posthorn/search/tokens';
import { OPERATIONAL_SEARCH_KEYS } from '@posthorn/search/values';
import type { Gatherer } from '@posthorn/stats/gather';
import type { DispatcherMetrics } from '../metrics.ts';
import { presentOperationalEvent } from './present.ts';
import { OF_WORKSPACE_AT_ONCE, type RaisedEvent, takeRaised, WORKSPACES_AT_ONCE } from './take-raised.ts';

export type SendOnDeps = {
  db: Db;
  producer: Pick<Producer, 'enqueueFanOut'>;
  clock: Clock;
  keys: SealingKeys;
  stats: Pick<Gatherer, 'countIngested'>;
  live: Pick<LivePublisher, 'eventAccepted'>;
  metrics: Pick<DispatcherMetrics, 'operationalEvents'>;
  logger: Pick<Logger, 'warn'>;
};

const IDLE_MS = 400;
/**
 * The pause while there is more. It limits a flood: a process sends on at most 1,000 events of one workspace a second.
 */
const MORE_MS = 50;
/**
 * Creates a round that turns raised operational events into events that wait for their fan-out, and returns the delay
 * before the next round. A raised row is deleted in the transaction that inserts its event, so each is sent on exactly
 * once, whenever a process ends. Owners of workspaces take turns.
 */
export function createSendOn(deps: SendOnDeps): () => Promise<number> {
  const sealing = { keys: deps.keys, openKey: createOpenSearchKey(deps.keys, deps.logger) };
  let after = NIL_UUID;
  return async () => {
    const events = await inTransaction(deps.db, async (transaction) => {
      const taken = (await takeRaised(transaction, after)).map((raised) => ({
        ...raised,
        id: newUuid(deps.clock.now()),
      }));
      if (taken.length > 0) await insertEvents(transaction, sealing, taken);
      return taken;
    });
    const counts = new Map<string, number>();
    for (const { workspaceId } of events) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    const began = after;
    after = afterTurns(events, WORKSPACES_AT_ONCE) ?? NIL_UUID;
    await tell(deps, events);
    const isFull =
      began !== after ||
      counts.size >= WORKSPACES_AT_ONCE ||
      [...counts.values()].some((count) => count >= OF_WORKSPACE_AT_ONCE);
    return isFull ? MORE_MS : IDLE_MS;
  };
}

type NewEvent = RaisedEvent & { id: string };

async function insertEvents(
  transaction: DbTransaction,
  { keys, openKey }: { keys: SealingKeys; openKey: OpenSearchKey },
  events: readonly NewEvent[],
): Promise<void> {
  const presented = events.map(presentOperationalEvent);
  const bodies = presented.map((payload) => Buffer.from(JSON.stringify(payload), 'utf8'));
  const found = events.flatMap((event, index) => tokensOf(openKey, event, presented[index]));
  const payloads = events.map(({ id }, index) => seal(keys, bodies[index] ?? Buffer.alloc(0), sealContext.payload(id)));
  await transaction.$executeRaw`
    with stored as (
      insert into event (id, workspace_id, environment_id, event_type, content_type, payload, payload_size, published)
      select id, workspace_id, environment_id, event_type, 'application/json', payload, payload_size, true
      from unnest(${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.workspaceId)}::uuid[],
        ${events.map((event) => event.environmentId)}::uuid[], ${events.map((event) => event.eventType)}::text[],
        ${payloads}::bytea[], ${bodies.map((body) => body.length)}::int[])
        as w(id, workspace_id, environment_id, event_type, payload, payload_size)
      returning id)${found.length === 0 ? Prisma.empty : insertTokens(found)}
    insert into pending_fan_out (event_id) select id from stored`;
}

type Token = { token: bigint; eventId: string };

/** In a workspace with search, an operational event is found by its endpoint and its customer. */
function tokensOf(openKey: OpenSearchKey, event: NewEvent, payload: unknown): Token[] {
  const { id: eventId, environmentId, searchKeyId: id, searchKeySealed: sealed } = event;
  const key = id === null || sealed === null ? undefined : openKey({ id, sealed });
  if (key === undefined) return [];
  const { tokens } = tokensOfPayload(key, environmentId, {
    keys: OPERATIONAL_SEARCH_KEYS,
    payload,
    text: () => JSON.stringify(payload),
  });
  return tokens.map((token) => ({ token, eventId }));
}

function insertTokens(found: readonly Token[]): Prisma.Sql {
  return Prisma.sql`, found_by as (
      insert into event_token (token, event_id)
      select token, event_id from unnest(${found.map(({ token }) => token)}::bigint[],
        ${found.map(({ eventId }) => eventId)}::uuid[]) as t(token, event_id))`;
}

/** Enqueues the events. The reconciler enqueues those for which that fails. */
async function tell(
  { producer, stats, live, metrics, logger }: SendOnDeps,
  events: readonly NewEvent[],
): Promise<void> {
  for (const { id, workspaceId, environmentId, eventType } of events) {
    metrics.operationalEvents.inc({ type: eventType });
    stats.countIngested({ workspaceId, environmentId, applicationId: null, eventType });
    live.eventAccepted({ workspaceId, eventId: id });
  }
  const requests = events.map(({ id: eventId, workspaceId, environmentId, eventType }) => {
    return { eventId, workspaceId, environmentId, eventType, applicationId: null };
  });
  await producer.enqueueFanOut(requests).catch((error: unknown) => {
    logger.warn('operational events could not be enqueued; the reconciler will enqueue them', errorFields(error));
  });
}
