import type { components } from '../../generated/api.ts';
import { t } from '../../language/language.ts';

export type AlertRule = components['schemas']['AlertRule'];
export type AlertChannel = AlertRule['channel'];
export type AlertEvent = AlertRule['events'][number];

export const CHANNEL_WORDS: Record<AlertChannel, string> = {
  email: t('Email'),
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  pagerduty: 'PagerDuty',
};

/** What the target of a channel is, and where one gets it. */
export const TARGET_WORDS: Record<AlertChannel, { label: string; description: string }> = {
  email: {
    label: t('Address'),
    description: t('If it is not the address of a member, its holder must first open the link in a mail.'),
  },
  slack: { label: t('Webhook URL'), description: t('Of an incoming webhook of a Slack app.') },
  teams: { label: t('Webhook URL'), description: t('Of the workflow “When a Teams webhook request is received”.') },
  discord: { label: t('Webhook URL'), description: t('Of the channel: Integrations, Webhooks.') },
  pagerduty: { label: t('Integration key'), description: t('Of a service, for the Events API v2.') },
};

export const EVENT_WORDS: Record<AlertEvent, string> = {
  'posthorn.endpoint.failing': t('An endpoint stops answering'),
  'posthorn.endpoint.recovered': t('An endpoint answers again'),
  'posthorn.endpoint.disabled': t('An endpoint is deactivated'),
  'posthorn.delivery.dead_letter': t('Deliveries are given up'),
  'posthorn.delivery.failed': t('Deliveries end early'),
  'posthorn.operation.completed': t('An operation is finished'),
  'posthorn.api_key.expiring': t('An API key ends within 7 days'),
};

/** What most people want to know at once. */
export const USUAL_EVENTS: readonly AlertEvent[] = [
  'posthorn.endpoint.failing',
  'posthorn.endpoint.disabled',
  'posthorn.delivery.dead_letter',
];

/** What concerns a customer. */
export const CUSTOMER_EVENTS: readonly AlertEvent[] = [
  'posthorn.endpoint.failing',
  'posthorn.endpoint.recovered',
  'posthorn.endpoint.disabled',
  'posthorn.delivery.dead_letter',
  'posthorn.delivery.failed',
];
