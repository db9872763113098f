import { Group, Paper, Text } from '@mantine/core';
import { t } from '../../language/language.ts';
import { sparkPoints } from './spark-points.ts';

const WIDTH = 96;
const HEIGHT = 28;

type Props = {
  name: string;
  value: string;
  note?: string;
  /** The change since the span before; undefined when nothing can be compared. */
  change?: string | undefined;
  /** The values over time, for the line. */
  values: readonly (number | null)[];
  /** The line's colour, as a CSS value. */
  colour: string;
};

/** A number, with its values over the span as a line. */
export function NumberTile({ name, value, note, change, values, colour }: Props) {
  return (
    <Paper withBorder p="md" bg="var(--surface-raised)">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Text fz={28} fw={600} lh={1.2} style={{ whiteSpace: 'nowrap' }}>
          {value}
        </Text>
        <svg aria-hidden="true" width={WIDTH} height={HEIGHT} viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}>
          <polyline
            points={sparkPoints(values, WIDTH, HEIGHT)}
            fill="none"
            stroke={colour}
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
        </svg>
      </Group>
      <Group justify="space-between" gap="sm" wrap="nowrap" mih={18}>
        <Text size="xs" c="dimmed" truncate="end">
          {note}
        </Text>
        {change === undefined ? null : (
          <Text size="xs" c="dimmed" flex="none" title={t('Compared with the span before')}>
            {change}
          </Text>
        )}
      </Group>
    </Paper>
  );
}
