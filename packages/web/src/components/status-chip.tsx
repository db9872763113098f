import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryStatus } from '../client/resources.ts';
import { STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

/** A delivery's status: glyph, words, tint and ink. */
export function StatusChip({ status, words = STATUS_WORDS[status] }: { status: DeliveryStatus; words?: ReactNode }) {
  return (
    <Badge
      size="md"
      radius="sm"
      tt="none"
      fw={500}
      leftSection={<StatusGlyph status={status} size={11} />}
      style={{ background: `var(--${status}-tint)`, color: `var(--${status}-ink)` }}
    >
      {words}
    </Badge>
  );
}
