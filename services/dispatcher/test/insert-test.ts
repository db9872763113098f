import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import type { EndpointRow } from '@posthorn/testkit/delivery-rows';

/** Inserts a test of the endpoint with its delivered attempt, and returns the ids of its event and its attempt. */
export async function insertTest(db: Db, endpoint: EndpointRow): Promise<{ eventId: string; attemptId: string }> {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const [eventId, attemptId] = [newUuid(new Date()), newUuid(new Date())];
  const event = { endpointId, isTest: true, payload: Buffer.from('sealed'), payloadSize: 6, published: true };
  await db.event.create({ data: { id: eventId, workspaceId, environmentId, ...event } });
  const deliveryId = deliveryIdFor(eventId, endpointId);
  const delivery = { eventId, endpointId, workspaceId, environmentId, isTest: true, status: 'delivered' } as const;
  await db.delivery.create({ data: { id: deliveryId, ...delivery } });
  const attempt = { id: attemptId, number: 1, trigger: 'test', succeeded: true } as const;
  const sent = { startedAt: new Date(), durationMs: 1, url: 'https://receiver.test/', requestHeaders: { a: 'b' } };
  await db.attempt.create({ data: { deliveryId, ...attempt, ...sent } });
  return { eventId, attemptId };
}
