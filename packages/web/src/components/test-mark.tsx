import classes from './test-mark.module.css';

/** Marks what was sent as a test; nothing for all else. */
export function TestMark({ of: { isTest } }: { of: { isTest: boolean } }) {
  return isTest ? <span className={classes.mark}>test</span> : null;
}
