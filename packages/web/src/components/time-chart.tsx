import { Box, Text, VisuallyHidden } from '@mantine/core';
import { Area, Bar, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { t } from '../language/language.ts';
import { minuteWords, utcWords } from './time-words.ts';

export type ChartPoint = { at: string } & Readonly<Record<string, number | string | null>>;

export type ChartSeries = {
  key: string;
  name: string;
  /** A token of theme/tokens.css, such as `--failed-ink`. */
  ink: string;
  /** Bars are stacked, and so are areas; lines are not. */
  kind: 'bar' | 'area' | 'line';
};

export type TimeChartProps = {
  /** The name of the chart for screen readers. */
  label: string;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  /** Formats a value for the axis and the hover. */
  words: (value: number) => string;
  /** Formats a time for the axis. Default: the hour and minute in UTC. */
  tick?: (at: string) => string;
  height?: number;
};

const HEIGHT = 160;
/** The scale ends at least here: a lower end would repeat its rounded labels. */
const LEAST_TOP = 4;
const TEXT = { fontSize: 11, fill: 'var(--text-soft)' };

/** Up to four series over time, from zero, and the same values as a table for screen readers. */
export function TimeChart({ label, points, series, words, tick = timeOfDay, height = HEIGHT }: TimeChartProps) {
  const format = (value: unknown) => (typeof value === 'number' ? words(value) : '–');
  const at = (value: unknown) => (typeof value === 'string' ? `${minuteWords(value)} UTC` : '');
  return (
    <Box>
      <Box aria-hidden="true" h={height} pos="relative">
        <ResponsiveContainer width="100%" height={height}>
          <ComposedChart
            data={[...points]}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <XAxis dataKey="at" tickFormatter={tick} tick={TEXT} stroke="var(--line)" minTickGap={32} />
            <YAxis
              width={56}
              tickFormatter={(value: number) => (value === 0 ? '0' : words(value))}
              tick={TEXT}
              stroke="var(--line)"
              tickCount={4}
              domain={[0, isLow(points, series) ? LEAST_TOP : 'auto']}
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
            {series.map(drawSeries)}
          </ComposedChart>
        </ResponsiveContainer>
        <Text pos="absolute" left={8} bottom={6} fz={TEXT.fontSize} c="var(--text-soft)">
          UTC
        </Text>
      </Box>
      <ChartTable label={label} points={points} series={series} words={words} />
    </Box>
  );
}

/** True if no stack of values reaches the lowest end of the scale. */
function isLow(points: readonly ChartPoint[], series: readonly ChartSeries[]): boolean {
  const sumOf = (point: ChartPoint) =>
    series.reduce((sum, { key }) => sum + (typeof point[key] === 'number' ? point[key] : 0), 0);
  return points.every((point) => sumOf(point) <= LEAST_TOP);
}

function timeOfDay(at: string): string {
  return at.slice(11, 16);
}

function drawSeries({ key, name, ink, kind }: ChartSeries) {
  const common = { dataKey: key, name, isAnimationActive: false };
  switch (kind) {
    case 'bar':
      return <Bar {...common} key={key} fill={`var(${ink})`} stackId="bars" />;
    case 'area':
      return (
        <Area
          {...common}
          key={key}
          type="linear"
          stackId="areas"
          stroke={`var(${ink})`}
          fill={`var(${ink})`}
          fillOpacity={0.2}
        />
      );
    case 'line':
      return <Line {...common} key={key} stroke={`var(${ink})`} strokeWidth={1.8} dot={{ r: 2 }} />;
  }
}

function ChartTable({ label, points, series, words }: TimeChartProps) {
  return (
    <VisuallyHidden>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
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
