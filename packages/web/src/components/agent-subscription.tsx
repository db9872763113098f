import { Text } from '@mantine/core';
import type { AgentSubscription } from '../client/resources.ts';
import { rich, t } from '../language/language.ts';
import { filterWords } from './filter/clause-words.ts';
import { RelativeTime } from './relative-time.tsx';

// The parts of an agent's subscription that the dashboard and the portal show.

type Of = { of: AgentSubscription };

/** The subscription's event type, and its filter. */
export function SubscribedEvent({ of: { eventType, arguments: chosen } }: Of) {
  return (
    <>
      {eventType}
      {Object.keys(chosen).length === 0 ? null : (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('if {filter}', { filter: filterWords(chosen) })}
        </Text>
      )}
    </>
  );
}

/**
 * The owner of the subscription, by key or by login. The agent's own name is shown as a claim, because nobody checks
 * it.
 */
export function Subscriber({ of: { principal, clientName } }: Of) {
  const name = principal.name ?? t('a deleted key');
  return (
    <>
      {principal.kind === 'oauth' ? t('a login at {issuer}', { issuer: name }) : name}
      {clientName === null ? null : (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('says it is {name}', { name: clientName })}
        </Text>
      )}
    </>
  );
}

const ENDS: Record<NonNullable<AgentSubscription['endReason']>, string> = {
  unsubscribed: t('The agent unsubscribed'),
  expired: t('Not refreshed in time'),
  person: t('Ended by a person'),
  key_revoked: t('Its key was deleted'),
  disabled: t('Switched off for agents'),
  deleted: t('Its customer was deleted'),
  event_type_removed: t('The event type is gone'),
  schema_changed: t('The schema changed'),
  receiver: t('The callback asked for it'),
};

/** The subscription's state: until when it lasts, or why it has ended. */
export function SubscriptionState({ of: { status, endReason, expiresAt } }: Of) {
  if (endReason !== null) return ENDS[endReason];
  const time = <RelativeTime at={expiresAt} />;
  return status === 'suspended'
    ? rich('Suspended: its callback fails, expires {time}', { time })
    : rich('Active, expires {time}', { time });
}
