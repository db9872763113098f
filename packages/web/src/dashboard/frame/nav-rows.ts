import type { IconName } from '../../components/icon.tsx';

/** The side bar, in its order; `go` is the key that follows `g`. A page gets its row here and its route in router.tsx. */
export const NAV_ROWS = [
  { to: '/w/$workspace/$environment/get-started', label: 'Get started', icon: 'start', go: 'h' },
  { to: '/w/$workspace/$environment/overview', label: 'Overview', icon: 'overview', go: 'o' },
  { to: '/w/$workspace/$environment/deliveries', label: 'Deliveries', icon: 'delivery', go: 'd' },
  { to: '/w/$workspace/$environment/endpoints', label: 'Endpoints', icon: 'endpoint', go: 'e' },
  { to: '/w/$workspace/$environment/event-types', label: 'Event types', icon: 'type', go: 't' },
] as const satisfies readonly { to: string; label: string; icon: IconName; go: string }[];
