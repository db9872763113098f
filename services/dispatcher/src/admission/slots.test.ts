import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AttemptOutcome, Turn } from './endpoint-load.ts';
import { type Admission, createAdmission, type Entry } from './slots.ts';

const PLACES = 100;
let nowMs: number;
let admission: Admission;
const clock = { monotonicMs: () => nowMs };
beforeEach(() => {
  nowMs = 0;
  admission = createAdmission({ places: PLACES, clock, random: () => 0.5 });
});

const enter = (endpointId: string, given: Partial<Turn> = {}) =>
  admission.enter({ endpointId, workspaceId: 'a', maxConcurrency: null, ...given });

async function enterMany(count: number, endpointId: (n: number) => string, given = {}) {
  const entries: Entry[] = [];
  for (let n = 0; n < count; n += 1) entries.push(await enter(endpointId(n), given));
  return entries;
}

const entered = (entries: Entry[]) => entries.flatMap((entry) => (entry.kind === 'entered' ? [entry] : []));
const reasons = (entries: Entry[]) => [
  ...new Set(entries.flatMap((entry) => (entry.kind === 'refused' ? [entry.reason] : []))),
];

async function attempt(endpointId: string, outcome: AttemptOutcome) {
  for (const entry of entered([await enter(endpointId)])) entry.leave(outcome);
}
const makeQuick = (endpointId: string) => attempt(endpointId, { succeeded: true, durationMs: 20 });
/** It lasts as long as a first attempt is taken to. */
const makeSlow = (endpointId: string) => attempt(endpointId, { succeeded: false, durationMs: 500 });

describe('an endpoint', () => {
  test('that is slow takes a quarter of the places', async () => {
    await makeSlow('one');
    const entries = await enterMany(40, () => 'one');
    expect([entered(entries).length, reasons(entries)]).toEqual([25, ['endpoint']]);
  });

  test('that is quick takes half of them', async () => {
    await makeQuick('one');
    expect(entered(await enterMany(50, () => 'one'))).toHaveLength(50);
  });

  test('of which nothing is known takes a few, and the others of a burst come back a moment later', async () => {
    const refused = await enterMany(40, () => 'one');
    expect([entered(refused).length, reasons(refused)]).toEqual([4, ['endpoint']]);
    const delays = refused.flatMap((entry) => (entry.kind === 'refused' ? [entry.delaySeconds] : []));
    expect(Math.max(...delays)).toBeLessThan(1);
  });

  test('of which nothing is known lets who finds it full wait for its first answer', async () => {
    const entries = entered(await enterMany(4, () => 'one'));
    const more = Promise.all(Array.from({ length: 16 }, () => enter('one')));
    for (const entry of entries) entry.leave({ succeeded: true, durationMs: 20 });
    expect(entered(await more).length).toBeGreaterThanOrEqual(4);
  });

  test.each([1, 7])('takes no more than the %i that its owner allows, quick or not', async (maxConcurrency) => {
    await makeSlow('one');
    expect(entered(await enterMany(20, () => 'one', { maxConcurrency }))).toHaveLength(maxConcurrency);
  });

  test.each([
    ['failed', { succeeded: false, durationMs: 20 }],
    ['took longer than a second', { succeeded: true, durationMs: 1_000 }],
  ])('is quick no more once an attempt %s', async (_case, outcome) => {
    await makeQuick('one');
    for (const entry of entered([await enter('one')])) entry.leave(outcome);
    expect(entered(await enterMany(40, () => 'one'))).toHaveLength(25);
  });

  test('that is quick takes a quarter while an attempt takes longer than its attempts do', async () => {
    await makeQuick('one');
    await enter('one');
    nowMs = 249;
    expect(entered(await enterMany(25, () => 'one'))).toHaveLength(25);
    for (let n = 0; n < 10; n += 1) await makeQuick('other');
    await enter('other');
    nowMs = 499;
    expect(entered(await enterMany(40, () => 'other'))).toHaveLength(24);
  });

  test('is quick no more while an attempt hangs', async () => {
    await makeQuick('one');
    await enter('one');
    nowMs = 1_000;
    expect(entered(await enterMany(40, () => 'one'))).toHaveLength(24);
  });

  test('that is quick lets who finds it full wait for the place that comes free', async () => {
    await makeQuick('one');
    const [first] = entered([await enter('one', { maxConcurrency: 1 })]);
    const second = enter('one', { maxConcurrency: 1 });
    first?.leave({ succeeded: true, durationMs: 20 });
    expect(await second).toMatchObject({ kind: 'entered' });
  });

  test('of any pace lets who has a time set aside wait for a place, up to a tenth of all', async () => {
    await makeSlow('one');
    const entries = entered(await enterMany(25, () => 'one'));
    const waiting = Promise.all(Array.from({ length: 12 }, () => enter('one', { reservedAtMs: 1 })));
    for (const entry of entries.slice(0, 10)) entry.leave({ succeeded: false, durationMs: 20 });
    const [came, refused] = [entered(await waiting), reasons(await waiting)];
    expect([came.length, refused]).toEqual([10, ['endpoint']]);
  });

  test('gives a place back once', async () => {
    await makeSlow('one');
    const entries = entered(await enterMany(25, () => 'one'));
    entries[0]?.leave();
    entries[0]?.leave();
    expect(entered(await enterMany(2, () => 'one'))).toHaveLength(1);
  });
});

describe('endpoints that are not quick', () => {
  test('leave a quarter of the places to those that are', async () => {
    await makeQuick('quick');
    const entries = await enterMany(200, (n) => `slow-${n}`);
    expect([entered(entries).length, reasons(entries)]).toEqual([75, ['slow_endpoints']]);
    expect(entered(await enterMany(25, () => 'quick'))).toHaveLength(25);
    expect(admission.isFull()).toBe(true);
  });

  test('and are known to be slow leave another eighth to those of which nothing is known yet', async () => {
    const hanging = Array.from({ length: 500 }, (_, n) => `hanging-${n}`);
    admission = createAdmission({ places: PLACES, clock, random: () => 0.5, knownToFail: hanging });
    const entries = await enterMany(500, (n) => `hanging-${n}`);
    expect([entered(entries).length, reasons(entries)]).toEqual([63, ['slow_endpoints']]);
    await makeQuick('healthy');
    expect(entered(await enterMany(37, () => 'healthy'))).toHaveLength(37);
  });

  test('of one workspace leave some to those of another that wants them', async () => {
    await enter('other', { workspaceId: 'b' });
    const entries = await enterMany(100, (n) => `slow-${n}`);
    expect([entered(entries).length, reasons(entries)]).toEqual([56, ['workspace']]);
    expect(entered(await enterMany(18, (n) => `b-${n}`, { workspaceId: 'b' }))).toHaveLength(18);
  });

  test('of one workspace take all while nobody else wants any', async () => {
    await enter('other', { workspaceId: 'b' });
    nowMs = 5_001;
    expect(entered(await enterMany(100, (n) => `slow-${n}`))).toHaveLength(74);
  });
});

describe('who is refused', () => {
  const delays = (entries: Entry[]) =>
    entries.flatMap((entry) => (entry.kind === 'refused' ? [entry.delaySeconds] : []));

  test('gets the turn behind those refused before, from half a second to five minutes', async () => {
    await makeSlow('one');
    const turns = delays(await enterMany(100_025, () => 'one'));
    expect(turns).toHaveLength(100_000);
    expect(turns[0]).toBe(0.5);
    // Taken to last half a second each, 25 at once: 50 a second.
    expect(turns[500]).toBeCloseTo(10.5, 3);
    expect(Math.max(...turns)).toBeLessThanOrEqual(300);
  });

  test('waits the longer the longer no attempt has ended, whatever those before them lasted', async () => {
    for (let n = 0; n < 100; n += 1) await makeQuick(`quick-${n}`);
    await enterMany(75, (n) => `hanging-${n}`);
    nowMs += 100;
    const early = delays(await enterMany(1, (n) => `hanging-${n}`));
    nowMs += 7_400;
    const turns = delays(await enterMany(75, (n) => `hanging-${n}`));
    expect(early).toEqual([0.5]);
    expect(turns).toHaveLength(75);
    // None has ended for 7.5 s, 75 at once: one each 100 ms.
    expect(turns[74]).toBeCloseTo(7.9, 1);
  });

  test('for want of a place that others hold comes back as those come free, known or not', async () => {
    await enterMany(75, (n) => `hanging-${n}`);
    nowMs = 7_500;
    const turns = delays(await enterMany(75, (n) => `never-tried-${n}`));
    expect(turns[74]).toBeCloseTo(7.9, 1);
  });

  test('waits the longer the longer attempts last', async () => {
    await makeSlow('one');
    const entries = entered(await enterMany(25, () => 'one'));
    for (const entry of entries.slice(0, 20)) entry.leave({ succeeded: false, durationMs: 15_000 });
    const turns = delays(await enterMany(70, () => 'one'));
    expect(turns).toHaveLength(50);
    expect(turns[49]).toBeGreaterThan(25);
  });
});

test('one place is enough to deliver', async () => {
  admission = createAdmission({ places: 1, clock: { monotonicMs: () => nowMs }, random: () => 0.5 });
  const [first] = entered([await enter('one')]);
  expect(admission.isFull()).toBe(true);
  first?.leave();
  expect(entered([await enter('two')])).toHaveLength(1);
});

test('endpoints with nothing under way are forgotten, those with something are not', async () => {
  await makeSlow('kept');
  await enterMany(25, () => 'kept');
  for (let n = 0; n < 30_000; n += 1) for (const entry of entered([await enter(`endpoint-${n}`)])) entry.leave();
  expect(entered([await enter('kept')])).toEqual([]);
});
