import { z } from 'zod';
import { delivery, deliveryStatus } from './deliveries.ts';
import { event } from './events.ts';
import { idReference } from './primitives.ts';

export const liveQuery = z.object({
  environment_id: idReference.optional(),
  endpoint_id: idReference.optional(),
  status: deliveryStatus.optional(),
});

const acceptedEvent = event
  .omit({ status: true, deliveries: true, reachedApplications: true })
  .meta({ id: 'AcceptedEvent', description: 'The fields of an event that never change.' });

const gap = z.object({ dropped: z.int().nullable() }).meta({
  id: 'LiveGap',
  description:
    'A gap in the stream. `dropped` is the maximum number of changes that were dropped, or null if it is unknown.',
});

/** One server-sent event: its name, and the JSON in its data. */
export const liveMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('delivery'), data: delivery }),
  z.object({ event: z.literal('event'), data: acceptedEvent }),
  z.object({ event: z.literal('gap'), data: gap }),
]);
