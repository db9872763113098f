import { CopyButton } from './copy-button.tsx';
import classes from './id.module.css';

/**
 * An id, a URL or another text to copy, in monospace. `short` shows an id's prefix and end; hovering shows all of it.
 */
export function Id({ value, short = false }: { value: string; short?: boolean }) {
  const shown = short ? `${value.slice(0, value.indexOf('_') + 1)}…${value.slice(-6)}` : value;
  return (
    <span className={classes.id}>
      <span className={`mono ${classes.text}`} title={value}>
        {shown}
      </span>
      <CopyButton value={value} what={value.slice(0, 60)} />
    </span>
  );
}
