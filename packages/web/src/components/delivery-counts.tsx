import { Group } from '@mantine/core';
import type { DeliveryStatus, Event } from '../client/resources.ts';
import { deliveryStatuses, STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

/** The number of deliveries of each status that has some, beside its glyph. */
export function DeliveryCounts({ counts }: { counts: Event['deliveries'] }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {deliveryStatuses()
        .filter((status) => counts[status] > 0)
        .map((status) => (
          <Count key={status} status={status} count={counts[status]} />
        ))}
    </Group>
  );
}

function Count({ status, count }: { status: DeliveryStatus; count: number }) {
  return (
    <Group gap={4} wrap="nowrap" title={`${count.toLocaleString('en')} ${STATUS_WORDS[status].toLowerCase()}`}>
      <StatusGlyph status={status} size={11} />
      {count.toLocaleString('en')}
    </Group>
  );
}
