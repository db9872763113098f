import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createTurns } from './turns.ts';

const refusal = () => new Error('refused');

/** Work that runs until the test ends it. */
function createWork() {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, () => (name.startsWith('failing') ? reject(new Error('failed')) : resolve(name)));
    });
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test('so many pieces of work run at once, the others in the order of their calls, also behind one that fails', async () => {
  const { run, isIdle } = createTurns({ atOnce: 2, refusal });
  const { begun, work, end } = createWork();
  const all = ['failing', 'b', 'c', 'd'].map((name) => run(work(name)));
  expect(begun).toEqual(['failing', 'b']);
  end('failing');
  await expect(all[0]).rejects.toThrow('failed');
  expect(begun).toEqual(['failing', 'b', 'c']);
  for (const name of ['b', 'c']) end(name);
  await turnOfLoop();
  expect([begun, isIdle()]).toEqual([['failing', 'b', 'c', 'd'], false]);
  end('d');
  expect(await Promise.all(all.slice(1))).toEqual(['b', 'c', 'd']);
  expect(isIdle()).toBe(true);
});

test('a turn that becomes free goes to waiting work, not to a newer call', async () => {
  const { run } = createTurns({ atOnce: 1, refusal });
  const { begun, work, end } = createWork();
  const first = run(work('a')).then(() => void run(work('newer')));
  void run(work('waiting'));
  end('a');
  await first;
  expect(begun).toEqual(['a', 'waiting']);
});

test('work beyond the limit of waiting work is refused at once and never begun', async () => {
  const { run } = createTurns({ atOnce: 1, mostWaiting: 1, refusal });
  const { begun, work, end } = createWork();
  const accepted = ['a', 'b'].map((name) => run(work(name)));
  await expect(run(work('c'))).rejects.toThrow('refused');
  end('a');
  await accepted[0];
  end('b');
  await accepted[1];
  expect(begun).toEqual(['a', 'b']);
});

test('work that has waited for too long is refused and never begun, and takes no turn from others', async () => {
  const { run } = createTurns({ atOnce: 1, longestWaitMs: 20, refusal });
  const { begun, work, end } = createWork();
  const first = run(work('first'));
  await expect(run(work('late'))).rejects.toThrow('refused');
  end('first');
  await first;
  const next = run(work('next'));
  end('next');
  expect(await next).toBe('next');
  expect(begun).toEqual(['first', 'next']);
});

test('work has a weight: it begins when all running work and it weigh no more than allowed, and no lighter work passes it', async () => {
  const { run, isIdle } = createTurns({ atOnce: 10, refusal });
  const { begun, work, end } = createWork();
  const weights = { a: 6, b: 3, heavy: 4, light: 1, last: 10 };
  const all = Object.entries(weights).map(([name, weight]) => run(work(name), weight));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await turnOfLoop();
  expect(begun).toEqual(['a', 'b', 'heavy']);
  end('a');
  await turnOfLoop();
  expect(begun).toEqual(['a', 'b', 'heavy', 'light']);
  for (const name of ['heavy', 'light']) end(name);
  await turnOfLoop();
  expect(begun).toEqual(['a', 'b', 'heavy', 'light', 'last']);
  end('last');
  await Promise.all(all);
  expect(isIdle()).toBe(true);
});

test('work that is refused after its wait lets lighter work behind it begin', async () => {
  const { run } = createTurns({ atOnce: 2, longestWaitMs: 20, refusal });
  const { begun, work, end } = createWork();
  const first = run(work('first'));
  const late = run(work('late'), 2);
  await expect(late).rejects.toThrow('refused');
  const light = run(work('light'));
  expect(begun).toEqual(['first', 'light']);
  for (const name of ['first', 'light']) end(name);
  await Promise.all([first, light]);
});

test('work begins at once where there is room, and otherwise in its turn; its end is told by the caller', async () => {
  const { begin, end, isIdle } = createTurns({ atOnce: 3, mostWaiting: 1, refusal });
  expect(begin(2)).toBeUndefined();
  const waiting = begin(2);
  expect(() => begin()).toThrow('refused');
  end(2);
  await waiting;
  expect(begin()).toBeUndefined();
  end();
  expect(isIdle()).toBe(false);
  end(2);
  expect(isIdle()).toBe(true);
});
