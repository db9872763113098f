import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { arrayOf, id, idReference, timestamp } from './primitives.ts';

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'startsWith',
  'endsWith',
  'contains',
] as const;

/** A filter, checked by the operation that stores it (docs/interface.md, Filters). */
const filterDocument = z.unknown().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Conditions on the payload: only events that match are delivered.',
});

export const subscription = z
  .object({
    id: id('sub'),
    eventTypeId: id('evt'),
    eventTypeName: z.string(),
    filter: z.record(z.string(), z.unknown()).nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Subscription', description: 'Links one endpoint to one event type.' });

export const subscribeBody = z.object({
  eventTypeIds: arrayOf(idReference, {
    least: 1,
    most: LIMITS.subscriptionIdsPerRequest,
    rule: `must have 1 to ${LIMITS.subscriptionIdsPerRequest} ids`,
  }),
  filter: filterDocument.optional(),
});

export const updateSubscriptionBody = z.object({
  filter: filterDocument.nullable().meta({ description: 'Null removes the filter.' }),
});

export const testFilterBody = z.object({
  filter: filterDocument,
  payload: z
    .unknown()

    .meta({ description: 'A payload to match, as JSON.' }),
});

export const testFilterAnswer = z.object({
  matches: z.boolean(),
  clauses: z.array(
    z.object({
      path: z.string(),
      operator: z.enum(FILTER_OPERATORS),
      expected: z.unknown(),
      found: z.unknown().meta({ description: 'The value that the payload has there; null where the path is absent.' }),
      holds: z.boolean(),
    }),
  ),
});

export const subscribeAnswer = z.object({
  subscribed: z.int().meta({ description: 'The number of newly created subscriptions.' }),
});
