import { z } from 'zod';
import { delivery, deliveryStatus } from './deliveries.ts';
import { id, idReference, timestamp } from './primitives.ts';

export const liveQuery = z.object({
  environment_id: idReference.optional(),
  endpoint_id: idReference.optional(),
  status: deliveryStatus.optional(),
});

const acceptedEvent = z
  .object({
    id: id('msg'),
    eventTypeName: z.string().nullable(),
    environmentId: id('env'),
    applicationId: id('app').nullable(),
    endpointId: id('ep').nullable(),
    idempotencyKey: z.string(),
    published: z.boolean(),
    hasPayload: z.boolean(),
    isTest: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'AcceptedEvent', description: 'What never changes of an event.' });

const gap = z
  .object({ dropped: z.int().nullable() })
  .meta({ id: 'LiveGap', description: 'How many changes were dropped at most; null where it is not known.' });

/** One server-sent event: its name, and the JSON in its data. */
export const liveMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('delivery'), data: delivery }),
  z.object({ event: z.literal('event'), data: acceptedEvent }),
  z.object({ event: z.literal('gap'), data: gap }),
]);
