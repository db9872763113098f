import { z } from 'zod';
import { eventTypeFields, eventTypeName } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, documentedForms, id, idReference, timestamp } from './primitives.ts';

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

/** A filter. The operation that stores it checks it (docs/interface.md, Filters). */
const filterDocument = z.unknown().meta({
  type: 'object',
  additionalProperties: true,
  description: 'Conditions on the payload. Only events that match are delivered.',
});

const NAME_OR_PATTERN = 'must be the name of an event type, *, or a prefix that ends in .*, such as invoice.*';
const PATTERN = 'must be *, or a prefix that ends in .*, such as invoice.*';

/** Whether a text is `*`, or a prefix that ends in `.*`. */
export function isEventTypePattern(text: string): boolean {
  return text === '*' || (text.endsWith('.*') && eventTypeName.safeParse(text.slice(0, -2)).success);
}

const pattern = z.string(PATTERN).refine(isEventTypePattern, PATTERN);
const nameOrPattern = z
  .string(NAME_OR_PATTERN)
  .refine((text) => isEventTypePattern(text) || eventTypeName.safeParse(text).success, NAME_OR_PATTERN);

/** An event type or a pattern that an endpoint subscribes to. */
export type ChosenEventType = { name: string; filter: unknown };

const withName = z
  .object({ name: eventTypeName, filter: filterDocument.nullable().optional() })
  .meta({ id: 'ChosenName', description: 'An event type, with an optional filter.' });
const withPattern = z
  .object({ pattern, filter: filterDocument.nullable().optional() })
  .meta({ id: 'ChosenPattern', description: 'A pattern of event types, with an optional filter.' });

export const chosenEventType = z
  .union([nameOrPattern, withName, withPattern], NAME_OR_PATTERN)
  .transform((given): ChosenEventType => {
    if (typeof given === 'string') return { name: given, filter: null };
    return { name: 'name' in given ? given.name : given.pattern, filter: given.filter ?? null };
  })
  .meta({
    documentedAs: documentedForms(
      'ChosenEventType',
      'An event type name, a pattern (`*`, `invoice.*`), or an object `{name, filter}` or `{pattern, filter}`.',
      [z.string(), withName, withPattern],
    ),
  });

const chosenPattern = z
  .union([pattern, withPattern], PATTERN)
  .transform((given): ChosenEventType => {
    return typeof given === 'string'
      ? { name: given, filter: null }
      : { name: given.pattern, filter: given.filter ?? null };
  })
  .meta({
    documentedAs: documentedForms(
      'ChosenEventTypePattern',
      'A pattern (`*`, `invoice.*`), or an object `{pattern, filter}`.',
      [z.string(), withPattern],
    ),
  });

/** What a new endpoint subscribes to. */
export const chosenEventTypes = arrayOf(chosenEventType, {
  least: 1,
  most: LIMITS.eventTypesPerWorkspace,
  rule: `must have 1 to ${LIMITS.eventTypesPerWorkspace.toLocaleString('en')} items`,
}).meta({ description: 'The event types to subscribe to, by name or by pattern.' });

/** The event type patterns of an endpoint. */
export const chosenPatterns = arrayOf(chosenPattern, {
  most: LIMITS.eventTypesPerWorkspace,
  rule: `must have at most ${LIMITS.eventTypesPerWorkspace.toLocaleString('en')} items`,
}).meta({
  description:
    'The patterns of event types, which replace the current ones. Every matching event type gets a subscription.',
});

export const eventTypePattern = z
  .object({
    pattern: z.string(),
    filter: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'EventTypePattern', description: 'A pattern that subscribes an endpoint to every matching event type.' });

export const subscription = z
  .object({
    id: id('sub'),
    eventTypeId: id('evt'),
    ...eventTypeFields,
    filter: z.record(z.string(), z.unknown()).nullable(),
    pattern: z
      .string()
      .nullable()
      .meta({ description: 'The pattern of the endpoint that created the subscription. Null if no pattern did.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Subscription', description: 'A subscription of an endpoint to an event type.' });

export const subscribeBody = z.object({
  eventTypeIds: arrayOf(idReference, {
    least: 1,
    most: LIMITS.subscriptionIdsPerRequest,
    rule: `must have 1 to ${LIMITS.subscriptionIdsPerRequest} ids`,
  }),
  filter: filterDocument.optional(),
});

export const updateSubscriptionBody = z.object({
  filter: filterDocument.nullable().meta({ description: 'The new filter. Null removes the filter.' }),
});

export const testFilterBody = z.object({
  filter: filterDocument,
  payload: z
    .unknown()

    .meta({ description: 'The payload to test the filter with, as JSON.' }),
});

export const testFilterAnswer = z.object({
  matches: z.boolean(),
  clauses: z.array(
    z.object({
      path: z.string(),
      operator: z.enum(FILTER_OPERATORS),
      expected: z.unknown(),
      found: z.unknown().meta({ description: 'The value at the path in the payload. Null if the path is absent.' }),
      holds: z.boolean(),
    }),
  ),
});

export const subscribeAnswer = z.object({
  subscribed: z.int().meta({ description: 'The number of subscriptions that were created.' }),
});
