import type { DeliveryStatus } from '../client/resources.ts';
import { STATUS_WORDS } from './delivery-statuses.ts';

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.8, strokeLinecap: 'round' } as const;

const SHAPES = {
  delivered: <circle cx="7" cy="7" r="5" fill="currentColor" />,
  delivering: (
    <>
      <circle cx="7" cy="7" r="4.6" {...line} strokeWidth={1.4} />
      <path d="M7 2.4a4.6 4.6 0 0 1 0 9.2z" fill="currentColor" />
    </>
  ),
  pending: <circle cx="7" cy="7" r="4.4" {...line} />,
  scheduled_retry: <path d="M11.2 7A4.2 4.2 0 1 1 9.6 3.7M9.9 1.2v2.9H7" {...line} strokeWidth={1.6} />,
  failed: <path d="M3 3l8 8M11 3l-8 8" {...line} />,
  dead_letter: <rect x="2.5" y="2.5" width="9" height="9" fill="currentColor" />,
} satisfies Record<DeliveryStatus, React.ReactNode>;

/** A delivery status as a shape in its colour, so that neither alone carries the meaning. */
export function StatusGlyph({ status, size = 14 }: { status: DeliveryStatus; size?: number }) {
  return (
    <svg
      role="img"
      aria-label={STATUS_WORDS[status]}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      style={{ color: `var(--${status}-ink)`, flex: 'none' }}
    >
      {SHAPES[status]}
    </svg>
  );
}
