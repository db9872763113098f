import { z } from 'zod';
import { errorBody } from './errors.ts';
import { deliverAt, directIngestAnswer, idempotencyKey, ingestAnswer, orderingKey } from './ingest.ts';
import { LIMITS } from './limits.ts';
import { id, idReference, visibleAscii } from './primitives.ts';

const ONE_TARGET = 'An event names either eventType or endpointId';

function namesOneTarget(item: { eventType?: string | undefined; endpointId?: string | undefined }): boolean {
  return (item.eventType === undefined) !== (item.endpointId === undefined);
}

/** One event of a batch (docs/interface.md, Batch). It equals a single event that is sent as `application/json`. */
export const batchItem = z
  .object(
    {
      eventType: z.string().optional(),
      endpointId: z.string().optional(),
      idempotencyKey: idempotencyKey.optional(),
      applicationId: visibleAscii(LIMITS.applicationReferenceCharacters).optional(),
      orderingKey: orderingKey.optional(),
      deliverAt: deliverAt.optional(),
      data: z.unknown().refine((value) => value !== undefined, 'is required'),
    },
    'An event must be an object',
  )
  .refine(namesOneTarget, ONE_TARGET)
  .meta({
    id: 'BatchEvent',
    description: 'An event to send. Set either `eventType` or `endpointId`; `data` is the payload.',
  });

/** An event sent through the management interface: a batch item with an environment. */
export const createEventBody = z
  .object({ ...batchItem.shape, environmentId: idReference.optional() })
  .refine(namesOneTarget, ONE_TARGET)
  .meta({
    id: 'CreateEventBody',
    description: 'An event to send. Set either `eventType` or `endpointId`; `data` is the payload.',
  });

/** The answer to a created event, in one form for fan-out and direct events. */
export const createdEvent = ingestAnswer
  .extend({ deliveryId: id('dlv').nullable(), endpointId: id('ep').nullable() })
  .meta({
    id: 'CreatedEvent',
    description: 'An accepted event. `deliveryId` is set if the request named an endpoint.',
  });

/** The documented form of a batch. The service parses `batchEnvelope` first, and then each item. */
export const batchBody = z.object({ events: z.array(batchItem).min(1).max(LIMITS.batchEvents) });

const EVENTS = `must have 1 to ${LIMITS.batchEvents} events`;

/** A batch with unparsed items, so that one refused item does not stop the others. */
export const batchEnvelope = z.object({
  events: z.array(z.unknown()).min(1, EVENTS).max(LIMITS.batchEvents, EVENTS),
});

/** One form for generated clients: those read a union of similar objects differently. */
const batchResult = directIngestAnswer.extend(errorBody.shape).partial().meta({
  id: 'BatchResult',
  description: 'The result for one event: the fields of an accepted event, or only `error` if it was refused.',
});

/** One result for each event, in the order of the events. */
export const batchAnswer = z.object({ results: z.array(batchResult) }).meta({ id: 'BatchAnswer' });
