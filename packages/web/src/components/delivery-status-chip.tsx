import type { Delivery } from '../client/resources.ts';
import { nowMs } from '../clock.ts';
import { RelativeTime } from './relative-time.tsx';
import { StatusChip } from './status-chip.tsx';

type Shown = Pick<Delivery, 'status' | 'nextRetryAt'> & { waitingFor?: Delivery['waitingFor'] };

/** A delivery's status; for a scheduled retry the time until it, and for a delivery behind others of its key that it waits. */
export function DeliveryStatusChip({ delivery: { status, nextRetryAt, waitingFor = null } }: { delivery: Shown }) {
  if (waitingFor !== null) return <StatusChip status={status} words="Waits its turn" />;
  if (status !== 'scheduled_retry' || nextRetryAt === null) return <StatusChip status={status} />;
  const isDue = Date.parse(nextRetryAt) - nowMs() < 1_000;
  const words = isDue ? (
    'Retry due'
  ) : (
    <>
      Retry <RelativeTime at={nextRetryAt} everyMs={1_000} />
    </>
  );
  return <StatusChip status={status} words={words} />;
}
