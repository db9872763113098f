import { z } from 'zod';
import { createApplicationBody, externalId } from './applications.ts';
import { destination } from './endpoint-config.ts';
import { createEndpointBody, documentUrl, updateEndpointBody } from './endpoints.ts';
import { createEnvironmentBody, schemaMode } from './environments.ts';
import { createEventTypeBody } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, jsonValue, recordOf, slug } from './primitives.ts';
import { createSourceBody } from './sources.ts';
import { chosenEventType } from './subscriptions.ts';
import { updateWorkspaceBody } from './workspaces.ts';

// A workspace as one document (docs/interface.md, Apply). Its parts have the rules of the operations that create them.

const atMost = (count: number, what: string) => ({
  most: count,
  rule: `must have at most ${count.toLocaleString('en')} ${what}`,
});
const ENVIRONMENTS = atMost(LIMITS.environmentsPerWorkspace, 'environments');

const environment = createEnvironmentBody
  .extend({
    isDefault: z
      .boolean()
      .optional()
      .meta({ description: 'True makes it the default environment. The former default loses that mark.' }),
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
      .meta({ description: 'The slugs of the environments in which it is published.' }),
    schemaMode: recordOf(slug, schemaMode, ENVIRONMENTS)
      .optional()
      .meta({ description: 'By the slug of an environment, how payloads are checked there.' }),
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
      description: 'Your own name for it in its environment; or the id of an endpoint that has no externalId.',
    }),
    environment: slug.meta({ description: 'The slug of its environment.' }),
    application: externalId
      .optional()
      .meta({ description: 'The externalId of its application; without it, an endpoint of the workspace itself.' }),
    url: documentUrl
      .optional()
      .meta({ description: 'Required where the type takes one. To others, the service gives a URL.' }),
    type: fields.type,
    destination: destination('`config.destination` of an endpoint type that has one.').optional(),
    description: fields.description,
    isActive: fields.isActive,
    config: fields.config,
    metadata: fields.metadata,
    eventTypes: arrayOf(chosenEventType, atMost(LIMITS.eventTypesPerWorkspace, 'event types'))
      .optional()
      .meta({ description: 'The event types to which it subscribes, by name or by pattern.' }),
    authUsername: updateEndpointBody.shape.authUsername.meta({
      description: 'With `authPassword`, HTTP Basic credentials. Null in either one removes both.',
    }),
    authPassword: updateEndpointBody.shape.authPassword,
    secret: fields.secret.meta({ description: 'Its signing secret.' }),
    secretHeaders: fields.secretHeaders,
    credentials: fields.credentials,
  })
  .meta({ id: 'DocumentEndpoint' });

const source = z
  .object({
    externalId: externalId.meta({
      description: 'Your own name for it in its environment; or the id of a source that has no externalId.',
    }),
    environment: slug.meta({ description: 'The slug of its environment.' }),
    name: createSourceBody.shape.name,
    type: createSourceBody.shape.type,
    isActive: z.boolean('must be true or false').optional().meta({ description: 'A new one is active.' }),
    config: createSourceBody.shape.config,
    credentials: createSourceBody.shape.credentials,
  })
  .meta({ id: 'DocumentSource' });

const workspaceDocument = z
  .object({
    // Generators of clients make an enum of a literal, and Java's of a number does not compile.
    version: z.literal(1, 'must be 1').meta({ documentedAs: z.int().min(1).max(1) }),
    environments: arrayOf(environment, ENVIRONMENTS).optional(),
    eventTypes: arrayOf(eventType, atMost(LIMITS.appliedEventTypes, 'event types')).optional(),
    applications: arrayOf(application, atMost(LIMITS.appliedApplications, 'applications')).optional(),
    endpoints: arrayOf(endpoint, atMost(LIMITS.appliedEndpoints, 'endpoints')).optional(),
    sources: arrayOf(source, atMost(LIMITS.sourcesPerWorkspace, 'sources')).optional(),
    portalOrigins: updateWorkspaceBody.shape.portalOrigins,
    portalTerms: updateWorkspaceBody.shape.portalTerms,
  })
  .meta({ id: 'WorkspaceDocument', description: 'What a workspace should have. What it does not name is left alone.' });
export type WorkspaceDocument = z.output<typeof workspaceDocument>;
export type DocumentEnvironment = z.output<typeof environment>;
export type DocumentEventType = z.output<typeof eventType>;
export type DocumentApplication = z.output<typeof application>;
export type DocumentEndpoint = z.output<typeof endpoint>;
export type DocumentSource = z.output<typeof source>;

const KEPT = atMost(LIMITS.keptNames, 'names');

/** A file that is larger than a call is applied in parts, and no part names all that the file names. */
const keep = z
  .object({
    eventTypes: arrayOf(eventType.shape.name, KEPT).optional().meta({ description: 'Names.' }),
    applications: arrayOf(externalId, KEPT).optional().meta({ description: 'The externalIds.' }),
    endpoints: recordOf(slug, arrayOf(externalId, KEPT), ENVIRONMENTS)
      .optional()
      .meta({ description: 'By the slug of an environment, the externalIds.' }),
  })
  .meta({ id: 'KeptNames' });

export const applyBody = z
  .object({
    document: workspaceDocument,
    dryRun: z.boolean().default(false).meta({ description: 'Only tells what would change.' }),
    prune: z.boolean().default(false).meta({ description: 'Also removes what the lists of the document do not name.' }),
    part: z.boolean().default(false).meta({
      description:
        'With `prune`, for a part of a file: removes only what the named resources have beyond it, and no resource.',
    }),
    keep: keep.optional().meta({ description: 'With `prune`: other parts of the file name these, so they stay.' }),
  })
  .refine(({ part, prune }) => prune || !part, { path: ['part'], message: 'needs prune' })
  .refine(({ keep, part }) => !part || keep === undefined, { path: ['keep'], message: 'must not be given with part' })
  .refine(({ keep, prune }) => prune || keep === undefined, { path: ['keep'], message: 'needs prune' });

const fieldChange = z
  .object({
    field: z.string().meta({ example: 'config.timeoutSeconds' }),
    from: jsonValue.meta({ description: 'Null for none. A secret is `[redacted]`, a long value `{bytes, sha256}`.' }),
    to: jsonValue,
  })
  .meta({ id: 'WorkspaceFieldChange' });

const change = z
  .object({
    action: z.enum(['create', 'update', 'remove', 'none']),
    kind: z.enum(['environment', 'eventType', 'application', 'endpoint', 'source', 'workspace']),
    key: z.string().meta({ description: 'The slug, the name or the externalId.', example: 'order.placed' }),
    environment: z.string().nullable().meta({ description: 'The slug of the environment of an endpoint or a source.' }),
    fields: z.array(fieldChange),
  })
  .meta({ id: 'WorkspaceChange' });
export type WorkspaceChange = z.output<typeof change>;

const count = z.int().nonnegative();

export const workspacePlan = z
  .object({
    changes: z.array(change),
    counts: z.object({ create: count, update: count, remove: count, none: count }),
    applied: z.boolean().meta({ description: 'False for a dry run.' }),
  })
  .meta({ id: 'WorkspacePlan', description: 'What makes the workspace like the document.' });
