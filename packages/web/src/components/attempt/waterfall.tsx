import type { Attempt } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { durationWords } from '../time-words.ts';
import classes from './waterfall.module.css';
import { waterfallPhases } from './waterfall-phases.ts';

/** Where the time of an attempt went: one bar for each phase, at its place in the whole. */
export function Waterfall({ attempt }: { attempt: Attempt }) {
  const phases = waterfallPhases(attempt);
  const whole = phases.reduce((sum, { ms }) => sum + ms, 0) || 1;
  return (
    <dl className={classes.phases} aria-label={t('Where the time went')}>
      {phases.map(({ name, ms, startMs }) => (
        <div key={name} className={classes.phase}>
          <dt className="soft">{name}</dt>
          <dd className="mono">{durationWords(ms)}</dd>
          <span className={classes.track} aria-hidden="true">
            <span
              className={classes.bar}
              style={{ left: `${(startMs / whole) * 100}%`, width: `${(ms / whole) * 100}%` }}
            />
          </span>
        </div>
      ))}
    </dl>
  );
}
