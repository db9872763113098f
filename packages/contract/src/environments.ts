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
  .meta({
    id: 'Environment',
    description: 'A separate set of API keys and endpoints, with its own visibility of event types.',
  });

/** An environment, with the count that `include` requests. */
export const environmentDetail = environment
  .extend({
    eventsWithoutApplication: z.int().optional().meta({
      description:
        'The number of events in the last 7 days that named an event type and no application, including those with `*`.',
    }),
  })
  .meta({ id: 'EnvironmentDetail', description: 'An environment, with the fields that `include` adds.' });

const EVENTS_WITHOUT_APPLICATION = 'events_without_application';
export const environmentDetailQuery = z.object({
  include: z.literal(EVENTS_WITHOUT_APPLICATION, `must be ${EVENTS_WITHOUT_APPLICATION}`).optional(),
});
export type EnvironmentDetailQuery = z.output<typeof environmentDetailQuery>;

export const requireApplication = z.boolean().meta({
  description:
    'Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`. Defaults to false.',
});

export const createEnvironmentBody = z.object({ name, slug, requireApplication: requireApplication.optional() });

export const updateEnvironmentBody = z.object({
  name: name.optional(),
  slug: slug.optional(),
  isDefault: z.boolean().optional().meta({
    description:
      'Whether this is the default environment. `true` makes it the default; the default environment cannot be set to `false`.',
  }),
  requireApplication: requireApplication
    .meta({
      description:
        'Whether an event with an event type must name an application, or `*` for all, in `X-Application-Id`.',
    })
    .optional(),
});

const SCHEMA_MODES = ['off', 'warn', 'reject'] as const;
export const schemaMode = z.enum(SCHEMA_MODES, `must be one of ${SCHEMA_MODES.join(', ')}`).meta({
  description:
    'How payloads are checked against the schema of their event type. `off` does not check them, `warn` accepts an invalid payload and records its errors, and `reject` refuses it.',
});
export type SchemaMode = (typeof SCHEMA_MODES)[number];

export const visibilityEntry = z
  .object({
    eventTypeId: id('evt'),
    ...eventTypeFields,
    published: z.boolean(),
    schemaMode,
    applications: z.array(id('app')).nullable().meta({
      description:
        'The applications whose portals show the event type where it is published. Null for all applications.',
    }),
  })
  .meta({ id: 'EventTypeVisibility', description: 'The visibility of an event type in an environment.' });

/** An entry of the list, with the count that `include` requests. */
export const visibilityRead = visibilityEntry
  .extend({
    endpoints: z.int().optional().meta({
      description:
        'The number of endpoints in the environment that subscribe to the event type, without those of agents.',
    }),
  })
  .meta({
    id: 'EventTypeVisibilityRead',
    description: 'The visibility of an event type, with the fields that `include` adds.',
  });

export const visibilityQuery = pageQuery.extend({
  include: z.literal('endpoints', 'must be endpoints').optional(),
});
export type VisibilityQuery = z.output<typeof visibilityQuery>;

export const setVisibilityBody = z.object({
  published: z.boolean(),
  schemaMode: schemaMode
    .optional()
    .meta({ description: 'How payloads are checked against the schema of the event type. Unchanged if omitted.' }),
  applications: arrayOf(z.string(), {
    most: LIMITS.applicationsOfVisibility,
    rule: `must have at most ${LIMITS.applicationsOfVisibility} applications`,
  })
    .nullable()
    .optional()
    .meta({
      description:
        'The applications whose portals show the event type and that may subscribe to it. Null for all applications. Unchanged if omitted.',
    }),
});
