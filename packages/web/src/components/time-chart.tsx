import { Box, VisuallyHidden } from '@mantine/core';
import { Bar, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { utcWords } from './time-words.ts';

export type ChartPoint = { at: string } & Readonly<Record<string, number | string | null>>;

export type ChartSeries = {
  key: string;
  name: string;
  /** A token of theme/tokens.css, such as `--failed-ink`. */
  ink: string;
  kind: 'bar' | 'line';
};

export type TimeChartProps = {
  /** The name of the chart for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  /** How a value is written on the axis and on hover. */
  words: (value: number) => string;
};

const HEIGHT = 160;
/** A scale that ends lower would repeat its rounded labels. */
const LEAST_TOP = 4;
const TEXT = { fontSize: 11, fill: 'var(--text-soft)' };

/** At most four series over time, from zero: bars are stacked, lines are not. The same as a table for screen readers. */
export function TimeChart({ label, points, series, words }: TimeChartProps) {
  const format = (value: unknown) => (typeof value === 'number' ? words(value) : '–');
  const at = (value: unknown) => (typeof value === 'string' ? utcWords(value).slice(0, 16) : '');
  return (
    <Box>
      <Box aria-hidden="true" h={HEIGHT}>
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <ComposedChart
            data={[...points]}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <XAxis
              dataKey="at"
              tickFormatter={(iso) => String(iso).slice(11, 16)}
              tick={TEXT}
              stroke="var(--line)"
              minTickGap={32}
            />
            <YAxis
              width={56}
              tickFormatter={(value: number) => (value === 0 ? '0' : words(value))}
              tick={TEXT}
              stroke="var(--line)"
              tickCount={4}
              domain={[0, (most: number) => Math.max(most, LEAST_TOP)]}
              allowDecimals={false}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--surface-sunken)', stroke: 'var(--line)' }}
              contentStyle={{
                background: 'var(--surface-raised)',
                border: '1px solid var(--line)',
                borderRadius: 6,
                fontSize: 12,
              }}
              labelFormatter={at}
              formatter={format}
            />
            {series.map(({ key, name, ink, kind }) =>
              kind === 'bar' ? (
                <Bar
                  key={key}
                  dataKey={key}
                  name={name}
                  fill={`var(${ink})`}
                  stackId="bars"
                  isAnimationActive={false}
                />
              ) : (
                <Line
                  key={key}
                  dataKey={key}
                  name={name}
                  stroke={`var(${ink})`}
                  strokeWidth={1.8}
                  dot={{ r: 2 }}
                  isAnimationActive={false}
                />
              ),
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </Box>
      <ChartTable label={label} points={points} series={series} words={words} />
    </Box>
  );
}

function ChartTable({ label, points, series, words }: TimeChartProps) {
  return (
    <VisuallyHidden>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.at}>
              <td>{utcWords(point.at)}</td>
              {series.map(({ key }) => {
                const value = point[key];
                return <td key={key}>{typeof value === 'number' ? words(value) : '–'}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
