import { z } from 'zod';
import { LIMITS } from './limits.ts';
import {
  cursor,
  id,
  idReference,
  metadataOf,
  name,
  pageFields,
  pageLimit,
  timestamp,
  visibleAscii,
  wordsOf,
} from './primitives.ts';

export const application = z
  .object({
    id: id('app'),
    externalId: z.string().nullable(),
    name: z.string(),
    metadata: z.record(z.string(), z.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Application', description: 'One of your customers, with its own endpoints.' });

/** The health of an application, over all its endpoints or those of one environment. */
const applicationHealth = z
  .object({
    endpoints: z.int().meta({ description: 'The number of endpoints, including inactive ones.' }),
    failing: z.int().meta({ description: 'The number of active endpoints whose `health` is `failing`.' }),
    degraded: z.int().meta({ description: 'The number of active endpoints whose `health` is `degraded`.' }),
    undelivered: z.int().meta({
      description:
        'The number of deliveries to these endpoints that ended as `failed` or `dead_letter` in the last 24 hours.',
    }),
    lastEventAt: timestamp.nullable().meta({
      description:
        'When the latest event of the application was accepted. Null if there is none among its 200 latest events.',
    }),
  })
  .meta({ id: 'ApplicationHealth', description: 'The health of the endpoints of an application.' });

const applicationRead = application
  .extend({ health: applicationHealth.optional() })
  .meta({ id: 'ApplicationRead', description: 'An application, with the fields that `include` adds.' });

/** The caller's own name for a customer; `ext:` followed by it is accepted wherever an `app_` id is. */
export const externalId = visibleAscii(LIMITS.externalIdCharacters);

const metadata = metadataOf(
  z
    .string('must be a string')
    .refine(
      (value) => [...value].length <= LIMITS.metadataValueCharacters,
      `must be at most ${LIMITS.metadataValueCharacters} characters`,
    )
    .meta({ maxLength: LIMITS.metadataValueCharacters }),
);

export const createApplicationBody = z.object({
  name,
  externalId: externalId.nullable().optional(),
  metadata: metadata.optional(),
});

export const updateApplicationBody = z.object({
  name: name.optional(),
  externalId: externalId.nullable().optional(),
  metadata: metadata.nullable().optional(),
});

export const applicationsPage = z
  .object({ applications: z.array(applicationRead), nextCursor: z.string().nullable() })
  .meta({ id: 'ApplicationsPage' });

export const listApplicationsQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  external_id: externalId.optional(),
  search: wordsOf(1, LIMITS.externalIdCharacters).optional().meta({
    description: 'A text that the name or the externalId contains, case-insensitive.',
  }),
  include: z.literal('health', 'must be health').optional(),
  environment_id: idReference.optional().meta({
    description: 'With `include` or `sort`, limits the endpoints and events that are counted to this environment.',
  }),
  sort: z.literal('trouble', 'must be trouble').optional().meta({
    description:
      'Sorts by the most failing endpoints, then by the most degraded ones. An application whose health changes between two pages may be listed twice or not at all. The default is newest first.',
  }),
});

export const listApplicationEndpointsQuery = z.object({
  ...pageFields,
  environment_id: idReference.optional(),
});
