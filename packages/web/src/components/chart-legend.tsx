import { Group, Text } from '@mantine/core';
import type { ChartSeries } from './time-chart.tsx';

const MARKS = { bar: '■', area: '■', line: '—' };

/** The names of a chart's series, each in its colour. */
export function ChartLegend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <Group gap="sm">
      {series.map(({ key, name, ink, kind }) => (
        <Text key={key} size="xs" c={`var(${ink})`}>
          {MARKS[kind]} {name}
        </Text>
      ))}
    </Group>
  );
}
