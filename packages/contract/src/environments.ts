import { z } from 'zod';
import { eventTypeFields } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, id, name, pageQuery, slug, timestamp } from './primitives.ts';

export const environment = z
  .object({
    id: id('env'),
    name: z.string(),
    slug: z.string(),
    isDefault: z.boolean(),
    requireApplication: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Environment', description: 'Separates API keys, endpoints and event-type visibility.' });

/** An environment, with the count that `include` asks for. */
export const environmentDetail = environment
  .extend({
    eventsWithoutApplication: z.int().optional().meta({
      description:
        'The events of the last 7 days that named an event type and no application, those with `*` included.',
    }),
  })
  .meta({ id: 'EnvironmentDetail', description: 'An environment, with the part that `include` selects.' });

const EVENTS_WITHOUT_APPLICATION = 'events_without_application';
export const environmentDetailQuery = z.object({
  include: z.literal(EVENTS_WITHOUT_APPLICATION, `must be ${EVENTS_WITHOUT_APPLICATION}`).optional(),
});
export type EnvironmentDetailQuery = z.output<typeof environmentDetailQuery>;

export const requireApplication = z.boolean().meta({
  description:
    'Whether an event of a type must name an application in `X-Application-Id`, or `*` for all. False if absent.',
});

export const createEnvironmentBody = z.object({ name, slug, requireApplication: requireApplication.optional() });

export const updateEnvironmentBody = z.object({
  name: name.optional(),
  slug: slug.optional(),
  isDefault: z
    .boolean()
    .optional()
    .meta({ description: '`true` moves the default here; the default cannot be set to `false`.' }),
  requireApplication: requireApplication
    .meta({ description: 'Whether an event of a type must name an application in `X-Application-Id`, or `*` for all.' })
    .optional(),
});

const SCHEMA_MODES = ['off', 'warn', 'reject'] as const;
export const schemaMode = z.enum(SCHEMA_MODES, `must be one of ${SCHEMA_MODES.join(', ')}`).meta({
  description: 'What becomes of a payload that does not fit the schema of its type: `warn` keeps its faults.',
});
export type SchemaMode = (typeof SCHEMA_MODES)[number];

export const visibilityEntry = z
  .object({
    eventTypeId: id('evt'),
    ...eventTypeFields,
    published: z.boolean(),
    schemaMode,
    applications: z
      .array(id('app'))
      .nullable()
      .meta({ description: 'The applications whose portals show the type where it is published. Null: all.' }),
  })
  .meta({ id: 'EventTypeVisibility', description: 'Whether an event type is published in an environment.' });

/** An entry of the list, with the count that `include` asks for. */
export const visibilityRead = visibilityEntry
  .extend({
    endpoints: z
      .int()
      .optional()
      .meta({ description: "The environment's endpoints that subscribe to the event type." }),
  })
  .meta({ id: 'EventTypeVisibilityRead', description: 'An entry of a list, with the part that `include` selects.' });

export const visibilityQuery = pageQuery.extend({
  include: z.literal('endpoints', 'must be endpoints').optional(),
});
export type VisibilityQuery = z.output<typeof visibilityQuery>;

export const setVisibilityBody = z.object({
  published: z.boolean(),
  schemaMode: schemaMode.optional().meta({ description: 'Stays as it is when it is absent.' }),
  applications: arrayOf(z.string(), {
    most: LIMITS.applicationsOfVisibility,
    rule: `must have at most ${LIMITS.applicationsOfVisibility} applications`,
  })
    .nullable()
    .optional()
    .meta({
      description:
        'The applications whose portals show the type, and may subscribe to it. Null: all. Stays as it is when it is absent.',
    }),
});
