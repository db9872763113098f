import type { DeliveryStatus } from '../client/resources.ts';
import { t } from '../language/language.ts';
import { oneOf } from './one-of.ts';

/** The six statuses in the order of a delivery's life, each with its word. */
export const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: t('Pending'),
  delivering: t('Delivering'),
  delivered: t('Delivered'),
  scheduled_retry: t('Retry scheduled'),
  failed: t('Failed'),
  dead_letter: t('Dead letter'),
};

export const isDeliveryStatus = oneOf(STATUS_WORDS);

export function deliveryStatuses(): DeliveryStatus[] {
  return Object.keys(STATUS_WORDS).filter(isDeliveryStatus);
}
