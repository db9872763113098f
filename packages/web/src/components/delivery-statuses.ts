import type { DeliveryStatus } from '../client/resources.ts';

/** The six statuses in the order of a delivery's life, each with its word. */
export const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Pending',
  delivering: 'Delivering',
  delivered: 'Delivered',
  scheduled_retry: 'Retry scheduled',
  failed: 'Failed',
  dead_letter: 'Dead letter',
};

export function isDeliveryStatus(value: unknown): value is DeliveryStatus {
  return typeof value === 'string' && Object.hasOwn(STATUS_WORDS, value);
}

export function deliveryStatuses(): DeliveryStatus[] {
  return Object.keys(STATUS_WORDS).filter(isDeliveryStatus);
}
