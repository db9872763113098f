import { expect, test } from '@jest/globals';
import { createUnderWay } from './under-way.ts';

/** Works that end when the test says so. */
function held() {
  const letGo: (() => void)[] = [];
  return { letGo, work: () => new Promise<string>((resolve) => letGo.push(() => resolve('stored'))) };
}

const refusal = (owner: string) => ({
  code: 'unavailable',
  message: `${owner} too many events that are not stored yet; try again`,
  headers: { 'Retry-After': '1' },
});

test('a workspace with too many events under way is told to try again, others go on, and each end makes room', async () => {
  const underWay = createUnderWay({ maxOfWorkspace: 2, maxInAll: 4 });
  const { letGo, work } = held();
  const running = [underWay('busy', work), underWay('busy', work)];
  await expect(underWay('busy', work)).rejects.toMatchObject(refusal('This workspace has'));
  running.push(underWay('calm', work));
  letGo[0]?.();
  expect(await running[0]).toBe('stored');
  running.push(underWay('busy', work));
  await expect(underWay('busy', work)).rejects.toMatchObject(refusal('This workspace has'));
  running.push(underWay('third', work));
  await expect(underWay('fourth', work)).rejects.toMatchObject(refusal('The service has'));
  for (const end of letGo) end();
  await Promise.all(running);
  expect(await underWay('fourth', async () => 'stored')).toBe('stored');
});

test('a failed event makes room like a stored one', async () => {
  const underWay = createUnderWay({ maxOfWorkspace: 1 });
  await expect(underWay('busy', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await underWay('busy', async () => 'stored')).toBe('stored');
});
