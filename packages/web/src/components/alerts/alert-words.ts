import type { components } from '../../generated/api.ts';

export type AlertRule = components['schemas']['AlertRule'];
export type AlertChannel = AlertRule['channel'];
export type AlertEvent = AlertRule['events'][number];

export const CHANNEL_WORDS: Record<AlertChannel, string> = {
  email: 'Email',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  pagerduty: 'PagerDuty',
};

/** What the target of a channel is, and where one gets it. */
export const TARGET_WORDS: Record<AlertChannel, { label: string; description: string }> = {
  email: { label: 'Address', description: 'Unless it is a member’s, its holder first opens the link of a mail.' },
  slack: { label: 'Webhook URL', description: 'Of an incoming webhook of a Slack app.' },
  teams: { label: 'Webhook URL', description: 'Of the workflow “When a Teams webhook request is received”.' },
  discord: { label: 'Webhook URL', description: 'Of the channel: Integrations, Webhooks.' },
  pagerduty: { label: 'Integration key', description: 'Of a service, for the Events API v2.' },
};

export const EVENT_WORDS: Record<AlertEvent, string> = {
  'posthorn.endpoint.failing': 'An endpoint stops answering',
  'posthorn.endpoint.recovered': 'An endpoint answers again',
  'posthorn.endpoint.disabled': 'An endpoint is deactivated',
  'posthorn.delivery.dead_letter': 'Deliveries are given up',
  'posthorn.delivery.failed': 'Deliveries end early',
  'posthorn.operation.completed': 'An operation is finished',
  'posthorn.api_key.expiring': 'An API key ends within 7 days',
};

/** What most people want to know at once. */
export const USUAL_EVENTS: readonly AlertEvent[] = [
  'posthorn.endpoint.failing',
  'posthorn.endpoint.disabled',
  'posthorn.delivery.dead_letter',
];
