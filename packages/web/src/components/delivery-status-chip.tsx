import type { ReactNode } from 'react';
import type { Delivery, DeliveryStatus } from '../client/resources.ts';
import { rich, t } from '../language/language.ts';
import { STATUS_WORDS } from './delivery-statuses.ts';
import { RelativeTime, useAsTimePasses } from './relative-time.tsx';
import classes from './status-chip.module.css';
import { StatusGlyph } from './status-glyph.tsx';

type Shown = Pick<Delivery, 'status' | 'nextRetryAt'> & { waitingFor?: Delivery['waitingFor'] };

/**
 * A delivery's status. For a scheduled retry, also the time until it; for one behind others of its key, that it waits.
 */
export function DeliveryStatusChip({ delivery: { status, nextRetryAt, waitingFor = null } }: { delivery: Shown }) {
  if (waitingFor !== null) return <StatusChip status={status} words={t('Waits its turn')} />;
  if (status !== 'scheduled_retry' || nextRetryAt === null) return <StatusChip status={status} />;
  return <StatusChip status={status} words={<NextRetry at={nextRetryAt} />} />;
}

function NextRetry({ at }: { at: string }) {
  if (useAsTimePasses(at, 1_000, isDue)) return t('Retry due');
  return <>{rich('Retry {relativeTime}', { relativeTime: <RelativeTime at={at} everyMs={1_000} /> })}</>;
}

function isDue(atMs: number, nowMs: number): boolean {
  return atMs - nowMs < 1_000;
}

/** A delivery's status: glyph, words, tint and ink. */
function StatusChip({ status, words = STATUS_WORDS[status] }: { status: DeliveryStatus; words?: ReactNode }) {
  return (
    <span className={classes.chip} style={{ background: `var(--${status}-tint)`, color: `var(--${status}-ink)` }}>
      <StatusGlyph status={status} size={11} />
      {words}
    </span>
  );
}
