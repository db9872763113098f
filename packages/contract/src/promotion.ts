import { z } from 'zod';
import { destination } from './endpoint-config.ts';
import { endpointUrl } from './endpoints.ts';
import { eventTypeFields } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, documentedForms, id, idReference, jsonValue } from './primitives.ts';
import { sourcePlace } from './sources.ts';

// The difference of two environments, and its application (docs/interface.md, Promotion).

const filter = z.record(z.string(), z.unknown()).nullable();
const ofEventType = { eventTypeId: id('evt'), ...eventTypeFields };

const eventTypeChange = z
  .object({
    eventTypeId: id('evt'),
    name: z.string(),
    change: z.enum(['publish', 'unpublish', 'schema_mode']),
    from: jsonValue,
    to: jsonValue,
  })
  .meta({ id: 'PromotedEventType', description: '`from` is the value in the environment that would change.' });

const fieldChange = z.object({ from: jsonValue, to: jsonValue }).meta({ id: 'PromotedField' });
const subscriptionThere = z.object({ ...ofEventType, filter }).meta({ id: 'PromotedSubscription' });
const filterChange = z.object({ ...ofEventType, from: filter, to: filter }).meta({ id: 'PromotedFilter' });

const endpointChange = z
  .object({
    change: z.enum(['create', 'update', 'delete']),
    endpointId: id('ep').meta({ description: 'The endpoint that is promoted; with `delete` it exists no more.' }),
    targetEndpointId: id('ep')
      .nullable()
      .meta({ description: 'The endpoint that stands for it; null before `create`.' }),
    fields: z.record(z.string(), fieldChange),
    subscriptions: z
      .object({
        add: z.array(subscriptionThere),
        remove: z.array(subscriptionThere),
        change: z.array(filterChange),
      })
      .meta({ id: 'PromotedSubscriptions' }),
  })
  .meta({ id: 'PromotedEndpoint' });

const sourceChange = z
  .object({
    change: z.enum(['create', 'update']),
    sourceId: id('src').meta({ description: 'The source that is promoted.' }),
    targetSourceId: id('src').nullable().meta({ description: 'The source that stands for it; null before `create`.' }),
    fields: z.record(z.string(), fieldChange),
  })
  .meta({ id: 'PromotedSource' });

export const environmentDiff = z
  .object({
    from: id('env'),
    to: id('env'),
    settings: z
      .object({ requireApplication: z.object({ from: z.boolean(), to: z.boolean() }).optional() })
      .meta({ id: 'PromotedSettings', description: 'The settings of the environment that differ.' }),
    eventTypes: z.array(eventTypeChange),
    endpoints: z.array(endpointChange),
    sources: z.array(sourceChange),
  })
  .meta({ id: 'EnvironmentDiff', description: 'What would make the environment `to` like `from`.' });

export const promotion = z
  .object({ applied: environmentDiff })
  .meta({ id: 'Promotion', description: 'What a promotion has changed, or would change.' });

const endpointToPromote = z
  .object({
    endpointId: idReference,
    url: endpointUrl.optional().meta({ description: 'Required where the endpoint is created, if its type takes one.' }),
    destination: destination('`config.destination` of the new endpoint: required where its type has one.').optional(),
  })
  .meta({ id: 'EndpointToPromote' });

const sourceToPromote = z
  .object({
    sourceId: idReference,
    place: sourcePlace.optional().meta({ description: 'Required where the source is created, and only used then.' }),
  })
  .meta({ id: 'SourceToPromote' });

const chosenIds = arrayOf(idReference, { most: LIMITS.eventTypesPerWorkspace, rule: 'has too many ids' });
const chosenEventTypes = z.union([z.literal('all'), chosenIds], 'must be "all" or a list of ids').meta({
  documentedAs: documentedForms('PromotedEventTypes', '`all`, or a list of ids.', [
    z.enum(['all']),
    z.array(z.string()),
  ]),
});

export const promoteBody = z.object({
  settings: z
    .boolean()
    .default(false)
    .meta({ description: 'Also makes the settings of the environment the same: `requireApplication`.' }),
  eventTypes: chosenEventTypes.optional(),
  endpoints: arrayOf(endpointToPromote, {
    most: LIMITS.promotedEndpointsAtOnce,
    rule: `must have at most ${LIMITS.promotedEndpointsAtOnce} endpoints`,
  }).optional(),
  sources: arrayOf(sourceToPromote, {
    most: LIMITS.sourcesPerWorkspace,
    rule: `must have at most ${LIMITS.sourcesPerWorkspace} sources`,
  }).optional(),
  dryRun: z.boolean().default(false),
  prune: z.boolean().default(false),
});
