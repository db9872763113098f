import { z } from 'zod';
import { SCOPES, scope } from './access.ts';
import { environment } from './environments.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, id, idReference, name, offsetDateTime, shownOnce, timestamp } from './primitives.ts';
import { workspace } from './workspaces.ts';

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The end of a credential. The operation checks that it is in the future, because the operation has the clock. */
export const expiresAt = offsetDateTime.refine(
  (instant) => Date.parse(instant) <= LAST_INSTANT,
  'must be before year 10000',
);

export const apiKey = z
  .object({
    id: id('key'),
    name: z.string(),
    environmentId: id('env'),
    keyPreview: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp
      .nullable()
      .meta({ description: 'When the key is revoked. A time in the future means that the key is valid until then.' }),
  })
  .meta({ id: 'ApiKey', description: 'A credential of a producer, bound to one environment.' });

/** An API key on creation. No other answer has the key itself. */
export const createdApiKey = apiKey
  .extend({
    key: z
      .string()
      .nullable()
      .meta({ description: shownOnce('API key', 'phk_…') }),
  })
  .meta({ id: 'CreatedApiKey' });

export const createApiKeyBody = z.object({ name, expiresAt: expiresAt.nullable().optional() });

const gracePeriodSeconds = 'must be whole seconds from 0 to 604,800';

/** How long a replaced credential still works: a day by default, a week at most. */
export const gracePeriod = z
  .int(gracePeriodSeconds)
  .min(0, gracePeriodSeconds)
  .max(604_800, gracePeriodSeconds)
  .default(86_400);

export const rotateApiKeyBody = z.object({ gracePeriodSeconds: gracePeriod });

const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** An IP address or a range of addresses. */
const network = z
  .string()
  .refine((text) => NETWORK.safeParse(text).success, 'must be an address or a range such as 203.0.113.0/24')
  .meta({ example: '203.0.113.0/24' });

const boundsOfToken = {
  environmentIds: z.array(id('env')).nullable().meta({
    description:
      'The environments to which the token is limited. It can read and change only what belongs to them, and can read but not change the workspace itself. Null for all environments.',
  }),
  allowedNetworks: z.array(network).nullable().meta({
    description:
      'The networks from which the token can be used. A request from another address is `forbidden`. Null for all networks.',
  }),
};

export const managementToken = z
  .object({
    id: id('tok'),
    name: z.string(),
    tokenPreview: z.string(),
    scopes: z.array(scope),
    ...boundsOfToken,
    isDisabled: z.boolean(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    createdAt: timestamp,
    createdBy: id('usr')
      .nullable()
      .meta({ description: 'The user who created the token. Null if the bootstrap or posthorn-admin created it.' }),
  })
  .meta({ id: 'ManagementToken', description: 'A credential of the management interface.' });

/** A management token on creation. No other answer has the token itself. */
export const createdManagementToken = managementToken
  .extend({
    token: z
      .string()
      .nullable()
      .meta({ description: shownOnce('management token', 'phm_…') }),
  })
  .meta({ id: 'CreatedManagementToken' });

/** The details of a management token that its holder can see. */
export const ownManagementToken = z
  .object({
    workspace: workspace.pick({ id: true, name: true, slug: true, plan: true }).meta({ id: 'OwnWorkspaceSummary' }),
    token: managementToken
      .pick({
        id: true,
        name: true,
        tokenPreview: true,
        scopes: true,
        environmentIds: true,
        allowedNetworks: true,
        expiresAt: true,
        createdAt: true,
      })
      .meta({ id: 'OwnManagementTokenDetails' }),
    environments: z.array(environment),
  })
  .meta({ id: 'OwnManagementToken', description: 'A management token, with its workspace and environments.' });

export const createManagementTokenBody = z.object({
  name,
  scopes: arrayOf(scope, { least: 1, most: LIMITS.namedRights, rule: `must name 1 to ${LIMITS.namedRights} scopes` })
    .transform((given) => SCOPES.filter((one) => given.includes(one)))
    .default([...SCOPES]),
  environmentIds: arrayOf(idReference, {
    least: 1,
    most: LIMITS.environmentsPerWorkspace,
    rule: `must name 1 to ${LIMITS.environmentsPerWorkspace} environments, or be null for all`,
  })
    .nullable()
    .optional(),
  allowedNetworks: arrayOf(network, {
    least: 1,
    most: LIMITS.networksPerToken,
    rule: `must name 1 to ${LIMITS.networksPerToken} networks, or be null for all`,
  })
    .nullable()
    .optional(),
  expiresAt: expiresAt.nullable().optional(),
});

export const updateManagementTokenBody = z.object({ isDisabled: z.boolean().optional() });

/** Selects the tokens of one person. */
export const deleteManagementTokensQuery = z.object({ created_by: idReference });
