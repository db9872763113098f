import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addTo, fromEntries, type Histogram, mergeInto, quantiles, toEntries } from './histogram.ts';

const HUNDRED_DAYS_MS = 100 * 86_400_000;
const durations = fc.array(fc.double({ min: 1, max: HUNDRED_DAYS_MS, noNaN: true }), { minLength: 1, maxLength: 300 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

function histogramOf(values: readonly number[]): Histogram {
  const histogram: Histogram = new Map();
  for (const value of values) addTo(histogram, value);
  return histogram;
}

test('a quantile is within 5 % of the exact one, for durations from a millisecond to a hundred days', () => {
  fc.assert(
    fc.property(durations, share, (values, q) => {
      const exact = [...values].sort((a, b) => a - b)[Math.max(1, Math.ceil(q * values.length)) - 1] ?? Number.NaN;
      const [told] = quantiles(histogramOf(values), [q]);
      expect(Math.abs((told ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.05 * exact);
    }),
    { numRuns: 1_000 },
  );
});

test('stored and merged in any order, histograms tell what one histogram of everything tells', () => {
  fc.assert(
    fc.property(durations, durations, (some, others) => {
      const merged = histogramOf(some);
      mergeInto(merged, histogramOf(others));
      const stored = fromEntries([...toEntries(histogramOf(others)), ...toEntries(histogramOf(some))]);
      const shares = [0, 0.5, 0.95, 0.99, 1];
      const whole = quantiles(histogramOf([...some, ...others]), shares);
      expect([quantiles(merged, shares), quantiles(stored, shares)]).toEqual([whole, whole]);
    }),
  );
});

test('anything else is counted too: less than a millisecond, negative, endless, and nothing has no quantile', () => {
  expect(quantiles(histogramOf([0, -5, 0.2, Number.NaN]), [0.5, 1])).toEqual([0.5, 0.5]);
  expect(quantiles(histogramOf([Number.POSITIVE_INFINITY]), [0.5])).toEqual([expect.any(Number)]);
  expect(quantiles(new Map(), [0.5, 0.99])).toEqual([null, null]);
});
