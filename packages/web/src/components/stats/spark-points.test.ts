import { expect, test } from '@jest/globals';
import { sparkPoints } from './spark-points.ts';

test.each([
  [[0, 5, 10], '0,20 50,10 100,0'],
  [[null, 2], '0,20 100,0'],
  [[0, 0], '0,20 100,20'],
  [[3], '0,0'],
  [[], ''],
])('the values %j are the points %j of a line in 100 by 20', (values, points) => {
  expect(sparkPoints(values, 100, 20)).toBe(points);
});
