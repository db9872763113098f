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
  .meta({ id: 'Application', description: 'One end customer, with its own endpoints.' });

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
  externalId: externalId.optional(),
  metadata: metadata.optional(),
});

export const updateApplicationBody = z.object({
  name: name.optional(),
  externalId: externalId.nullable().optional(),
  metadata: metadata.nullable().optional(),
});

export const applicationsPage = z
  .object({ applications: z.array(application), nextCursor: z.string().nullable() })
  .meta({ id: 'ApplicationsPage' });

export const listApplicationsQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  external_id: externalId.optional(),
  search: wordsOf(1, LIMITS.externalIdCharacters).optional().meta({
    description: 'A text in the name or the externalId, case-insensitive.',
  }),
});

export const listApplicationEndpointsQuery = z.object({
  ...pageFields,
  environment_id: idReference.optional(),
});
