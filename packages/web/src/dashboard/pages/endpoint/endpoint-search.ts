import type { DeliveryStatus } from '../../../client/resources.ts';
import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';

/** The tabs of an endpoint's page in their order, each with its word. Some are for some endpoints alone: see `OWN_TABS`. */
export const TAB_WORDS = {
  overview: 'Overview',
  destination: 'Destination',
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

/** The tabs that only some endpoints have. */
const OWN_TABS: Partial<Record<Tab, (endpoint: TabbedEndpoint) => boolean>> = {
  destination: ({ config }) => config.destination !== undefined,
  inbox: ({ type }) => type === 'playground',
  pull: ({ type }) => type === 'pull',
};

type TabbedEndpoint = { type: string; config: { destination?: unknown } };

/** The tabs of an endpoint. */
export function tabsOf(endpoint: TabbedEndpoint): Tab[] {
  return Object.keys(TAB_WORDS)
    .filter(isTab)
    .filter((tab) => OWN_TABS[tab]?.(endpoint) ?? true);
}

function isTab(value: unknown): value is Tab {
  return typeof value === 'string' && Object.hasOwn(TAB_WORDS, value);
}
