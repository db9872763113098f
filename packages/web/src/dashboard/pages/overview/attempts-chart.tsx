import { Box, Table, VisuallyHidden } from '@mantine/core';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { StatsPoint, StatsSeries } from '../../../client/resources.ts';
import { utcWords } from '../../../components/time-words.ts';

/** The attempts over time by outcome, failures on top; the same as a table for screen readers. */
export function AttemptsChart({ series, step }: Pick<StatsSeries, 'series' | 'step'>) {
  const tick = (at: string) => tickWords(at, step);
  return (
    <>
      <Box h={220} aria-hidden="true" fz="xs">
        <ResponsiveContainer width="100%" height="100%">
          <AreaChart data={series} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="at" tickFormatter={tick} minTickGap={48} stroke="var(--text-soft)" tickLine={false} />
            <YAxis allowDecimals={false} width={44} stroke="var(--text-soft)" tickLine={false} axisLine={false} />
            <Tooltip
              isAnimationActive={false}
              labelFormatter={(at) => utcWords(String(at))}
              contentStyle={{ background: 'var(--surface-raised)', border: '1px solid var(--line)', borderRadius: 6 }}
            />
            {OUTCOMES.map(({ key, name, ink }) => (
              <Area
                key={key}
                type="linear"
                dataKey={key}
                name={name}
                stackId="attempts"
                stroke={`var(--${ink}-ink)`}
                fill={`var(--${ink}-tint)`}
                isAnimationActive={false}
              />
            ))}
          </AreaChart>
        </ResponsiveContainer>
      </Box>
      <VisuallyHidden>
        <SeriesTable series={series} />
      </VisuallyHidden>
    </>
  );
}

const OUTCOMES = [
  { key: 'succeeded', name: 'Succeeded', ink: 'delivered' },
  { key: 'failed', name: 'Failed', ink: 'failed' },
] as const;

function SeriesTable({ series }: { series: readonly StatsPoint[] }) {
  return (
    <Table>
      <Table.Caption>Attempts over time</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          {['Time', 'Succeeded', 'Failed'].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {series.map(({ at, succeeded, failed }) => (
          <Table.Tr key={at}>
            <Table.Td>{utcWords(at)}</Table.Td>
            <Table.Td>{succeeded}</Table.Td>
            <Table.Td>{failed}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The hour of a point in UTC, or its day. */
function tickWords(at: string, step: StatsSeries['step']): string {
  return step === 'day' ? at.slice(5, 10) : at.slice(11, 16);
}
