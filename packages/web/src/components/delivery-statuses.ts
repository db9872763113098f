import type { DeliveryStatus } from '../client/resources.ts';
import { t } from '../language/language.ts';

/** The six statuses in the order of a delivery's life, each with its word. */
export const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: t('Pending'),
  delivering: t('Delivering'),
  delivered: t('Delivered'),
  scheduled_retry: t('Retry scheduled'),
  failed: t('Failed'),
  dead_letter: t('Dead letter'),
};

export function isDeliveryStatus(value: unknown): value is DeliveryStatus {
  return typeof value === 'string' && Object.hasOwn(STATUS_WORDS, value);
}

export function deliveryStatuses(): DeliveryStatus[] {
  return Object.keys(STATUS_WORDS).filter(isDeliveryStatus);
}
