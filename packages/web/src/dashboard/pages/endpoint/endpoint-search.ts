import { isDeliveryStatus } from '../../../components/delivery-statuses.ts';
import { oneOf } from '../../../components/one-of.ts';
import { isText, searchOf } from '../../search-of.ts';

/** The tabs of an endpoint's page in order, with their labels. Some endpoints lack some of them: see `OWN_TABS`. */
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

const isTab = oneOf(TAB_WORDS);

/** The tab, and the selection in it. */
export const readEndpointSearch = searchOf({ tab: isTab, status: isDeliveryStatus, delivery: isText });

/** The tabs that only some endpoints have. */
const OWN_TABS: Partial<Record<Tab, (endpoint: TabbedEndpoint) => boolean>> = {
  destination: ({ config }) => config.destination !== undefined,
  inbox: ({ type }) => type === 'playground',
  pull: ({ type }) => type === 'pull',
};

type TabbedEndpoint = { type: string; config: { destination?: unknown } };

/** The tabs for this endpoint. */
export function tabsOf(endpoint: TabbedEndpoint): Tab[] {
  return Object.keys(TAB_WORDS)
    .filter(isTab)
    .filter((tab) => OWN_TABS[tab]?.(endpoint) ?? true);
}
