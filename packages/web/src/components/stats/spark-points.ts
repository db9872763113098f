/**
 * The points of an SVG polyline through the values, from left to right, with zero at the bottom. Null counts as zero.
 */
export function sparkPoints(values: readonly (number | null)[], width: number, height: number): string {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const round = (value: number) => Math.round(value * 10) / 10;
  return values
    .map((value, index) => `${round(index * step)},${round(height - ((value ?? 0) / most) * height)}`)
    .join(' ');
}
