import { expect, test } from '@jest/globals';
import { waitFor } from './wait-for.ts';

test('the first truthy result is returned', async () => {
  const answers = [undefined, false, 0, '', Promise.resolve(null), Promise.resolve('here')];
  expect(await waitFor(() => answers.shift(), { what: 'an answer' })).toBe('here');
});

test('a condition that throws is tried again', async () => {
  let asked = 0;
  const condition = () => {
    asked += 1;
    if (asked < 3) throw new Error('not yet');
    return asked;
  };
  expect(await waitFor(condition, { what: 'the third time' })).toBe(3);
});

test('the error of a timeout names the condition and its last error', async () => {
  const never = () => {
    throw new Error('still closed');
  };
  await expect(waitFor(never, { what: 'the condition', timeoutMs: 20 })).rejects.toMatchObject({
    message: 'waited 20 ms without success for the condition',
    cause: new Error('still closed'),
  });
});
