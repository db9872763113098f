import { z } from 'zod';
import { destination } from './endpoint-config.ts';
import { endpointUrl } from './endpoints.ts';
import { eventTypeFields } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, documentedForms, id, idReference, jsonValue } from './primitives.ts';
import { sourcePlace } from './sources.ts';

// The difference between two environments, and how to apply it (docs/interface.md, Promotion).

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
  .meta({
    id: 'PromotedEventType',
    description: 'A change of an event type. `from` is the value in the environment that would change.',
  });

const fieldChange = z.object({ from: jsonValue, to: jsonValue }).meta({ id: 'PromotedField' });
const subscriptionThere = z.object({ ...ofEventType, filter }).meta({ id: 'PromotedSubscription' });
const filterChange = z.object({ ...ofEventType, from: filter, to: filter }).meta({ id: 'PromotedFilter' });

const endpointChange = z
  .object({
    change: z.enum(['create', 'update', 'delete']),
    endpointId: id('ep').meta({ description: 'The endpoint that is promoted. For `delete`, it no longer exists.' }),
    targetEndpointId: id('ep')
      .nullable()
      .meta({ description: 'The corresponding endpoint in the target. Null before a `create` is applied.' }),
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
    targetSourceId: id('src')
      .nullable()
      .meta({ description: 'The corresponding source in the target. Null before a `create` is applied.' }),
    fields: z.record(z.string(), fieldChange),
  })
  .meta({ id: 'PromotedSource' });

export const environmentDiff = z
  .object({
    from: id('env'),
    to: id('env'),
    settings: z
      .object({ requireApplication: z.object({ from: z.boolean(), to: z.boolean() }).optional() })
      .meta({ id: 'PromotedSettings', description: 'The settings that differ between the environments.' }),
    eventTypes: z.array(eventTypeChange),
    endpoints: z.array(endpointChange),
    sources: z.array(sourceChange),
  })
  .meta({
    id: 'EnvironmentDiff',
    description: 'The changes that would make the environment `to` match the environment `from`.',
  });

export const promotion = z
  .object({ applied: environmentDiff })
  .meta({ id: 'Promotion', description: 'The changes that a promotion made or would make.' });

const endpointToPromote = z
  .object({
    endpointId: idReference,
    url: endpointUrl.optional().meta({
      description: 'The URL of the new endpoint. Required if the endpoint is created and its type has a URL.',
    }),
    destination: destination('The `config.destination` of the new endpoint. Required if its type has one.').optional(),
  })
  .meta({ id: 'EndpointToPromote' });

const sourceToPromote = z
  .object({
    sourceId: idReference,
    place: sourcePlace.optional().meta({
      description: 'The brokers and topics of the new source. Required if the source is created, and used only then.',
    }),
  })
  .meta({ id: 'SourceToPromote' });

const chosenIds = arrayOf(idReference, { most: LIMITS.eventTypesPerWorkspace, rule: 'has too many ids' });
const chosenEventTypes = z.union([z.literal('all'), chosenIds], 'must be "all" or a list of ids').meta({
  documentedAs: documentedForms('PromotedEventTypes', '`all`, or a list of event type ids.', [
    z.enum(['all']),
    z.array(z.string()),
  ]),
});

export const promoteBody = z.object({
  settings: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to also apply the settings of the environment (`requireApplication`).' }),
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
