import { z } from 'zod';
import { expiresAt } from './credentials.ts';
import { rateLimit } from './endpoint-config.ts';
import { LIMITS } from './limits.ts';
import { ENDS_BY_OTHERS } from './operational-events.ts';
import { arrayOf, cursor, id, idReference, name, pageLimit, shownOnce, text, timestamp } from './primitives.ts';

// Subscriptions of agents over the Model Context Protocol (docs/interface.md, Agents subscribe).

const HOST = /^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const HOST_RULE = 'must be a host name in lower case, or *. and a host name';
const TTL_RULE = 'must be whole seconds from 60 to 86,400';

const callbackHosts = arrayOf(z.string(HOST_RULE).max(253, HOST_RULE).regex(HOST, HOST_RULE), {
  least: 1,
  most: LIMITS.callbackHosts,
  rule: `must have 1 to ${LIMITS.callbackHosts} hosts`,
});

const ISSUER_RULE = 'must be an https URL of at most 2,048 characters, without a query and a fragment';
const SCOPE_RULE = 'must be 1 to 255 visible ASCII characters, without " and \\';

const issuerUrl = z
  .string(ISSUER_RULE)
  .max(2_048, ISSUER_RULE)
  .regex(/^https:\/\/[^\s?#]+$/, ISSUER_RULE);

/** The issuer of access tokens that agents may show, with its values as they are stored. */
const agentIssuer = z
  .object({
    issuer: z.string().meta({ description: 'The `iss` of its tokens.' }),
    jwksUri: z.string().nullable().meta({ description: 'Its keys; null: as its description says.' }),
    audience: z.string().nullable().meta({ description: 'The `aud` of its tokens; null: the address of the events.' }),
    scope: z.string().meta({ description: 'What `scope` must contain.' }),
    applicationClaim: z.string().meta({ description: 'The claim that names the application.' }),
    maxTtlSeconds: z.int().meta({ description: 'The longest time until such a subscription must be refreshed.' }),
  })
  .meta({ id: 'AgentIssuer', description: 'An OAuth 2 authorization server whose access tokens agents may use.' });
export type AgentIssuer = z.output<typeof agentIssuer>;

/** An absent field has its default. */
const givenIssuer = z.object({
  issuer: issuerUrl,
  jwksUri: z
    .string(ISSUER_RULE)
    .max(2_048, ISSUER_RULE)
    .regex(/^https:\/\/[^\s#]+$/, ISSUER_RULE)
    .nullable()
    .default(null),
  audience: text(1, 2_048).nullable().default(null),
  scope: z
    .string(SCOPE_RULE)
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, SCOPE_RULE)
    .default('events:subscribe'),
  applicationClaim: text(1, 255).default('posthorn_application'),
  maxTtlSeconds: z.int(TTL_RULE).min(60, TTL_RULE).max(86_400, TTL_RULE).default(3_600),
});

/** The rules for agents in an environment. */
export const agentSettings = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether agents may subscribe. `false` ends every subscription.' }),
    callbackHosts: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The hosts that callbacks may have, `*.example.com` included; null for any public host.' }),
    maxTtlSeconds: z.int().meta({ description: 'The longest time until a subscription must be refreshed.' }),
    rateLimit: z
      .object({ limit: z.int(), periodSeconds: z.int() })
      .meta({ id: 'AgentRateLimit', description: 'The deliveries of each new subscription.' }),
    issuer: agentIssuer.nullable().meta({ description: 'Null: agents subscribe with agent keys alone.' }),
  })
  .extend({
    available: z.boolean().meta({ description: 'Whether the operator lets agents subscribe at all: `MCP_EVENTS`.' }),
  })
  .meta({ id: 'AgentSettings', description: 'The rules for agents in an environment.' });
/** The settings as an environment has them. */
export type AgentSettings = Omit<z.output<typeof agentSettings>, 'available'>;

export const DEFAULT_AGENT_SETTINGS: AgentSettings = {
  enabled: false,
  callbackHosts: null,
  maxTtlSeconds: 86_400,
  rateLimit: { limit: 600, periodSeconds: 60 },
  issuer: null,
};

/** An absent field has its default. */
export const setAgentSettingsBody = z.object({
  enabled: z.boolean('must be true or false').default(DEFAULT_AGENT_SETTINGS.enabled),
  callbackHosts: callbackHosts.nullable().optional().meta({ description: 'Absent or null: any public host.' }),
  maxTtlSeconds: z.int(TTL_RULE).min(60, TTL_RULE).max(86_400, TTL_RULE).default(DEFAULT_AGENT_SETTINGS.maxTtlSeconds),
  rateLimit: rateLimit.optional().meta({ description: 'Absent: 600 requests in 60 seconds.' }),
  issuer: givenIssuer.nullable().optional(),
});

/** The result of a look at the issuer of an environment. */
export const checkedAgentIssuer = z
  .object({
    ok: z.boolean(),
    keys: z.int().meta({ description: 'The number of its keys.' }),
    message: z.string().meta({ description: 'The fault, or how many keys were found.' }),
  })
  .meta({ id: 'CheckedAgentIssuer' });

const agentKey = z
  .object({
    id: id('agk'),
    name: z.string(),
    environmentId: id('env'),
    applicationId: id('app').nullable().meta({ description: 'Null: it subscribes for the workspace itself.' }),
    keyPreview: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp,
  })
  .meta({ id: 'AgentKey', description: 'A credential with which an agent subscribes to events of one environment.' });

/** The key itself is in no other answer. */
export const createdAgentKey = agentKey
  .extend({
    key: z
      .string()
      .nullable()
      .meta({ description: shownOnce('pha_…') }),
  })
  .meta({ id: 'CreatedAgentKey' });

export const createAgentKeyBody = z.object({
  name,
  environmentId: idReference.optional().meta({ description: 'Absent: the default environment.' }),
  applicationId: idReference
    .optional()
    .meta({ description: 'The agent gets the events of this application, and sees the types that its portal shows.' }),
  expiresAt: expiresAt.optional().meta({ description: 'At most 365 days ahead, which is also the default.' }),
});

export const agentKeysPage = z.object({ agentKeys: z.array(agentKey), nextCursor: z.string().nullable() });

export const listAgentKeysQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  environment_id: idReference.optional(),
  application_id: idReference.optional(),
});

/** How a subscription is, or why it ended. */
const STATUSES = ['active', 'suspended', 'ended'] as const;
const SUBSCRIPTION_ENDS = ['unsubscribed', 'expired', ...ENDS_BY_OTHERS] as const;

/** The categories in which a callback can fail. */
export const CALLBACK_FAILURES = [
  'connection_refused',
  'timeout',
  'tls_error',
  'http_4xx',
  'http_5xx',
  'challenge_failed',
] as const;
export type CallbackFailure = (typeof CALLBACK_FAILURES)[number];

/** The error codes that an agent understands: those of the working group's sketch, or of the extension (SEP-3415). */
export type Dialect = 'sketch' | 'sep';

/** By kind of error, the code of each dialect (docs/interface.md, Agents subscribe). */
export const EVENTS_ERROR_CODES = {
  invalid: { sketch: -32_602, sep: -32_602 },
  not_found: { sketch: -32_011, sep: -32_023 },
  forbidden: { sketch: -32_012, sep: -32_024 },
  exhausted: { sketch: -32_013, sep: -32_025 },
  unsupported: { sketch: -32_014, sep: -32_026 },
  callback: { sketch: -32_015, sep: -32_027 },
} as const;

/** The shape of a subscription's id. Postgres refuses some other texts. */
export const AGENT_SUBSCRIPTION_ID = /^mcs_[0-9a-hjkmnp-tv-z]{26}$/;

export const agentSubscription = z
  .object({
    id: z.string().meta({ example: 'mcs_3f0kq1v8m2d6s9xw4y7b5c0zna' }),
    endpointId: id('ep').meta({ description: 'Names its deliveries.' }),
    environmentId: id('env'),
    applicationId: id('app').nullable(),
    eventType: z.string(),
    arguments: z.record(z.string(), z.unknown()).meta({ description: 'The filter that the agent chose.' }),
    url: z.string().meta({ description: 'The callback.' }),
    principal: z.object({ kind: z.enum(['key', 'oauth']), name: z.string().nullable() }).meta({
      id: 'AgentPrincipal',
      description: 'The subscriber: a key, by its name, which is null once it is deleted; or a login, by its issuer.',
    }),
    clientName: z.string().nullable().meta({ description: 'The name that the agent gave itself.' }),
    status: z.enum(STATUSES).meta({ description: '`suspended`: its callback fails, and its events wait.' }),
    endReason: z.enum(SUBSCRIPTION_ENDS).nullable(),
    expiresAt: timestamp.meta({ description: 'Unless it is refreshed before.' }),
    createdAt: timestamp,
    refreshedAt: timestamp,
    endedAt: timestamp.nullable(),
    lastDeliveryAt: timestamp.nullable(),
    lastError: z.enum(CALLBACK_FAILURES).nullable().meta({ description: 'How the latest attempt failed.' }),
  })
  .meta({ id: 'AgentSubscription', description: 'A subscription of an agent.' });

export const agentSubscriptionsPage = z.object({
  agentSubscriptions: z.array(agentSubscription),
  nextCursor: z.string().nullable(),
});

export const listAgentSubscriptionsQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  environment_id: idReference.optional(),
  application_id: idReference.optional(),
  event_type: text(1, 255).optional(),
  status: z.enum(STATUSES).optional().meta({ description: '`ended`: only those that have ended in the last 7 days.' }),
});
