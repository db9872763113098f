import type { Db } from '@posthorn/db/client';
import { createAndClaim } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';

/** Fans an event out to these endpoints, as a dispatcher that matched them would. Ids are those of the tables. */
export async function fanOutTo(db: Db, eventId: string, endpointIds: readonly string[]): Promise<void> {
  const event = await db.event.findFirstOrThrow({ where: { id: eventId } });
  const { workspaceId, environmentId } = event;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  await createAndClaim(db, {
    deliveries: endpointIds.map((endpointId) => ({
      deliveryId: deliveryIdFor(eventId, endpointId),
      eventId,
      endpointId,
      workspaceId,
      environmentId,
      eventType: event.eventType ?? '',
      isClaimed: false,
    })),
    events: [{ eventId, workspaceId, environmentId }],
    routingRevisions: new Map([[environmentId, routingRevision]]),
    defaultTimeoutSeconds: 15,
    isOrdered: event.orderingKey !== null,
  });
}
