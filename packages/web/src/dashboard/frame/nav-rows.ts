import type { IconName } from '../../components/icon.tsx';

/**
 * The rows of the side bar, in order. `go` is the key that follows `g`. `also` is a page that has no row and belongs to
 * this one. A new page gets its row here and its route in router.tsx. `j`, `k` and `r` cannot be `go`: pages act on
 * them, even after a `g`.
 */
export const NAV_ROWS = [
  { to: '/w/$workspace/$environment/get-started', label: 'Get started', icon: 'start', go: 'h' },
  { to: '/w/$workspace/$environment/overview', label: 'Overview', icon: 'overview', go: 'o' },
  { to: '/w/$workspace/$environment/events', label: 'Events', icon: 'event', go: 'v' },
  { to: '/w/$workspace/$environment/deliveries', label: 'Deliveries', icon: 'delivery', go: 'd' },
  { to: '/w/$workspace/$environment/endpoints', label: 'Endpoints', icon: 'endpoint', go: 'e' },
  {
    to: '/w/$workspace/$environment/event-types',
    label: 'Event types',
    icon: 'type',
    go: 't',
    also: 'operational-events',
  },
  { to: '/w/$workspace/$environment/sources', label: 'Sources', icon: 'source', go: 'i' },
  { to: '/w/$workspace/$environment/customers', label: 'Customers', icon: 'customer', go: 'c' },
  { to: '/w/$workspace/$environment/usage', label: 'Usage', icon: 'usage', go: 'u' },
  { to: '/w/$workspace/$environment/operations', label: 'Operations', icon: 'operation', go: 'p' },
  { to: '/w/$workspace/$environment/alerts', label: 'Alerts', icon: 'alert', go: 'n' },
  { to: '/w/$workspace/$environment/access', label: 'Access', icon: 'access', go: 'a' },
  { to: '/w/$workspace/$environment/audit', label: 'Audit log', icon: 'audit', go: 'l' },
  { to: '/w/$workspace/$environment/settings', label: 'Settings', icon: 'settings', go: 's', also: 'promote' },
  { to: '/w/$workspace/$environment/queues', label: 'Queues', icon: 'queue', go: 'q' },
] as const satisfies readonly { to: string; label: string; icon: IconName; go: string; also?: string }[];
