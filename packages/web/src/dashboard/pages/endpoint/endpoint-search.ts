import type { DeliveryStatus } from '../../../client/resources.ts';
import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';

/** The tabs of an endpoint's page in their order, each with its word. The inbox is a playground's alone, and fetching a pull endpoint's. */
export const TAB_WORDS = {
  overview: 'Overview',
  inbox: 'Inbox',
  pull: 'Fetching',
  deliveries: 'Deliveries',
  subscriptions: 'Subscriptions',
  transformation: 'Transformation',
  testing: 'Testing',
  security: 'Security',
  advanced: 'Advanced',
} as const;

export type Tab = keyof typeof TAB_WORDS;

/** The tab and what is chosen in it, as the address has them. */
export type EndpointSearch = { tab?: Tab; status?: DeliveryStatus; delivery?: string };

export function readEndpointSearch({ tab, status, delivery }: Record<string, unknown>): EndpointSearch {
  return {
    ...(isTab(tab) && { tab }),
    ...(isDeliveryStatus(status) && { status }),
    ...(typeof delivery === 'string' && delivery !== '' && { delivery }),
  };
}

/** The tabs of an endpoint of that type. */
export function tabsOf(type: string): Tab[] {
  const others = { inbox: type !== 'playground', pull: type !== 'pull' };
  return Object.keys(TAB_WORDS)
    .filter(isTab)
    .filter((tab) => !(tab in others && others[tab as keyof typeof others]));
}

function isTab(value: unknown): value is Tab {
  return typeof value === 'string' && Object.hasOwn(TAB_WORDS, value);
}
