import { testShortRows } from './short-rows.ts';

// The rows that a change of the engine breaks first. short.test.ts has more rows.
testShortRows([
  ['redis-flush', 0.03],
  ['dispatcher-kill', 0.03],
  ['fifo-killed', 0.03],
]);
