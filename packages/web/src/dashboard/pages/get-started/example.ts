/** The example's event type, and the payload that its events carry. */
export const EXAMPLE_TYPE = 'order.created';
export const EXAMPLE_PAYLOAD = { id: 'order_1', total: 1900, currency: 'EUR' };

/** The playground fails twice and is tried again after these seconds. */
export const RETRYING = { playground: { failFirst: 2 }, retrySchedule: [2, 4] };

/** The customer of the example, by the workspace's own id. */
export const EXAMPLE_CUSTOMER = { name: 'Acme', externalId: 'acme' };
