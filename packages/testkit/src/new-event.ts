import { newUuid } from '@posthorn/contract/ids';
import type { NewEvent } from '@posthorn/ingest/store-events';

const [workspaceId, environmentId] = [newUuid(new Date()), newUuid(new Date())];

/** A published event without a payload, ready to be written. */
export function eventWith(given: Partial<NewEvent>): NewEvent {
  const event = { workspaceId, environmentId, applicationId: null, eventType: 'order.created', published: true };
  const content = { contentType: null, payload: null, payloadSize: 0, schemaErrors: null };
  const plain = { orderingKey: null, deliverAt: null, isScheduled: false };
  return {
    id: newUuid(new Date()),
    ...event,
    direct: null,
    matched: null,
    idempotency: null,
    ...content,
    ...plain,
    tokens: [],
    searchLeftOut: null,
    ...given,
  };
}
