import type { Behaviour } from './behaviours.ts';

export type Customer = { externalId: string; name: string };
type DemoEventType = { name: string; description: string; example: Record<string, unknown> };
export type DemoEndpoint = {
  /** Identifies the endpoint by its metadata, so that another run finds it again; also its path. */
  key: string;
  description: string;
  /** The customer that owns it. Without one, the workspace owns it. */
  customer?: string;
  behaviour: Behaviour;
  eventTypes: readonly string[];
  config?: Record<string, unknown>;
};

export const CUSTOMERS: readonly Customer[] = [
  { externalId: 'demo-acme', name: 'Acme Logistics' },
  { externalId: 'demo-bluebird', name: 'Bluebird Books' },
  { externalId: 'demo-cobalt', name: 'Cobalt Energy' },
];

export const EVENT_TYPES: readonly DemoEventType[] = [
  {
    name: 'demo.order.created',
    description: 'A customer has placed an order.',
    example: { id: 'order_1042', total: 4200, currency: 'EUR', items: 3 },
  },
  {
    name: 'demo.order.shipped',
    description: 'An order has left the warehouse.',
    example: { id: 'order_1042', carrier: 'DHL', trackingNumber: '00340434161094' },
  },
  {
    name: 'demo.invoice.paid',
    description: 'An invoice has been paid in full.',
    example: { id: 'invoice_311', orderId: 'order_1042', amount: 4200, currency: 'EUR' },
  },
  {
    name: 'demo.payment.failed',
    description: 'A payment was declined. It is tried again the next day.',
    example: { id: 'payment_87', invoiceId: 'invoice_311', reason: 'card_declined' },
  },
  {
    name: 'demo.customer.updated',
    description: 'The address or the name of a customer has changed.',
    example: { id: 'customer_5', changed: ['address'] },
  },
  {
    name: 'demo.meter.reading',
    description: 'A meter has sent a reading.',
    example: { meterId: 'meter_12', kilowattHours: 310.4 },
  },
];

const SHORT_SCHEDULE = { retrySchedule: [5, 20, 60, 300] };
const ORDERS = ['demo.order.created', 'demo.order.shipped'];
const MONEY = ['demo.invoice.paid', 'demo.payment.failed'];
const ALL = EVENT_TYPES.map(({ name }) => name);

export const ENDPOINTS: readonly DemoEndpoint[] = [
  { key: 'archive', description: 'Archive of everything', behaviour: 'fine', eventTypes: ALL },
  { key: 'acme-orders', customer: 'demo-acme', description: 'Order desk', behaviour: 'fine', eventTypes: ORDERS },
  {
    key: 'acme-warehouse',
    customer: 'demo-acme',
    description: 'Warehouse, slow',
    behaviour: 'slow',
    eventTypes: ORDERS,
  },
  {
    key: 'bluebird-shop',
    customer: 'demo-bluebird',
    description: 'Shop, fails now and then',
    behaviour: 'flaky',
    eventTypes: [...ORDERS, ...MONEY],
    config: SHORT_SCHEDULE,
  },
  {
    key: 'bluebird-ledger',
    customer: 'demo-bluebird',
    description: 'Bookkeeping, limits its callers',
    behaviour: 'limited',
    eventTypes: MONEY,
    config: { ...SHORT_SCHEDULE, rateLimit: { limit: 30, periodSeconds: 60 } },
  },
  {
    key: 'cobalt-meters',
    customer: 'demo-cobalt',
    description: 'Meter service, broken since its last release',
    behaviour: 'failing',
    eventTypes: ['demo.meter.reading'],
    config: SHORT_SCHEDULE,
  },
  {
    key: 'cobalt-billing',
    customer: 'demo-cobalt',
    description: 'Old billing, does not answer',
    behaviour: 'dead',
    eventTypes: MONEY,
    config: { retrySchedule: [5, 10] },
  },
  {
    key: 'cobalt-trial',
    customer: 'demo-cobalt',
    description: 'Trial, switched off by its owner',
    behaviour: 'gone',
    eventTypes: ['demo.customer.updated', 'demo.meter.reading'],
  },
];

/** An event: mostly for a customer, sometimes for the workspace's own endpoints. `number` makes its ids different. */
export function makeEvent(number: number, random: () => number): Record<string, unknown> {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const { name, example } = pick(EVENT_TYPES) ?? { name: '', example: {} };
  const customer = random() < 0.8 ? pick(CUSTOMERS) : undefined;
  return {
    eventType: name,
    ...(customer === undefined ? {} : { applicationId: `ext:${customer.externalId}` }),
    data: { ...example, sequence: number, sentAt: new Date().toISOString() },
  };
}
