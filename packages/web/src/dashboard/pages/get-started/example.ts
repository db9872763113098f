/** The example's event type, and the payload of its events. */
export const EXAMPLE_TYPE = 'order.created';
export const EXAMPLE_PAYLOAD = { id: 'order_1', total: 1900, currency: 'EUR' };

/** The playground fails twice. Retries follow after these seconds. */
export const RETRYING = { playground: { failFirst: 2 }, retrySchedule: [2, 4] };

/** The customer of the example, named by an external id. */
export const EXAMPLE_CUSTOMER = { name: 'Acme', externalId: 'acme' };
