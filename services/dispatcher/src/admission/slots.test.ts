import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import type { AttemptOutcome, SlotRequest } from './endpoint-load.ts';
import { createSlots, type SlotAnswer, type Slots } from './slots.ts';

const SLOTS = 100;
let nowMs: number;
let slots: Slots;
const clock = { ...systemClock, monotonicMs: () => nowMs };
beforeEach(() => {
  nowMs = 0;
  slots = createSlots({ slots: SLOTS, clock, random: () => 0.5 });
});

const take = (endpointId: string, given: Partial<SlotRequest> = {}) =>
  slots.take({ endpointId, workspaceId: 'a', ...given });

async function takeMany(count: number, endpointId: (n: number) => string, given = {}) {
  const answers: SlotAnswer[] = [];
  for (let n = 0; n < count; n += 1) answers.push(await take(endpointId(n), given));
  return answers;
}

const taken = (answers: SlotAnswer[]) => answers.flatMap((answer) => (answer.kind === 'taken' ? [answer] : []));
const reasons = (answers: SlotAnswer[]) => [
  ...new Set(answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.reason] : []))),
];

async function attempt(endpointId: string, outcome: AttemptOutcome, given: Partial<SlotRequest> = {}) {
  for (const answer of taken([await take(endpointId, given)])) answer.release(outcome);
}
const makeQuick = (endpointId: string) => attempt(endpointId, { succeeded: true, durationMs: 20 });
/** Takes as long as the first estimate. */
const makeSlow = (endpointId: string) => attempt(endpointId, { succeeded: false, durationMs: 500 });

describe('an endpoint', () => {
  test('that is slow takes a quarter of the slots', async () => {
    await makeSlow('one');
    const answers = await takeMany(40, () => 'one');
    expect([taken(answers).length, reasons(answers)]).toEqual([25, ['endpoint']]);
  });

  test('that is quick takes half of them', async () => {
    await makeQuick('one');
    expect(taken(await takeMany(50, () => 'one'))).toHaveLength(50);
  });

  test('that is new takes a few slots, and the other jobs of a burst return a moment later', async () => {
    const refused = await takeMany(40, () => 'one');
    expect([taken(refused).length, reasons(refused)]).toEqual([4, ['endpoint']]);
    const delays = refused.flatMap((answer) => (answer.kind === 'refused' ? [answer.delaySeconds] : []));
    expect(Math.max(...delays)).toBeLessThan(1);
  });

  test('that is new lets jobs wait for its first answer', async () => {
    const answers = taken(await takeMany(4, () => 'one'));
    const more = Promise.all(Array.from({ length: 16 }, () => take('one')));
    for (const answer of answers) answer.release({ succeeded: true, durationMs: 20 });
    expect(taken(await more).length).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ['failed', { succeeded: false, durationMs: 20 }],
    ['took longer than a second', { succeeded: true, durationMs: 1_000 }],
  ])('is no longer quick once an attempt %s', async (_case, outcome) => {
    await makeQuick('one');
    for (const answer of taken([await take('one')])) answer.release(outcome);
    expect(taken(await takeMany(40, () => 'one'))).toHaveLength(25);
  });

  test('that is quick takes a quarter while an attempt takes longer than usual', async () => {
    await makeQuick('one');
    await take('one');
    nowMs = 249;
    expect(taken(await takeMany(25, () => 'one'))).toHaveLength(25);
    for (let n = 0; n < 10; n += 1) await makeQuick('other');
    await take('other');
    nowMs = 499;
    expect(taken(await takeMany(40, () => 'other'))).toHaveLength(24);
  });

  test('is no longer quick while an attempt hangs', async () => {
    await makeQuick('one');
    await take('one');
    nowMs = 1_000;
    expect(taken(await takeMany(40, () => 'one'))).toHaveLength(24);
  });

  test('that is quick lets a job wait for the next free slot', async () => {
    await makeQuick('one');
    const [first] = taken(await takeMany(50, () => 'one'));
    const next = take('one');
    first?.release({ succeeded: true, durationMs: 20 });
    expect(await next).toMatchObject({ kind: 'taken' });
  });

  test('releases a slot once', async () => {
    await makeSlow('one');
    const answers = taken(await takeMany(25, () => 'one'));
    answers[0]?.release();
    answers[0]?.release();
    expect(taken(await takeMany(2, () => 'one'))).toHaveLength(1);
  });
});

describe('endpoints that are not quick', () => {
  test('leave a quarter of the slots to quick endpoints', async () => {
    await makeQuick('quick');
    const answers = await takeMany(200, (n) => `slow-${n}`);
    expect([taken(answers).length, reasons(answers)]).toEqual([75, ['slow_endpoints']]);
    expect(taken(await takeMany(25, () => 'quick'))).toHaveLength(25);
    expect(slots.isFull()).toBe(true);
  });

  test('and are known to be slow leave another eighth to new endpoints', async () => {
    const hanging = Array.from({ length: 500 }, (_, n) => `hanging-${n}`);
    slots = createSlots({ slots: SLOTS, clock, random: () => 0.5, recentlyFailing: hanging });
    const answers = await takeMany(500, (n) => `hanging-${n}`);
    expect([taken(answers).length, reasons(answers)]).toEqual([63, ['slow_endpoints']]);
    await makeQuick('healthy');
    expect(taken(await takeMany(37, () => 'healthy'))).toHaveLength(37);
  });

  test('of one workspace leave some slots to another workspace that wants them', async () => {
    await take('other', { workspaceId: 'b' });
    const answers = await takeMany(100, (n) => `slow-${n}`);
    expect([taken(answers).length, reasons(answers)]).toEqual([56, ['workspace']]);
    expect(taken(await takeMany(18, (n) => `b-${n}`, { workspaceId: 'b' }))).toHaveLength(18);
  });

  test('of three workspaces of one owner leave as many to another owner as those of one workspace', async () => {
    const ownerOf = (workspaceId: string) => (workspaceId.startsWith('a') ? 'ann' : 'bob');
    slots = createSlots({ slots: SLOTS, clock, random: () => 0.5, ownerOf });
    await take('other', { workspaceId: 'b' });
    const answers = [];
    for (const workspaceId of ['a1', 'a2', 'a3']) {
      answers.push(...(await takeMany(100, (n) => `slow-${workspaceId}-${n}`, { workspaceId })));
    }
    expect([taken(answers).length, reasons(answers)]).toEqual([56, ['workspace']]);
    expect(taken(await takeMany(18, (n) => `b-${n}`, { workspaceId: 'b' }))).toHaveLength(18);
  });

  test.each([3, 6])(
    'of %i workspaces of one owner do not keep another owner waiting that comes later',
    async (count) => {
      const ownerOf = (workspaceId: string) => (workspaceId.startsWith('a') ? 'ann' : 'bob');
      slots = createSlots({ slots: SLOTS, clock, random: () => 0.5, ownerOf });
      await attempt('known', { succeeded: true, durationMs: 20 }, { workspaceId: 'b' });
      nowMs = 60_000;
      const hanging = [];
      for (let n = 0; n < 240; n += 1) hanging.push(await take(`hanging-${n}`, { workspaceId: `a${n % count}` }));
      expect([taken(hanging).length, reasons(hanging)]).toEqual([75, ['slow_endpoints']]);
      nowMs += 3_000;
      const [known, fresh] = [await take('known', { workspaceId: 'b' }), await take('fresh', { workspaceId: 'b' })];
      expect([known.kind, fresh.kind]).toEqual(['taken', 'taken']);
      const more = await takeMany(240, (n) => `more-${n}`, { workspaceId: 'a1' });
      expect([taken(more).length, reasons(more)]).toEqual([0, ['slow_endpoints']]);
    },
  );

  test('do not keep a slow endpoint waiting whose owner holds no slot', async () => {
    await attempt('slow', { succeeded: true, durationMs: 2_000 }, { workspaceId: 'b' });
    nowMs = 60_000;
    expect(taken(await takeMany(240, (n) => `hanging-${n}`))).toHaveLength(75);
    nowMs += 3_000;
    const [first, second] = await takeMany(2, () => 'slow', { workspaceId: 'b' });
    expect([first?.kind, second?.kind]).toEqual(['taken', 'refused']);
  });

  test('do not make a delivery return behind theirs whose owner holds no slot', async () => {
    await attempt('slow', { succeeded: true, durationMs: 2_000 }, { workspaceId: 'z' });
    const hanging = [];
    for (let n = 0; n < 400; n += 1) hanging.push(await take(`hanging-${n}`, { workspaceId: `w-${n % 90}` }));
    nowMs = 20_000;
    for (let n = 0; n < 400; n += 1) hanging.push(await take(`hanging-${n}`, { workspaceId: `w-${n % 40}` }));
    expect(await take('slow', { workspaceId: 'z' })).toEqual({
      kind: 'refused',
      reason: 'slow_endpoints',
      delaySeconds: 0.5,
    });
  });

  test('of many owners leave slots to endpoints that go on answering', async () => {
    await makeQuick('quick');
    const hanging = [];
    for (let n = 0; n < 240; n += 1) hanging.push(await take(`hanging-${n}`, { workspaceId: `w-${n}` }));
    expect([taken(hanging).length, reasons(hanging)]).toEqual([81, ['slow_endpoints']]);
    // The last two stay free for others, as always.
    expect(taken(await takeMany(19, () => 'quick'))).toHaveLength(17);
  });

  test('of one workspace take all their slots while no other workspace wants any', async () => {
    await take('other', { workspaceId: 'b' });
    nowMs = 5_001;
    expect(taken(await takeMany(100, (n) => `slow-${n}`))).toHaveLength(74);
  });
});

describe('quick endpoints', () => {
  const quick = (count: number) => Array.from({ length: count }, (_, n) => `quick-${n}`);
  const takeAll = (endpointIds: readonly string[], given = {}) =>
    Promise.all(endpointIds.map((endpointId) => take(endpointId, given)));
  beforeEach(async () => {
    for (const endpointId of quick(200)) await makeQuick(endpointId);
    nowMs = 5_000;
  });

  test('that begin to hang leave a quarter of the slots to endpoints that go on answering', async () => {
    await makeQuick('healthy');
    const answers = await takeAll(quick(200));
    expect([taken(answers).length, reasons(answers)]).toEqual([75, ['slow_endpoints']]);
    nowMs += 500;
    await makeQuick('healthy');
    // The second success counts for as long as slots are scarce.
    nowMs = 14_000;
    expect(taken(await takeMany(25, () => 'healthy'))).toHaveLength(25);
  });

  test('that begin to hang take no slots together with slow ones beyond the slots of both', async () => {
    await takeAll(quick(70));
    await makeSlow('slow');
    expect(await take('slow')).toMatchObject({ kind: 'refused', reason: 'slow_endpoints' });
  });

  test('take every slot if they have succeeded within the last second', async () => {
    for (const endpointId of quick(100)) await makeQuick(endpointId);
    expect(taken(await takeAll(quick(100)))).toHaveLength(100);
  });

  test('wait for a slot that is kept for others, and get it when another attempt ends', async () => {
    const [first] = taken(await takeAll(quick(75)));
    const job = take('quick-80');
    first?.release({ succeeded: true, durationMs: 20 });
    expect(await job).toMatchObject({ kind: 'taken' });
  });

  test('return soon after a refusal, each a moment after the one before', async () => {
    const answers = await takeAll(quick(200));
    const delays = answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.delaySeconds] : []));
    expect([delays.length, Math.min(...delays), Math.max(...delays)]).toEqual([125, 0.5, expect.closeTo(1.12, 5)]);
  });

  test('of one workspace leave slots to another workspace that wants them, whatever they did before', async () => {
    for (const endpointId of quick(100)) await makeQuick(endpointId);
    await take('other', { workspaceId: 'b' });
    const answers = await takeAll(quick(100));
    expect([taken(answers).length, reasons(answers)]).toEqual([87, ['workspace']]);
    await makeQuick('another');
    expect(taken(await takeAll(['another', 'another'], { workspaceId: 'b' }))).toHaveLength(2);
  });

  test('of one workspace that may hang leave slots to those of another workspace that may hang', async () => {
    await take('other', { workspaceId: 'b' });
    const answers = await takeAll(quick(100));
    expect([taken(answers).length, reasons(answers)]).toEqual([56, ['workspace']]);
    expect(taken(await takeAll(['quick-150', 'quick-151'], { workspaceId: 'b' }))).toHaveLength(2);
  });
});

describe('a refused job', () => {
  const delays = (answers: SlotAnswer[]) =>
    answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.delaySeconds] : []));

  test('returns behind those refused before it, from half a second to five minutes later', async () => {
    await makeSlow('one');
    const returns = delays(await takeMany(100_025, () => 'one'));
    expect(returns).toHaveLength(100_000);
    expect(returns[0]).toBe(0.5);
    // The estimate is half a second each, and 25 at once make 50 a second.
    expect(returns[500]).toBeCloseTo(10.5, 3);
    expect(Math.max(...returns)).toBeLessThanOrEqual(300);
  });

  test('returns later the longer no attempt has ended, however short earlier ones were', async () => {
    for (let n = 0; n < 100; n += 1) await makeQuick(`quick-${n}`);
    await takeMany(75, (n) => `hanging-${n}`);
    nowMs += 100;
    const early = delays(await takeMany(1, (n) => `hanging-${n}`));
    nowMs += 7_400;
    const returns = delays(await takeMany(75, (n) => `hanging-${n}`));
    expect(early).toEqual([0.5]);
    expect(returns).toHaveLength(75);
    // None has ended for 7.5 s, with 75 at once: one every 100 ms.
    expect(returns[74]).toBeCloseTo(7.9, 1);
  });

  test('for which other endpoints hold the slots returns as these become free, also at a new endpoint', async () => {
    await takeMany(75, (n) => `hanging-${n}`);
    nowMs = 7_500;
    const returns = delays(await takeMany(75, (n) => `never-tried-${n}`));
    expect(returns[74]).toBeCloseTo(7.9, 1);
  });

  test('returns later the longer attempts last', async () => {
    await makeSlow('one');
    const answers = taken(await takeMany(25, () => 'one'));
    for (const answer of answers.slice(0, 20)) answer.release({ succeeded: false, durationMs: 15_000 });
    const returns = delays(await takeMany(70, () => 'one'));
    expect(returns).toHaveLength(50);
    expect(returns[49]).toBeGreaterThan(25);
  });
});

test('one slot is enough to deliver', async () => {
  slots = createSlots({ slots: 1, clock, random: () => 0.5 });
  const [first] = taken([await take('one')]);
  expect(slots.isFull()).toBe(true);
  first?.release();
  expect(taken([await take('two')])).toHaveLength(1);
});

test('endpoints with nothing in flight are forgotten, those with something are not', async () => {
  await makeSlow('kept');
  await takeMany(25, () => 'kept');
  for (let n = 0; n < 30_000; n += 1) for (const answer of taken([await take(`endpoint-${n}`)])) answer.release();
  expect(taken([await take('kept')])).toEqual([]);
});

describe('while every slot is taken', () => {
  beforeEach(async () => {
    slots = createSlots({ slots: 4, clock, random: () => 0.5 });
    for (const endpointId of ['one', 'two']) await makeQuick(endpointId);
    await makeSlow('slow');
  });

  test('a job waits for the next free slot', async () => {
    const [first] = taken(await takeMany(4, (n) => (n % 2 ? 'one' : 'two')));
    const job = take('two');
    expect([slots.isFull(), slots.free()]).toEqual([true, 0]);
    first?.release();
    expect(await job).toMatchObject({ kind: 'taken' });
  });

  test('a waiting job that may not take the free slot leaves it to the next job', async () => {
    const [, first] = taken([...(await takeMany(1, () => 'slow')), ...(await takeMany(2, () => 'one'))]);
    await take('two');
    const [refused, next] = [take('slow'), take('two')];
    first?.release();
    expect(await refused).toMatchObject({ kind: 'refused', reason: 'endpoint' });
    expect(await next).toMatchObject({ kind: 'taken' });
  });

  test('so is each one that a job gets after it waited for its own endpoint', async () => {
    slots = createSlots({ slots: 8, clock, random: () => 0.5 });
    for (const endpointId of ['one', 'two']) await makeQuick(endpointId);
    let held = 0;
    const noted = (answer: SlotAnswer) => {
      if (answer.kind === 'taken') held += 1;
      return answer;
    };
    const [first] = taken([await take('new')]);
    const waiting = [take('new').then(noted), take('new').then(noted)];
    const [ofOne] = taken(await takeMany(4, () => 'one'));
    const another = take('one');
    await takeMany(3, () => 'two');
    // Now the endpoint may have more slots, but this one is the only free one.
    first?.release({ succeeded: true, durationMs: 20 });
    // It began to wait after the others, so theirs have ended, too.
    expect(await another).toMatchObject({ kind: 'refused', reason: 'endpoint' });
    expect(held).toBe(1);
    ofOne?.release();
    expect(await Promise.all(waiting)).toMatchObject([{ kind: 'taken' }, { kind: 'taken' }]);
  });
});

describe('a slot that is taken without waiting', () => {
  const tryTake = (endpointId: string) => slots.tryTake({ endpointId, workspaceId: 'a' });

  test('is one of the same slots, under the same limits', async () => {
    await makeSlow('one');
    const held = Array.from({ length: 30 }, () => tryTake('one')).filter((slot) => slot !== undefined);
    expect([held.length, slots.free()]).toEqual([25, 75]);
    expect(await take('one')).toMatchObject({ kind: 'refused', reason: 'endpoint' });
    held[0]?.release();
    expect([slots.free(), (await take('one')).kind]).toEqual([76, 'taken']);
  });

  test('is never one for which a job waits', async () => {
    await makeQuick('one');
    const answers = taken(await takeMany(50, () => 'one'));
    const job = take('one');
    expect(tryTake('one')).toBeUndefined();
    answers[0]?.release();
    expect(await job).toMatchObject({ kind: 'taken' });
  });

  test('may be any that is free while jobs wait for slots of their own endpoint', async () => {
    await makeQuick('one');
    await takeMany(50, () => 'one');
    const jobs = Array.from({ length: 50 }, () => take('one'));
    expect([slots.free(), tryTake('two')?.kind]).toEqual([50, 'taken']);
    await Promise.all(jobs);
  });

  test('is refused while every slot is taken', async () => {
    slots = createSlots({ slots: 1, clock, random: () => 0.5 });
    expect([tryTake('one')?.kind, tryTake('two')]).toEqual(['taken', undefined]);
  });
});

describe('the refusal of a slow endpoint', () => {
  const refusal = (endpointId: string) => slots.refusalOfSlow({ endpointId, workspaceId: 'a' });

  test('is known without a job once its slots are taken, and each has a later time', async () => {
    await makeSlow('one');
    await takeMany(24, () => 'one');
    expect(refusal('one')).toBeUndefined();
    await take('one');
    const refusals = [refusal('one'), refusal('one')];
    expect(refusals).toMatchObject([{ reason: 'endpoint' }, { reason: 'endpoint' }]);
    expect(refusals[1]?.delaySeconds).toBeGreaterThan(refusals[0]?.delaySeconds ?? 0);
  });

  test('does not exist for an endpoint that is quick or new: its jobs may wait a moment', async () => {
    await makeQuick('quick');
    await takeMany(50, () => 'quick');
    await takeMany(4, () => 'new');
    expect([refusal('quick'), refusal('new')]).toEqual([undefined, undefined]);
  });
});

describe('a slot that is taken in turn', () => {
  const takeInTurn = (endpointId: string) => slots.takeInTurn({ endpointId, workspaceId: 'a' });
  const ENDPOINTS = ['one', 'two', 'three'];
  const QUICK = { succeeded: true, durationMs: 20 };
  beforeEach(async () => {
    slots = createSlots({ slots: 32, clock, random: () => 0.5 });
    for (const endpointId of ENDPOINTS) await makeQuick(endpointId);
  });
  const fill = async () => taken(await takeMany(32, (n) => ENDPOINTS[n % 3] ?? ''));

  test('is not one that is kept for jobs', async () => {
    const held = await Promise.all(Array.from({ length: 30 }, (_, n) => takeInTurn(ENDPOINTS[n % 3] ?? '')));
    expect([held.every((slot) => slot !== undefined), slots.free()]).toEqual([true, 2]);
    const waiting = takeInTurn('one');
    expect(taken(await takeMany(2, () => 'two'))).toHaveLength(2);
    for (const slot of held.slice(0, 3)) slot?.release(QUICK);
    expect(await waiting).toMatchObject({ kind: 'taken' });
  });

  test('follows those that waited before, with jobs and without', async () => {
    const held = await fill();
    const order: string[] = [];
    const noted = (name: string) => () => void order.push(name);
    const all = [
      takeInTurn('one').then(noted('first')),
      take('two').then(noted('job')),
      takeInTurn('three').then(noted('last')),
    ];
    for (const slot of held.slice(0, 5)) slot.release(QUICK);
    await Promise.all(all);
    // The first two slots are kept for jobs.
    expect(order).toEqual(['job', 'first', 'last']);
  });

  test('is not for an endpoint that takes no more, and is left to the next in the line', async () => {
    const [ofOne, ofTwo, ofThree] = await fill();
    ofOne?.release({ succeeded: false, durationMs: 20 });
    const [refused, next] = [takeInTurn('one'), takeInTurn('two')];
    for (const slot of [ofTwo, ofThree]) slot?.release(QUICK);
    expect([await refused, (await next)?.kind]).toEqual([undefined, 'taken']);
  });
});

test('a delivery that is deferred although it has a slot returns behind those deferred before it', async () => {
  await makeSlow('one');
  const request = { endpointId: 'one', workspaceId: 'a' };
  // Twenty-five at once, half a second each.
  expect([1, 2, 3].map(() => slots.returnSeconds(request))).toEqual([0.5, 0.52, 0.54]);
});

describe('what is told of slow endpoints', () => {
  test('names one whose slots are taken, and how fast they become free', async () => {
    await makeSlow('one');
    await makeQuick('two');
    await takeMany(24, () => 'one');
    await take('two');
    expect(slots.slow()).toEqual(new Map());
    await take('one');
    expect(slots.slow()).toEqual(new Map([['one', 20]]));
  });

  test('names all that have attempts under way once slow endpoints hold all that they may', async () => {
    const ids = Array.from({ length: 70 }, (_, n) => `slow-${n}`);
    for (const id of ids) await makeSlow(id);
    for (const id of ids) await take(id, { workspaceId: id });
    expect(slots.slow().size).toBeGreaterThan(60);
  });
});
