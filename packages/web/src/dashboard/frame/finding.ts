import type { IconName } from '../../components/icon.tsx';

/** A search result, and the page that shows it. */
export type Finding = {
  id: string;
  group: 'Customers' | 'Endpoints' | 'Event types' | 'Events' | 'Deliveries';
  icon: IconName;
  name: string;
  note: string;
  to: { kind: 'customer' | 'id'; id: string } | { kind: 'type'; name: string } | { kind: 'key'; key: string };
};
