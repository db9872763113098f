import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import classes from './test-mark.module.css';

type Sent = { isTest: boolean };

/** Marks what was sent as a test; nothing for all else. */
export function TestMark({ of: { isTest } }: { of: Sent }) {
  return isTest ? <span className={classes.mark}>{t('test')}</span> : null;
}

/** An element in a line that may be too narrow for it: it is cut off before the mark. */
export function Marked({ of, children }: { of: Sent; children: ReactNode }) {
  if (!of.isTest) return children;
  return (
    <span className={classes.marked}>
      {children}
      <TestMark of={of} />
    </span>
  );
}
