import { expect, test } from '@jest/globals';
import { MOST, MOST_BYTES } from './items.ts';
import { type Part, partsOf, pathInFile } from './parts.ts';

const types = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ name: `a.b${n}`, ...more }));
const endpoints = (count: number, namesOf: (n: number) => unknown[]) =>
  Array.from({ length: count }, (_, n) => ({ externalId: `e${n}`, environment: 'eu', eventTypes: namesOf(n) }));

function partsOfFile(file: Record<string, unknown>): Part[] {
  const parts = partsOf({ version: 1, environments: [{ slug: 'eu', name: 'EU' }], ...file }, false);
  if (typeof parts === 'string') throw new Error(parts);
  return parts;
}

const listIn = (document: Record<string, unknown>, list: string) => (document[list] ?? []) as { name: string }[];

test('each check of a part fits into a call, and has all that its endpoints refer to', () => {
  const file = { eventTypes: types(250, { description: 'x'.repeat(900) }) };
  const chosen = endpoints(700, (n) => [`a.b${n % 250}`, { name: `a.b${(n + 90) % 250}` }, 'c.*']);
  const parts = partsOfFile({ ...file, endpoints: chosen });
  const checks = parts.slice(1).flatMap((part) => part.checks);

  expect(checks.every(({ isWhole }) => isWhole)).toBe(true);
  for (const { document } of checks) {
    expect(listIn(document, 'eventTypes').length).toBeLessThanOrEqual(MOST.eventTypes);
    expect(JSON.stringify(document).length).toBeLessThan(MOST_BYTES + 10_000);
    const names = new Set(listIn(document, 'eventTypes').map(({ name }) => name));
    for (const one of (document.endpoints ?? []) as typeof chosen)
      expect(
        [one.eventTypes[0], (one.eventTypes[1] as { name: string }).name].filter((n) => !names.has(`${n}`)),
      ).toEqual([]);
  }
  const checked = checks.flatMap(({ places }) => places.endpoints ?? []);
  expect(checked).toEqual(chosen.map((_, n) => n));
});

test('an endpoint that refers to more than a call takes is checked without it', () => {
  const all = types(101);
  const parts = partsOfFile({ eventTypes: all, endpoints: endpoints(2, (n) => (n === 0 ? all : ['a.b1'])) });
  const [first, second] = parts.at(-1)?.checks ?? [];
  expect([first?.isWhole, first?.places.endpoints, listIn(first?.document ?? {}, 'eventTypes')]).toEqual([
    false,
    [0],
    [],
  ]);
  expect([second?.isWhole, second?.places]).toEqual([true, { eventTypes: [1], endpoints: [1] }]);
});

test('a place in a call is the place in the file', () => {
  const call = { places: { eventTypes: [7, 150], endpoints: [501] } };
  expect(pathInFile('eventTypes[1].name', call)).toBe('eventTypes[150].name');
  expect(pathInFile('endpoints[0].eventTypes[2]', call)).toBe('endpoints[501].eventTypes[2]');
  expect(pathInFile('environments[0].slug', call)).toBe('environments[0].slug');
});
