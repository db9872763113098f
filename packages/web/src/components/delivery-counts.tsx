import { Group } from '@mantine/core';
import type { DeliveryStatus, Event } from '../client/resources.ts';
import { deliveryStatuses, STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

type Props = {
  counts: Event['deliveries'];
  /** The text when there is no delivery. */
  none?: string;
};

/** The number of deliveries of each status that has some, beside its glyph. */
export function DeliveryCounts({ counts, none }: Props) {
  const present = deliveryStatuses().filter((status) => counts[status] > 0);
  if (present.length === 0) return none === undefined ? null : <span className="soft">{none}</span>;
  return (
    <Group gap="sm" wrap="nowrap">
      {present.map((status) => (
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
