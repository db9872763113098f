import type { ReactNode } from 'react';
import type { DeliveryStatus } from '../client/resources.ts';
import { STATUS_WORDS } from './delivery-statuses.ts';
import classes from './status-chip.module.css';
import { StatusGlyph } from './status-glyph.tsx';

/** A delivery's status: glyph, words, tint and ink. */
export function StatusChip({ status, words = STATUS_WORDS[status] }: { status: DeliveryStatus; words?: ReactNode }) {
  return (
    <span className={classes.chip} style={{ background: `var(--${status}-tint)`, color: `var(--${status}-ink)` }}>
      <StatusGlyph status={status} size={11} />
      {words}
    </span>
  );
}
