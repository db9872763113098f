import type { Endpoint, EndpointStats } from '../client/resources.ts';
import { t } from '../language/language.ts';

/** The reason of a deactivation, as the end of a sentence that begins with "Deactivated". */
export const DEACTIVATED_WORDS: Readonly<Record<NonNullable<Endpoint['disabledReason']>, string>> = {
  manual: t('by a person or a token'),
  failing: t('after five days without a success'),
  gone: t('because it answered 410 Gone'),
  receiver: t('because its answer asked for it'),
};

/** Why an endpoint is inactive; null when it is active. */
export function disabledReasonWords({ disabledReason }: Pick<Endpoint, 'disabledReason'>): string | null {
  return disabledReason === null ? null : t('Deactivated {reason}.', { reason: DEACTIVATED_WORDS[disabledReason] });
}

/** The times of an endpoint's last attempts, and whether it has a subscription; undefined where that is not known. */
export type LastAttempts = Pick<EndpointStats, 'lastSuccessAt' | 'lastFailureAt' | 'isSubscribed'> | undefined;

export type EndpointStateName = Endpoint['health'] | 'inactive' | 'unsubscribed' | 'untried' | 'active';

/**
 * Whether an endpoint gets deliveries, and how they go. An endpoint without attempts is "untried" and not "healthy".
 * One without subscriptions gets no deliveries. If the attempts are not known, the state is just "active".
 */
export function endpointStateOf(
  { isActive, health }: Pick<Endpoint, 'isActive' | 'health'>,
  attempts: LastAttempts,
): EndpointStateName {
  if (!isActive) return 'inactive';
  if (health !== 'healthy') return health;
  if (attempts === undefined) return 'active';
  if (!attempts.isSubscribed) return 'unsubscribed';
  return attempts.lastSuccessAt === null && attempts.lastFailureAt === null ? 'untried' : 'healthy';
}
