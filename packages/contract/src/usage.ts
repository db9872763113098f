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
    from: timestamp.meta({ description: 'The beginning of the day or month, in UTC.' }),
    to: timestamp.meta({ description: 'The beginning of the next one.' }),
    applicationId: id('app').nullable().meta({ description: 'Null for what belongs to no application.' }),
    externalId: z.string().nullable(),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The present name of the application; `Erased` after its erasure.' }),
    events: z.int().meta({ description: 'Events that were accepted for the application.' }),
    deliveries: z.int().meta({ description: 'Deliveries that were created for its endpoints.' }),
    attempts: z.int().meta({ description: 'Attempts at its endpoints that ended.' }),
    bytes: z.int().meta({ description: 'The bytes of the payloads of its events.' }),
    provisional: z.boolean().meta({ description: 'Whether the numbers of this day or month may still rise.' }),
  })
  .meta({ id: 'UsageRow', description: 'What an application used in a day or month.' });

export const usagePage = z
  .object({
    from: timestamp,
    to: timestamp,
    step: z.enum(STEPS),
    countedTo: timestamp.meta({ description: 'What happened until then has been counted.' }),
    usage: z.array(usageRow),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'UsagePage', description: 'Usage, by application and then by time.' });
