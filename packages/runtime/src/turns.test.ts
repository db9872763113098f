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
