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
    issuer: z.string().meta({ description: 'The `iss` of the tokens.' }),
    jwksUri: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the keys. If null, the URL in the metadata of the issuer is used.' }),
    audience: z
      .string()
      .nullable()
      .meta({ description: 'The `aud` of the tokens. If null, the URL at which agents subscribe.' }),
    scope: z.string().meta({ description: 'The scope that the `scope` of a token must contain.' }),
    applicationClaim: z.string().meta({ description: 'The claim that identifies the application.' }),
    maxTtlSeconds: z.int().meta({
      description: 'The maximum time in seconds before a subscription made with such a token must be refreshed.',
    }),
  })
  .meta({ id: 'AgentIssuer', description: 'An OAuth 2 authorization server whose access tokens agents can use.' });
export type AgentIssuer = z.output<typeof agentIssuer>;

/** An absent field gets its default. */
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
    enabled: z.boolean().meta({
      description: 'Whether agents may subscribe. Setting `false` ends every agent subscription of the environment.',
    }),
    callbackHosts: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The allowed hosts of callbacks, such as `*.example.com`. Null allows any public host.' }),
    maxTtlSeconds: z
      .int()
      .meta({ description: 'The maximum time in seconds before a subscription must be refreshed.' }),
    rateLimit: z
      .object({ limit: z.int(), periodSeconds: z.int() })
      .meta({ id: 'AgentRateLimit', description: 'The rate limit of deliveries for each new subscription.' }),
    issuer: agentIssuer
      .nullable()
      .meta({ description: 'The issuer of access tokens. Null if agents can use only agent keys.' }),
  })
  .extend({
    available: z.boolean().meta({ description: 'Whether the operator allows agents to subscribe (`MCP_EVENTS`).' }),
  })
  .meta({ id: 'AgentSettings', description: 'The settings for agents in an environment.' });
/** The settings as an environment has them. */
export type AgentSettings = Omit<z.output<typeof agentSettings>, 'available'>;

export const DEFAULT_AGENT_SETTINGS: AgentSettings = {
  enabled: false,
  callbackHosts: null,
  maxTtlSeconds: 86_400,
  rateLimit: { limit: 600, periodSeconds: 60 },
  issuer: null,
};

/** An absent field gets its default. */
export const setAgentSettingsBody = z.object({
  enabled: z.boolean('must be true or false').default(DEFAULT_AGENT_SETTINGS.enabled),
  callbackHosts: callbackHosts
    .nullable()
    .optional()
    .meta({ description: 'The allowed hosts of callbacks. If omitted or null, any public host is allowed.' }),
  maxTtlSeconds: z.int(TTL_RULE).min(60, TTL_RULE).max(86_400, TTL_RULE).default(DEFAULT_AGENT_SETTINGS.maxTtlSeconds),
  rateLimit: rateLimit
    .optional()
    .meta({ description: 'The rate limit of each new subscription. Defaults to 600 requests in 60 seconds.' }),
  issuer: givenIssuer.nullable().optional(),
});

/** The result of checking the issuer of an environment. */
export const checkedAgentIssuer = z
  .object({
    ok: z.boolean(),
    keys: z.int().meta({ description: 'The number of keys that were found.' }),
    message: z.string().meta({ description: 'The error, or a message with the number of keys.' }),
  })
  .meta({ id: 'CheckedAgentIssuer' });

const agentKey = z
  .object({
    id: id('agk'),
    name: z.string(),
    environmentId: id('env'),
    applicationId: id('app').nullable().meta({
      description:
        'The application whose events the agent receives. Null if the agent subscribes for the workspace itself.',
    }),
    keyPreview: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    expiresAt: timestamp,
  })
  .meta({ id: 'AgentKey', description: 'A credential with which an agent subscribes to events of one environment.' });

/** An agent key on creation. No other answer has the key itself. */
export const createdAgentKey = agentKey
  .extend({
    key: z
      .string()
      .nullable()
      .meta({ description: shownOnce('agent key', 'pha_…') }),
  })
  .meta({ id: 'CreatedAgentKey' });

export const createAgentKeyBody = z.object({
  name,
  environmentId: idReference
    .optional()
    .meta({ description: 'The environment. Defaults to the default environment of the workspace.' }),
  applicationId: idReference.nullable().optional().meta({
    description:
      'The application whose events the agent receives. The agent sees the event types that the portal of this application shows.',
  }),
  expiresAt: expiresAt
    .optional()
    .meta({ description: 'When the key expires, at most 365 days from now. Defaults to 365 days from now.' }),
});

export const agentKeysPage = z.object({ agentKeys: z.array(agentKey), nextCursor: z.string().nullable() });

export const listAgentKeysQuery = z.object({
  limit: pageLimit,
  cursor: cursor.optional(),
  environment_id: idReference.optional(),
  application_id: idReference.optional(),
});

/** The states of a subscription, and the reasons why it ended. */
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

/**
 * The error codes that an agent understands: those of the working group's draft, or those of the extension (SEP-3415).
 */
export type Dialect = 'sketch' | 'sep';

/** For each kind of error, its code in each dialect (docs/interface.md, Agents subscribe). */
export const EVENTS_ERROR_CODES = {
  invalid: { sketch: -32_602, sep: -32_602 },
  not_found: { sketch: -32_011, sep: -32_023 },
  forbidden: { sketch: -32_012, sep: -32_024 },
  exhausted: { sketch: -32_013, sep: -32_025 },
  unsupported: { sketch: -32_014, sep: -32_026 },
  callback: { sketch: -32_015, sep: -32_027 },
} as const;

/** The form of a subscription's id. Postgres refuses some of the other texts. */
export const AGENT_SUBSCRIPTION_ID = /^mcs_[0-9a-hjkmnp-tv-z]{26}$/;

export const agentSubscription = z
  .object({
    id: z.string().meta({ example: 'mcs_3f0kq1v8m2d6s9xw4y7b5c0zna' }),
    endpointId: id('ep').meta({ description: 'The endpoint of the subscription. Use it to list the deliveries.' }),
    environmentId: id('env'),
    applicationId: id('app').nullable(),
    eventType: z.string(),
    arguments: z.record(z.string(), z.unknown()).meta({ description: 'The filter that the agent set.' }),
    url: z.string().meta({ description: 'The URL of the callback.' }),
    principal: z.object({ kind: z.enum(['key', 'oauth']), name: z.string().nullable() }).meta({
      id: 'AgentPrincipal',
      description: 'The subscriber: the name of an agent key (null once the key is deleted), or the issuer of a login.',
    }),
    clientName: z.string().nullable().meta({ description: 'The name that the agent gave for itself.' }),
    status: z.enum(STATUSES).meta({
      description: 'The status of the subscription. `suspended`: the callback fails, and events are waiting.',
    }),
    endReason: z.enum(SUBSCRIPTION_ENDS).nullable(),
    expiresAt: timestamp.meta({ description: 'When the subscription expires, unless it is refreshed first.' }),
    createdAt: timestamp,
    refreshedAt: timestamp,
    endedAt: timestamp.nullable(),
    lastDeliveryAt: timestamp.nullable(),
    lastError: z.enum(CALLBACK_FAILURES).nullable().meta({ description: 'The reason why the latest attempt failed.' }),
  })
  .meta({ id: 'AgentSubscription', description: 'A subscription of an agent to an event type.' });

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
  status: z
    .enum(STATUSES)
    .optional()
    .meta({ description: 'The status to filter by. `ended` returns those that ended in the last 7 days.' }),
});
