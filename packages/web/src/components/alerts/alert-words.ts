import type { components } from '../../generated/api.ts';
import { language, t } from '../../language/language.ts';

export type AlertRule = components['schemas']['AlertRule'];
export type AlertChannel = AlertRule['channel'];
export type AlertErrorCode = NonNullable<AlertRule['lastErrorCode']>;
export type AlertEvent = AlertRule['events'][number];

/** A channel's name, its kind of target, and where one gets a target. */
export const CHANNEL_WORDS: Record<AlertChannel, { name: string; target: string; description: string }> = {
  email: {
    name: t('Email'),
    target: t('Address'),
    description: t('If it is not the address of a member, its holder must first open the link in a mail.'),
  },
  slack: {
    name: 'Slack',
    target: t('Webhook URL'),
    description: t('Copy it from an incoming webhook of a Slack app.'),
  },
  teams: {
    name: 'Microsoft Teams',
    target: t('Webhook URL'),
    description: t('Copy it from the workflow “When a Teams webhook request is received”.'),
  },
  discord: {
    name: 'Discord',
    target: t('Webhook URL'),
    description: t('Copy it from the channel: Integrations, Webhooks.'),
  },
  pagerduty: {
    name: 'PagerDuty',
    target: t('Integration key'),
    description: t('Copy it from the integration Events API v2 of a service.'),
  },
};

/** Why the last message was not sent, by error code. */
const errorWords = (): Record<Exclude<AlertErrorCode, 'http_status'>, string> => ({
  timeout: t('The target did not answer in time'),
  dns_failure: t('The host name of the target could not be resolved'),
  connection_refused: t('The target could not be reached, or refused the connection'),
  connection_reset: t('The connection broke before the target had answered'),
  tls_error: t('No secure connection to the target: check its certificate'),
  blocked_address: t('The target has an address or a port that may not be reached'),
  too_large: t('The headers of the target’s answer are too large'),
  protocol_error: t('The target’s answer is not valid HTTP'),
  proxy_error: t('The sender’s proxy could not connect to the target'),
  internal: t('The request to the target could not be made'),
  sender_stopped: t('The sender was stopped before the target had answered'),
  target_unreadable: t('The target can no longer be decrypted: enter it again'),
  not_a_member: t('The address belongs to no member any more: change it to confirm it'),
  too_many_mails: t('Too many alerts were mailed to the address, or by the sender, in 24 hours: this one was not'),
});

type LastError = Pick<AlertRule, 'lastError' | 'lastErrorCode' | 'lastErrorStatus'>;

/**
 * Why a rule's last message was not sent; null if it was. In English it is the rule's own text, which is more precise.
 * An error without a code, or with a code that this page does not know yet, shows that text in every language.
 */
export function lastErrorWords({ lastError, lastErrorCode, lastErrorStatus }: LastError): string | null {
  if (lastError === null || lastErrorCode === null || language() === 'en') return lastError;
  if (lastErrorCode !== 'http_status') return errorWords()[lastErrorCode] ?? lastError;
  return lastErrorStatus === null ? lastError : t('The target answered {status}', { status: lastErrorStatus });
}

export const EVENT_WORDS: Record<AlertEvent, string> = {
  'posthorn.endpoint.failing': t('An endpoint stops answering'),
  'posthorn.endpoint.recovered': t('An endpoint answers again'),
  'posthorn.endpoint.disabled': t('An endpoint is deactivated'),
  'posthorn.delivery.dead_letter': t('Deliveries are given up'),
  'posthorn.delivery.failed': t('Deliveries end early'),
  'posthorn.operation.completed': t('An operation is finished'),
  'posthorn.api_key.expiring': t('An API key ends within 7 days'),
  'posthorn.source.failing': t('A source cannot read its topics'),
  'posthorn.source.recovered': t('A source reads its topics again'),
};

/** The events that most people want to hear of. A new rule has these. */
export const USUAL_EVENTS: readonly AlertEvent[] = [
  'posthorn.endpoint.failing',
  'posthorn.endpoint.disabled',
  'posthorn.delivery.dead_letter',
];

/** The events that concern a customer. */
export const CUSTOMER_EVENTS: readonly AlertEvent[] = [
  'posthorn.endpoint.failing',
  'posthorn.endpoint.recovered',
  'posthorn.endpoint.disabled',
  'posthorn.delivery.dead_letter',
  'posthorn.delivery.failed',
];
