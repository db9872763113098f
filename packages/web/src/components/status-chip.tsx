import { Badge } from '@mantine/core';
import type { DeliveryStatus } from '../client/resources.ts';
import { STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

/** A delivery's status: glyph, word, tint and ink. `note` follows the word, such as the time of the next attempt. */
export function StatusChip({ status, note }: { status: DeliveryStatus; note?: React.ReactNode }) {
  return (
    <Badge
      size="md"
      radius="sm"
      tt="none"
      fw={500}
      leftSection={<StatusGlyph status={status} size={11} />}
      style={{ background: `var(--${status}-tint)`, color: `var(--${status}-ink)` }}
    >
      {STATUS_WORDS[status]}
      {note}
    </Badge>
  );
}
