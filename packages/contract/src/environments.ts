import { z } from 'zod';
import { id, name, slug, timestamp } from './primitives.ts';

export const environment = z
  .object({
    id: id('env'),
    name: z.string(),
    slug: z.string(),
    isDefault: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Environment', description: 'Separates API keys, endpoints and event-type visibility.' });

export const createEnvironmentBody = z.object({ name, slug });

export const updateEnvironmentBody = z.object({
  name: name.optional(),
  slug: slug.optional(),
  isDefault: z.literal(true, 'can only be set to true: the default moves when another environment takes it').optional(),
});

export const visibilityEntry = z
  .object({ eventTypeId: id('evt'), eventTypeName: z.string(), published: z.boolean() })
  .meta({ id: 'EventTypeVisibility', description: 'Whether an event type is published in an environment.' });

export const setVisibilityBody = z.object({ published: z.boolean() });
