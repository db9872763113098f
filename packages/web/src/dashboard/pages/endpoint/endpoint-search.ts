import type { DeliveryStatus } from '../../../client/resources.ts';
import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';

/** The tabs of an endpoint's page in their order, each with its word. The inbox is a playground's alone. */
export const TAB_WORDS = {
  overview: 'Overview',
  inbox: 'Inbox',
  deliveries: 'Deliveries',
  subscriptions: 'Subscriptions',
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
  const tabs = Object.keys(TAB_WORDS).filter(isTab);
  return type === 'playground' ? tabs : tabs.filter((tab) => tab !== 'inbox');
}

function isTab(value: unknown): value is Tab {
  return typeof value === 'string' && Object.hasOwn(TAB_WORDS, value);
}
