import { t } from '../language/language.ts';

/** The portal's names for fields that the API names otherwise. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['url', t('address')],
  ['config', t('settings')],
  ['isActive', t('gets messages')],
  ['eventTypeIds', t('event types')],
  ['environmentId', t('environment')],
  ['endpointId', t('endpoint')],
  ['deliveryId', t('delivery')],
  ['authUsername', t('user name')],
  ['authPassword', t('password')],
  ['secret', t('signing secret')],
  ['disabledReason', t('reason')],
  ['description', t('description')],
  ['gracePeriodSeconds', t('grace period seconds')],
  ['filter', t('filter')],
  ['eventTypePatterns', t('event type patterns')],
  ['patterns', t('event type patterns')],
  ['secretHeaders', t('secret headers')],
  ['metadata', t('metadata')],
  ['name', t('name')],
  ['capabilities', t('capabilities')],
  ['expiresAt', t('expiry')],
  ['type', t('type')],
  ['externalId', t('external id')],
  ['secretHeaderNames', t('secret headers')],
  ['credentialNames', t('credentials')],
  ['subscriptions', t('subscriptions')],
  ['status', t('status')],
  ['deliveries', t('deliveries')],
  ['applicationId', t('customer')],
  ['channel', t('channel')],
  ['target', t('target')],
  ['events', t('events')],
  ['quietMinutes', t('quiet time')],
]);

/** The changes that a portal shows. */
const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['endpoint.created', t('Endpoint created')],
  ['endpoint.updated', t('Endpoint updated')],
  ['endpoint.deleted', t('Endpoint deleted')],
  ['endpoint.disabled', t('Endpoint disabled')],
  ['endpoint.examined', t('Endpoint examined')],
  ['endpoint.tested', t('Endpoint tested')],
  ['endpoint.secret_rotated', t('Endpoint secret rotated')],
  ['subscription.created', t('Subscription created')],
  ['subscription.updated', t('Subscription updated')],
  ['subscription.deleted', t('Subscription deleted')],
  ['delivery.retried', t('Delivery retried')],
  ['delivery.cancelled', t('Delivery cancelled')],
  ['event.cancelled', t('Event cancelled')],
  ['recovery.started', t('Recovery started')],
  ['operation.started', t('Operation started')],
  ['operation.cancelled', t('Operation cancelled')],
  ['payload.viewed', t('Payload viewed')],
  ['payload.searched', t('Payloads searched')],
  ['payload.erased', t('Payload erased')],
  ['pull_key.created', t('Pull key created')],
  ['pull_key.deleted', t('Pull key deleted')],
  ['agent_key.created', t('Agent key created')],
  ['agent_key.deleted', t('Agent key deleted')],
  ['agent_subscription.created', t('Agent subscribed')],
  ['agent_subscription.ended', t('Subscription of an agent ended')],
  ['agent_subscription.secret_rotated', t('Signing secret of an agent changed')],
  ['alert_rule.created', t('Alert rule created')],
  ['alert_rule.updated', t('Alert rule updated')],
  ['alert_rule.deleted', t('Alert rule deleted')],
  ['alert_rule.tested', t('Alert rule tested')],
  ['portal_session.created', t('Portal session created')],
  ['portal_session.deleted', t('Portal session deleted')],
  ['application.updated', t('Customer updated')],
  ['application.erased', t('Customer erased')],
]);

/** `endpoint.secret_rotated` as words: `Endpoint secret rotated`. */
export function actionWords(action: string): string {
  return ACTIONS.get(action) ?? capitalised(action.replaceAll('.', ' ').replaceAll('_', ' '));
}

/** Changed fields in words: `Address, grace period seconds`. */
export function fieldWords(fields: readonly string[]): string {
  return capitalised(fields.map((field) => FIELDS.get(field) ?? separated(field)).join(', '));
}

/** `gracePeriodSeconds` as `grace period seconds`. */
function separated(name: string): string {
  return [...name].map((letter) => (letter === letter.toLowerCase() ? letter : ` ${letter.toLowerCase()}`)).join('');
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
