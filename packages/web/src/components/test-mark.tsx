import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import classes from './test-mark.module.css';

type Sent = { isTest: boolean };

/** Marks a test; renders nothing for anything else. */
export function TestMark({ of: { isTest } }: { of: Sent }) {
  return isTest ? <span className={classes.mark}>{t('test')}</span> : null;
}

/** An element in a line that may be too narrow: the element is cut off, but its mark stays visible. */
export function Marked({ of, children }: { of: Sent; children: ReactNode }) {
  if (!of.isTest) return children;
  return (
    <span className={classes.marked}>
      {children}
      <TestMark of={of} />
    </span>
  );
}
