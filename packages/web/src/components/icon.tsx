/** Paths on a grid of 24 × 24, drawn for Posthorn. An icon stands beside a word, or has its own label. */
const PATHS = {
  overview: 'M4 20V10M10 20V4M16 20v-8M21 20H3',
  event: 'M13 3L5 14h6l-1 7 8-11h-6z',
  delivery: 'M3 12h14M12 6l6 6-6 6M21 5v14',
  endpoint: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  type: 'M4 5h16M4 12h10M4 19h13',
  operation: 'M4 7h12l-3-3M20 17H8l3 3M4 12h16',
  customer: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-5 4-7 8-7s7 2 8 7',
  source: 'M21 12H9M14 6l-6 6 6 6M3 5v14',
  start: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M10 8l6 4-6 4z',
  alert: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  access: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11 12l9-9M17 6l3 3',
  audit: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3',
  queue: 'M4 5h16v4H4zM4 11h16v4H4zM4 17h16v3H4z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4M8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  down: 'M6 9l6 6 6-6',
  docs: 'M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zM12 6v14',
  usage: 'M4 20h16M7 16v-4M12 16V8M17 16V5',
  reference: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 9h6M9 13h6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
