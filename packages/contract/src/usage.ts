import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { cursor, id, idReference, offsetDateTime, timestamp } from './primitives.ts';

const STEPS = ['day', 'month'] as const;
export type UsageStep = (typeof STEPS)[number];
const GROUPINGS = ['application'] as const;

const ROWS_RULE = `must be a number from 1 to ${LIMITS.usageRows}`;

export const usageQuery = z.object({
  from: offsetDateTime.optional(),
  to: offsetDateTime.optional(),
  step: z.enum(STEPS, `must be one of ${STEPS.join(', ')}`).default('month'),
  group_by: z.enum(GROUPINGS, `must be ${GROUPINGS.join(', ')}`).default('application'),
  application_id: idReference.optional(),
  limit: z
    .string()
    .regex(/^\d{1,6}$/, ROWS_RULE)
    .transform(Number)
    .refine((value) => value >= 1 && value <= LIMITS.usageRows, ROWS_RULE)
    .meta({ documentedAs: z.int().min(1).max(LIMITS.usageRows) })
    .default(100),
  cursor: cursor.optional(),
});

const usageRow = z
  .object({
    from: timestamp.meta({ description: 'The start of the day or month, in UTC.' }),
    to: timestamp.meta({ description: 'The start of the next day or month.' }),
    applicationId: id('app')
      .nullable()
      .meta({ description: 'The application. Null for usage that belongs to no application.' }),
    externalId: z.string().nullable(),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The current name of the application, or `Erased` after its erasure.' }),
    events: z.int().meta({ description: 'The number of events that were accepted for the application.' }),
    deliveries: z.int().meta({ description: 'The number of deliveries that were created for its endpoints.' }),
    attempts: z.int().meta({ description: 'The number of attempts to its endpoints that ended.' }),
    bytes: z.int().meta({ description: 'The total size of the payloads of its events, in bytes.' }),
    provisional: z.boolean().meta({ description: 'Whether the counts of this day or month can still increase.' }),
  })
  .meta({ id: 'UsageRow', description: 'The usage of an application in a day or month.' });

export const usagePage = z
  .object({
    from: timestamp,
    to: timestamp,
    step: z.enum(STEPS),
    countedTo: timestamp.meta({ description: 'The time up to which usage has been counted.' }),
    usage: z.array(usageRow),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'UsagePage', description: 'A page of usage, sorted by application and then by time.' });
