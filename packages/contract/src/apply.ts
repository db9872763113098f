import { z } from 'zod';
import { createApplicationBody, externalId } from './applications.ts';
import { destination } from './endpoint-config.ts';
import { createEndpointBody, documentUrl, rotateSecretBody, updateEndpointBody } from './endpoints.ts';
import { createEnvironmentBody, schemaMode } from './environments.ts';
import { createEventTypeBody } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, jsonValue, recordOf, slug } from './primitives.ts';
import { createSourceBody } from './sources.ts';
import { chosenEventType } from './subscriptions.ts';
import { updateWorkspaceBody } from './workspaces.ts';

// A workspace as one document (docs/interface.md, Apply). Each part follows the rules of the operation that creates it.

const atMost = (count: number, what: string) => ({
  most: count,
  rule: `must have at most ${count.toLocaleString('en')} ${what}`,
});
const ENVIRONMENTS = atMost(LIMITS.environmentsPerWorkspace, 'environments');

const environment = createEnvironmentBody
  .extend({
    isDefault: z.boolean().optional().meta({
      description: 'Whether this is the default environment. Setting `true` replaces the current default environment.',
    }),
  })
  .meta({ id: 'DocumentEnvironment' });

const eventType = z
  .object({
    name: createEventTypeBody.shape.name,
    description: createEventTypeBody.shape.description,
    schema: createEventTypeBody.shape.schema,
    example: createEventTypeBody.shape.example,
    payloadRetention: createEventTypeBody.shape.payloadRetention,
    searchKeys: createEventTypeBody.shape.searchKeys,
    agentFilters: createEventTypeBody.shape.agentFilters,
    publishIn: arrayOf(slug, ENVIRONMENTS)
      .optional()
      .meta({ description: 'The slugs of the environments in which the event type is published.' }),
    schemaMode: recordOf(slug, schemaMode, ENVIRONMENTS)
      .optional()
      .meta({ description: 'How payloads are checked in each environment, by the slug of the environment.' }),
  })
  .meta({ id: 'DocumentEventType' });

const application = z
  .object({
    externalId,
    name: createApplicationBody.shape.name,
    metadata: createApplicationBody.shape.metadata,
  })
  .meta({ id: 'DocumentApplication' });

const fields = createEndpointBody.shape;

const endpoint = z
  .object({
    externalId: externalId.meta({
      description:
        'Your own id for the endpoint, unique in its environment, or the id of an endpoint without an externalId.',
    }),
    environment: slug.meta({ description: 'The slug of the environment.' }),
    application: externalId.optional().meta({
      description: 'The externalId of the application. If omitted, the endpoint belongs to the workspace itself.',
    }),
    url: documentUrl.optional().meta({
      description: 'The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it.',
    }),
    type: fields.type,
    destination: destination('The `config.destination` of an endpoint type that has one.').optional(),
    description: fields.description,
    isActive: fields.isActive,
    config: fields.config,
    metadata: fields.metadata,
    eventTypes: arrayOf(chosenEventType, atMost(LIMITS.eventTypesPerWorkspace, 'event types'))
      .optional()
      .meta({ description: 'The event types to subscribe to, by name or by pattern.' }),
    authUsername: updateEndpointBody.shape.authUsername.meta({
      description: 'The username for HTTP Basic, used with `authPassword`. If either one is null, both are removed.',
    }),
    authPassword: updateEndpointBody.shape.authPassword,
    secret: rotateSecretBody.shape.secret.meta({ description: 'The signing secret of the endpoint.' }),
    secretHeaders: fields.secretHeaders,
    credentials: fields.credentials,
  })
  .meta({ id: 'DocumentEndpoint' });

const source = z
  .object({
    externalId: externalId.meta({
      description:
        'Your own id for the source, unique in its environment, or the id of a source without an externalId.',
    }),
    environment: slug.meta({ description: 'The slug of the environment.' }),
    name: createSourceBody.shape.name,
    type: createSourceBody.shape.type,
    isActive: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether the source is active. A new source is active by default.' }),
    config: createSourceBody.shape.config,
    credentials: createSourceBody.shape.credentials,
  })
  .meta({ id: 'DocumentSource' });

const workspaceDocument = z
  .object({
    // Client generators turn a literal into an enum, and Java's enum of a number does not compile.
    version: z.literal(1, 'must be 1').meta({ documentedAs: z.int().min(1).max(1) }),
    environments: arrayOf(environment, ENVIRONMENTS).optional(),
    eventTypes: arrayOf(eventType, atMost(LIMITS.appliedEventTypes, 'event types')).optional(),
    applications: arrayOf(application, atMost(LIMITS.appliedApplications, 'applications')).optional(),
    endpoints: arrayOf(endpoint, atMost(LIMITS.appliedEndpoints, 'endpoints')).optional(),
    sources: arrayOf(source, atMost(LIMITS.sourcesPerWorkspace, 'sources')).optional(),
    portalOrigins: updateWorkspaceBody.shape.portalOrigins,
    portalTerms: updateWorkspaceBody.shape.portalTerms,
  })
  .meta({
    id: 'WorkspaceDocument',
    description: 'The desired state of a workspace. Anything that the document does not name is left unchanged.',
  });
export type WorkspaceDocument = z.output<typeof workspaceDocument>;
export type DocumentEnvironment = z.output<typeof environment>;
export type DocumentEventType = z.output<typeof eventType>;
export type DocumentApplication = z.output<typeof application>;
export type DocumentEndpoint = z.output<typeof endpoint>;
export type DocumentSource = z.output<typeof source>;

const KEPT = atMost(LIMITS.keptNames, 'names');

/** The items to keep when pruning. A file too large for one call is applied in parts, so no part has all the names. */
const keep = z
  .object({
    eventTypes: arrayOf(eventType.shape.name, KEPT).optional().meta({ description: 'The names of event types.' }),
    applications: arrayOf(externalId, KEPT).optional().meta({ description: 'The externalIds of applications.' }),
    endpoints: recordOf(slug, arrayOf(externalId, KEPT), ENVIRONMENTS)
      .optional()
      .meta({ description: 'The externalIds of endpoints, by the slug of their environment.' }),
  })
  .meta({ id: 'KeptNames' });

export const applyBody = z
  .object({
    document: workspaceDocument,
    dryRun: z.boolean().default(false).meta({ description: 'Whether to return the changes without applying them.' }),
    prune: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to remove the items that the lists of the document do not contain.' }),
    part: z.boolean().default(false).meta({
      description:
        'With `prune`, whether the document is a part of a larger file. Removes only what the named resources have in addition to the document, and no resources.',
    }),
    keep: keep
      .optional()
      .meta({ description: 'With `prune`, the resources that other parts of the file name. They are not removed.' }),
  })
  .refine(({ part, prune }) => prune || !part, { path: ['part'], message: 'needs prune' })
  .refine(({ keep, part }) => !part || keep === undefined, { path: ['keep'], message: 'must not be given with part' })
  .refine(({ keep, prune }) => prune || keep === undefined, { path: ['keep'], message: 'needs prune' });

const fieldChange = z
  .object({
    field: z.string().meta({ example: 'config.timeoutSeconds' }),
    from: jsonValue.meta({
      description:
        'The value before the change, or null if there was none. A secret is `[redacted]`, a long value `{bytes, sha256}`.',
    }),
    to: jsonValue,
  })
  .meta({ id: 'WorkspaceFieldChange' });

const change = z
  .object({
    action: z.enum(['create', 'update', 'remove', 'none']),
    kind: z.enum(['environment', 'eventType', 'application', 'endpoint', 'source', 'workspace']),
    key: z.string().meta({ description: 'The slug, name or externalId of the resource.', example: 'order.placed' }),
    environment: z
      .string()
      .nullable()
      .meta({ description: 'The slug of the environment, for an endpoint or a source.' }),
    fields: z.array(fieldChange),
  })
  .meta({ id: 'WorkspaceChange' });
export type WorkspaceChange = z.output<typeof change>;

const count = z.int().nonnegative();

export const workspacePlan = z
  .object({
    changes: z.array(change),
    counts: z.object({ create: count, update: count, remove: count, none: count }),
    applied: z.boolean().meta({ description: 'Whether the changes were applied. False for a dry run.' }),
  })
  .meta({ id: 'WorkspacePlan', description: 'The changes that make the workspace match the document.' });
