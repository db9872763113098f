import type { ReactNode } from 'react';
import type { Endpoint } from '../client/resources.ts';
import { t } from '../language/language.ts';
import classes from './endpoint-mark.module.css';
import { disabledReasonWords, type EndpointStateName, endpointStateOf, type LastAttempts } from './endpoint-state.ts';

type Mark = { ink: string; words: string; shape: ReactNode };

const RING = <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.8" />;

const MARKS: Readonly<Record<EndpointStateName, Mark>> = {
  healthy: { ink: 'delivered', words: t('Healthy'), shape: <circle cx="7" cy="7" r="5" fill="currentColor" /> },
  degraded: { ink: 'scheduled_retry', words: t('Degraded'), shape: <path d="M7 1.5l6 11H1z" fill="currentColor" /> },
  failing: {
    ink: 'failed',
    words: t('Failing'),
    shape: <path d="M3 3l8 8M11 3l-8 8" stroke="currentColor" strokeWidth="1.8" />,
  },
  inactive: {
    ink: 'pending',
    words: t('Inactive'),
    shape: <path d="M4.5 2.5v9M9.5 2.5v9" stroke="currentColor" strokeWidth="2" />,
  },
  unsubscribed: { ink: 'scheduled_retry', words: t('Subscribed to nothing'), shape: RING },
  untried: { ink: 'pending', words: t('No attempts yet'), shape: RING },
  active: { ink: 'pending', words: t('Active'), shape: RING },
};

type Props = { endpoint: Endpoint; attempts: LastAttempts };

/** The state of an endpoint as a shape and a word. Hovering an inactive endpoint shows why. */
export function EndpointMark({ endpoint, attempts }: Props) {
  const state = endpointStateOf(endpoint, attempts);
  return <StateMark state={state} words={MARKS[state].words} title={disabledReasonWords(endpoint) ?? undefined} />;
}

type StateProps = { state: EndpointStateName; words: string; title?: string | undefined };

/** The shape of a state, followed by its words. */
export function StateMark({ state, words, title }: StateProps) {
  const { ink, shape } = MARKS[state];
  return (
    <span className={classes.state} style={{ color: `var(--${ink}-ink)` }} title={title}>
      <svg aria-hidden="true" width={11} height={11} viewBox="0 0 14 14">
        {shape}
      </svg>
      {words}
    </span>
  );
}
