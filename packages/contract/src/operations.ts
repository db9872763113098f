import { z } from 'zod';
import { type DELIVERY_STATUSES, deliveryStatus } from './deliveries.ts';
import { eventTypeName } from './event-types.ts';
import { LIMITS } from './limits.ts';
import {
  arrayOf,
  CONTROL_OR_LONE_SURROGATE,
  cursor,
  id,
  idReference,
  offsetDateTime,
  pageLimit,
  timestamp,
} from './primitives.ts';

const OPERATION_STATUSES = ['counting', 'running', 'completed', 'cancelled', 'failed'] as const;
const operationStatus = z.enum(OPERATION_STATUSES, `must be one of ${OPERATION_STATUSES.join(', ')}`);
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const RECOVERY_MODES = ['failed', 'missed', 'all'] as const;
const recoveryMode = z.enum(RECOVERY_MODES, `must be one of ${RECOVERY_MODES.join(', ')}`);

const RESPONSE_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'other', 'none'] as const;
const responseClass = z.enum(RESPONSE_CLASSES, `must be one of ${RESPONSE_CLASSES.join(', ')}`);

export const operation = z
  .object({
    id: id('op'),
    type: z.enum(['recovery', 'retry', 'cancel', 'erasure', 'search_index']),
    status: operationStatus,
    endpointId: id('ep').nullable(),
    filter: z.record(z.string(), z.unknown()),
    matched: z.int().nullable(),
    enqueued: z.int(),
    delivered: z.int(),
    failed: z.int(),
    error: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    pausedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Operation', description: 'Work on many deliveries that runs in the background.' });

export const operationsPage = z.object({ operations: z.array(operation), nextCursor: z.string().nullable() });

/** zod's record would drop an event type named `__proto__`. */
const countsByName = z
  .custom<Record<string, number>>((given) => z.array(z.int()).safeParse(Object.values(given ?? {})).success)
  .meta({ documentedAs: z.record(z.string(), z.int()) });

export const dryRun = z
  .object({
    id: z
      .null()
      .meta({ documentedAs: id('op').nullable(), description: 'Always null, because no operation was started.' }),
    matched: z.int(),
    oldest: timestamp.nullable(),
    newest: timestamp.nullable(),
    eventTypes: countsByName,
  })
  .meta({ id: 'DryRun', description: 'A preview of what an operation would select now.' });

export const dryRunFlag = z.boolean().default(false);

/** A list with at least one item, because an empty list would match nothing by mistake. Repetitions do no harm. */
export const someOf = <Item extends z.ZodType>(item: Item) =>
  arrayOf(item, {
    least: 1,
    most: LIMITS.operationFilterItems,
    rule: `must have 1 to ${LIMITS.operationFilterItems} items`,
  });

const recoverFields = z.object({
  since: offsetDateTime
    .optional()
    .meta({ description: 'The start of the time range. Either `since` or `from` is required.' }),
  until: offsetDateTime.optional(),
  from: offsetDateTime.optional().meta({ description: 'The same as `since`.' }),
  to: offsetDateTime.optional().meta({ description: 'The same as `until`.' }),
  mode: recoveryMode,
  // Unknown names match nothing. Postgres refuses a text with U+0000.
  eventTypes: someOf(
    z
      .string()
      .max(LIMITS.eventTypeNameCharacters, `must be at most ${LIMITS.eventTypeNameCharacters} characters`)
      .refine(
        (name) => !CONTROL_OR_LONE_SURROGATE.test(name),
        'must not contain control characters or lone surrogates',
      ),
  ).optional(),
  statusClass: someOf(responseClass).optional(),
  dryRun: dryRunFlag,
});

const deprecated = { deprecated: true };

export const recoverBody = recoverFields
  .refine(({ since, from }) => since !== undefined || from !== undefined, {
    path: ['since'],
    message: 'is required',
    // Report this together with faults of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .refine(({ since, from }) => since === undefined || from === undefined, {
    path: ['from'],
    message: 'must not be given with since',
  })
  .refine(({ until, to }) => until === undefined || to === undefined, {
    path: ['to'],
    message: 'must not be given with until',
  });

export const bulkFilter = z
  .object({
    environmentId: idReference.optional(),
    endpointId: idReference.optional(),
    applicationId: idReference.optional(),
    eventTypes: someOf(eventTypeName).optional(),
    statuses: someOf(deliveryStatus).optional(),
    from: offsetDateTime.optional(),
    to: offsetDateTime.optional(),
    environment_id: idReference.optional().meta(deprecated),
    endpoint_id: idReference.optional().meta(deprecated),
    event_type: eventTypeName.optional().meta(deprecated),
    status: deliveryStatus.optional().meta(deprecated),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'must have at least one key')
  .superRefine((filter, context) => {
    for (const [name, former] of FORMER_NAMES) {
      if (filter[name] === undefined || filter[former] === undefined) continue;
      context.addIssue({ code: 'custom', path: [former], message: `must not be given with ${name}` });
    }
  });

/** Older names of bulk filters, each after its present name. */
const FORMER_NAMES = [
  ['environmentId', 'environment_id'],
  ['endpointId', 'endpoint_id'],
  ['eventTypes', 'event_type'],
  ['statuses', 'status'],
] as const;

export const bulkBody = z.object({ filter: bulkFilter, dryRun: dryRunFlag });

export const searchIndexBody = z.object({
  eventType: eventTypeName,
  from: offsetDateTime.optional(),
  to: offsetDateTime.optional(),
  dryRun: dryRunFlag,
});

export const listOperationsQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  endpoint_id: idReference.optional(),
  environment_id: idReference.optional(),
  status: operationStatus.optional(),
});

/** The delivery statuses that each recovery mode takes (docs/interface.md, Recovery). */
export const RECOVERED_STATUSES = {
  failed: ['failed', 'dead_letter'],
  missed: [],
  all: ['failed', 'dead_letter', 'delivered'],
} as const satisfies Record<(typeof RECOVERY_MODES)[number], readonly (typeof DELIVERY_STATUSES)[number][]>;
