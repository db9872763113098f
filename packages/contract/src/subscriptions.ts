import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { id, idReference, timestamp } from './primitives.ts';

export const subscription = z
  .object({
    id: id('sub'),
    eventTypeId: id('evt'),
    eventTypeName: z.string(),
    filter: z
      .null()
      .meta({ documentedAs: z.record(z.string(), z.unknown()).nullable(), description: 'Null in this version.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Subscription', description: 'Links one endpoint to one event type.' });

export const subscribeBody = z.object({
  eventTypeIds: z
    .array(idReference)
    .min(1, 'must name at least one event type')
    .max(LIMITS.subscriptionIdsPerRequest, `must have at most ${LIMITS.subscriptionIdsPerRequest} ids`),
  filter: z.null('is not supported in this version').optional().meta({ documentedAs: z.undefined() }),
});

export const subscribeAnswer = z.object({
  subscribed: z.int().meta({ description: 'The number of newly created subscriptions.' }),
});
