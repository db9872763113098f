import type { ATTEMPT_ERROR_CODES } from '@posthorn/destinations/failure';
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { OPERATIONAL_EVENTS, type OperationalEventName } from './operational-events.ts';
import { arrayOf, id, idReference, name, pageFields, text, timestamp } from './primitives.ts';

// The people whom a workspace informs of operational events, without code (docs/interface.md, Alert rules).

/** For each channel, the kind of its target, and whether customers may choose it in the portal. */
export const ALERT_CHANNELS = {
  email: { target: 'address', isInPortal: true },
  slack: { target: 'url', isInPortal: true },
  teams: { target: 'url', isInPortal: false },
  discord: { target: 'url', isInPortal: false },
  pagerduty: { target: 'pagerduty_key', isInPortal: false },
} as const satisfies Record<string, { target: 'address' | 'url' | 'pagerduty_key'; isInPortal: boolean }>;
const CHANNELS = Object.keys(ALERT_CHANNELS) as [AlertChannel, ...AlertChannel[]];
const channel = z
  .enum(CHANNELS, `must be one of ${CHANNELS.join(', ')}`)
  .meta({ id: 'AlertChannel', description: 'The channel through which messages are sent.' });
export type AlertChannel = keyof typeof ALERT_CHANNELS;
/** The channels that a customer may choose in the portal. */
export const PORTAL_ALERT_CHANNELS: readonly AlertChannel[] = CHANNELS.filter((one) => ALERT_CHANNELS[one].isInPortal);

/** The attempt error codes that can occur when a rule's message is sent. */
const SENDING_CODES = [
  'timeout',
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'blocked_address',
  'http_status',
  'too_large',
  'protocol_error',
  'proxy_error',
  'internal',
] as const satisfies readonly (typeof ATTEMPT_ERROR_CODES)[number][];

/** Why a message of a rule could not be sent. */
export const ALERT_ERROR_CODES = [
  ...SENDING_CODES,
  'sender_stopped',
  'target_unreadable',
  'not_a_member',
  'too_many_mails',
] as const;
export type AlertErrorCode = (typeof ALERT_ERROR_CODES)[number];

/** There are no alerts about agents, whose subscriptions come and go by themselves. */
type AlertEventName = Exclude<OperationalEventName, `posthorn.agent.${string}`>;
const NAMES = Object.keys(OPERATIONAL_EVENTS).filter((one) => !one.startsWith('posthorn.agent.')) as [
  AlertEventName,
  ...AlertEventName[],
];
const eventName = z.enum(NAMES, 'must be the name of an operational event');

const quietMinutes = z
  .int('must be a whole number')
  .min(1, 'must be 1 to 10,080')
  .max(LIMITS.quietMinutes, 'must be 1 to 10,080')
  .meta({
    description:
      'The minimum time in minutes between two messages about the same event. A message names up to 10 affected endpoints.',
  });

const events = arrayOf(eventName, {
  least: 1,
  most: LIMITS.alertEvents,
  rule: `must have 1 to ${LIMITS.alertEvents} items`,
}).transform((given) => NAMES.filter((one) => given.includes(one)));

const target = text(1, LIMITS.urlCharacters).meta({
  description:
    'The email address for `email`, the integration key of a service (Events API v2) for `pagerduty`, and the https URL of the incoming webhook for the other channels.',
});

export const alertRule = z
  .object({
    id: id('alr'),
    name: z.string(),
    channel,
    target: z.string().meta({ description: 'The target, shortened.', example: 'https://hooks.slack.com/…3f9k' }),
    events: z.array(eventName),
    environmentId: id('env')
      .nullable()
      .meta({ description: 'The environment of the rule. Null for all environments.' }),
    applicationId: id('app').nullable().meta({
      description: 'The application whose endpoints the rule is about. Null for all endpoints of the workspace.',
    }),
    isOfPortal: z.boolean().meta({ description: 'Whether a customer created the rule in the portal.' }),
    quietMinutes: z.int(),
    status: z.enum(['active', 'unconfirmed']).meta({
      description: 'The status of the rule. `unconfirmed`: the link in the confirmation email has not been opened yet.',
    }),
    lastSentAt: timestamp.nullable(),
    lastError: z
      .string()
      .nullable()
      .meta({ description: 'The reason why the last message could not be sent. Null if it was sent.' }),
    lastErrorCode: z.enum(ALERT_ERROR_CODES).nullable().meta({
      description:
        'A machine-readable code for `lastError`. Null without an error, and for an error that an earlier version stored.',
    }),
    lastErrorStatus: z.int().nullable().meta({
      description: 'The HTTP status that the target returned, if `lastErrorCode` is `http_status`. Null otherwise.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AlertRule', description: 'A rule that sends messages about operational events.' });

export const createAlertRuleBody = z.object({
  name,
  channel,
  target,
  events,
  environmentId: idReference.nullable().optional(),
  applicationId: idReference.nullable().optional(),
  quietMinutes: quietMinutes.default(60),
});

export const updateAlertRuleBody = z.object({
  name: name.optional(),
  target: target.optional(),
  events: events.optional(),
  environmentId: idReference.nullable().optional(),
  applicationId: idReference.nullable().optional(),
  quietMinutes: quietMinutes.optional(),
});

export const listAlertRulesQuery = z.object({
  ...pageFields,
  application_id: idReference.optional().meta({
    description:
      'The application whose rules are returned, including those created in its portal. If omitted, returns the rules that were not created in a portal.',
  }),
});

/** The token from the confirmation mail to an address. */
export const verifyAlertTargetBody = z.object({
  token: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
});

/** The token in the link of each alert mail. It stops these mails. */
export const stopAlertsBody = z.object({
  token: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters'),
});

export const verifiedAlertTarget = z
  .object({ name: z.string(), workspaceName: z.string() })
  .meta({ id: 'VerifiedAlertTarget', description: 'The alert rule whose address was confirmed.' });
