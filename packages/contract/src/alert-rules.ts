import type { ATTEMPT_ERROR_CODES } from '@posthorn/destinations/failure';
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { OPERATIONAL_EVENTS, type OperationalEventName } from './operational-events.ts';
import { arrayOf, id, idReference, name, pageFields, text, timestamp } from './primitives.ts';

// Whom a workspace wants told of operational events, without code (docs/interface.md, Alert rules).

/** The kind of target of a channel, and whether a customer may choose the channel in the portal. */
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
  .meta({ id: 'AlertChannel', description: 'How the message goes out.' });
export type AlertChannel = keyof typeof ALERT_CHANNELS;
/** What a customer may choose in the portal. */
export const PORTAL_ALERT_CHANNELS: readonly AlertChannel[] = CHANNELS.filter((one) => ALERT_CHANNELS[one].isInPortal);

/** The reasons of an attempt that can occur when a message of a rule is sent. */
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

/** No alert tells of agents, whose subscriptions come and go by themselves. */
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
  .meta({ description: 'At most one message of each event in this time. It names up to 10 endpoints concerned.' });

const events = arrayOf(eventName, {
  least: 1,
  most: LIMITS.alertEvents,
  rule: `must have 1 to ${LIMITS.alertEvents} items`,
}).transform((given) => NAMES.filter((one) => given.includes(one)));

const target = text(1, LIMITS.urlCharacters).meta({
  description:
    'Of `email` an address, of `pagerduty` the integration key of a service (Events API v2), else the https URL of the incoming webhook.',
});

export const alertRule = z
  .object({
    id: id('alr'),
    name: z.string(),
    channel,
    target: z.string().meta({ description: 'Shortened.', example: 'https://hooks.slack.com/…3f9k' }),
    events: z.array(eventName),
    environmentId: id('env').nullable().meta({ description: 'Null for every environment.' }),
    applicationId: id('app').nullable().meta({ description: 'Null for every endpoint of the workspace.' }),
    isOfPortal: z.boolean().meta({ description: 'Whether a customer made it in the portal.' }),
    quietMinutes: z.int(),
    status: z
      .enum(['active', 'unconfirmed'])
      .meta({ description: '`unconfirmed`: the holder of the address has not opened the link of the mail yet.' }),
    lastSentAt: timestamp.nullable(),
    lastError: z.string().nullable().meta({ description: 'Why the last message could not be sent; null if it was.' }),
    lastErrorCode: z.enum(ALERT_ERROR_CODES).nullable().meta({
      description:
        'The kind of `lastError`, for programs; null without an error, and for one that an earlier version of the service stored.',
    }),
    lastErrorStatus: z.int().nullable().meta({
      description: 'The status that the target answered, when `lastErrorCode` is `http_status`; else null.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AlertRule', description: 'Whom to tell of operational events, and how.' });

export const createAlertRuleBody = z.object({
  name,
  channel,
  target,
  events,
  environmentId: idReference.optional(),
  applicationId: idReference.optional(),
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
      'Lists the rules about this application, also the rules that its portal made. Without it, lists the rules that no portal made.',
  }),
});

/** The token in the mail that asks the holder of an address to confirm it. */
export const verifyAlertTargetBody = z.object({
  token: z.string().min(1, 'is required').max(200, 'must be at most 200 characters'),
});

/** The token in the link of each alert mail, which stops such mails. */
export const stopAlertsBody = z.object({
  token: z.string().min(1, 'is required').max(1_000, 'must be at most 1,000 characters'),
});

export const verifiedAlertTarget = z
  .object({ name: z.string(), workspaceName: z.string() })
  .meta({ id: 'VerifiedAlertTarget', description: 'The rule whose messages the holder of the address accepts.' });
