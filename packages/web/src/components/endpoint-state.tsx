import type { Endpoint } from '../client/resources.ts';
import classes from './endpoint-state.module.css';

/** Why an endpoint was deactivated, after that word. */
export const DEACTIVATED_WORDS: Readonly<Record<NonNullable<Endpoint['disabledReason']>, string>> = {
  manual: 'by a person or a token',
  failing: 'after five days without a success',
  gone: 'because it answered 410 Gone',
  receiver: 'because its answer asked for it',
};

const HEALTH = {
  healthy: { ink: 'delivered', words: 'Healthy', shape: <circle cx="7" cy="7" r="5" fill="currentColor" /> },
  degraded: { ink: 'scheduled_retry', words: 'Degraded', shape: <path d="M7 1.5l6 11H1z" fill="currentColor" /> },
  failing: {
    ink: 'failed',
    words: 'Failing',
    shape: <path d="M3 3l8 8M11 3l-8 8" stroke="currentColor" strokeWidth="1.8" />,
  },
};

const INACTIVE = {
  ink: 'pending',
  words: 'Inactive',
  shape: <path d="M4.5 2.5v9M9.5 2.5v9" stroke="currentColor" strokeWidth="2" />,
};

/** Why an endpoint is inactive; null when it is active. */
export function disabledReasonWords({ disabledReason }: Pick<Endpoint, 'disabledReason'>): string | null {
  return disabledReason === null ? null : `Deactivated ${DEACTIVATED_WORDS[disabledReason]}.`;
}

/** Whether an endpoint gets deliveries, and how they go; an inactive one says why on hover. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { ink, words, shape } = endpoint.isActive ? HEALTH[endpoint.health] : INACTIVE;
  return (
    <span
      className={classes.state}
      style={{ color: `var(--${ink}-ink)` }}
      title={disabledReasonWords(endpoint) ?? undefined}
    >
      <svg aria-hidden="true" width={11} height={11} viewBox="0 0 14 14">
        {shape}
      </svg>
      {words}
    </span>
  );
}
