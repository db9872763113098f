import { Text } from '@mantine/core';
import type { Delivery } from '../client/resources.ts';
import { nowMs } from '../clock.ts';
import { RelativeTime } from './relative-time.tsx';
import { StatusChip } from './status-chip.tsx';

/** A delivery's status, and for a scheduled retry the time until it, where the window has room for it. */
export function DeliveryStatusChip({ delivery }: { delivery: Pick<Delivery, 'status' | 'nextRetryAt'> }) {
  const { status, nextRetryAt } = delivery;
  if (status !== 'scheduled_retry' || nextRetryAt === null) return <StatusChip status={status} />;
  const isDue = Date.parse(nextRetryAt) <= nowMs();
  const note = isDue ? 'due' : <RelativeTime at={nextRetryAt} everyMs={1_000} />;
  return (
    <StatusChip
      status={status}
      note={
        <Text inherit span visibleFrom="sm">
          {' · '}
          {note}
        </Text>
      }
    />
  );
}
