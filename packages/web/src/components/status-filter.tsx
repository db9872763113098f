import { Chip, Group } from '@mantine/core';
import type { DeliveryStatus } from '../client/resources.ts';
import { t } from '../language/language.ts';
import { deliveryStatuses, STATUS_WORDS } from './delivery-statuses.ts';
import { StatusGlyph } from './status-glyph.tsx';

/** The six statuses as chips. At most one is chosen. */
export function StatusFilter(props: {
  status: DeliveryStatus | undefined;
  onChange: (status: DeliveryStatus | undefined) => void;
}) {
  const { status, onChange } = props;
  return (
    <Group gap={6} role="group" aria-label={t('Status')}>
      {deliveryStatuses().map((one) => (
        <Chip
          key={one}
          size="xs"
          variant="light"
          checked={status === one}
          onChange={() => onChange(status === one ? undefined : one)}
        >
          <Group gap={6} wrap="nowrap">
            <StatusGlyph status={one} size={11} />
            {STATUS_WORDS[one]}
          </Group>
        </Chip>
      ))}
    </Group>
  );
}
