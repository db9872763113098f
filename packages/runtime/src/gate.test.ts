import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Claimant, createGate, type Gate, type GateOptions } from './gate.ts';

const refusal = (limit: string) => new Error(limit);

/** Work that a test starts and ends by name. `begun` has the names in the order in which the work started. */
function stage(options: Omit<GateOptions, 'refusal'>) {
  const gate = createGate({ refusal, ...options });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, claimant: Partial<Claimant>, weight?: number) => {
    const { ownerId = 'ann', workspaceId = `of ${ownerId}`, applicationId } = claimant;
    const work = () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    };
    return gate.run({ ownerId, workspaceId, applicationId }, work, { weight }).catch((error: Error) => {
      refused.push(`${name}: ${error.message}`);
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { gate, begun, refused, ask, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('one claimant', () => {
  test('work runs at once up to the limit, and then in the order of the calls', async () => {
    const { begun, ask, end } = stage({ atOnce: 2, waiting: 10 });
    for (const name of ['a', 'b', 'c', 'd']) void ask(name, {});
    await settled();
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('work is refused at once when too much waits, and the refusal says whose limit was reached', async () => {
    const all = stage({ atOnce: 1, waiting: 1 });
    for (const name of ['a', 'b', 'c']) void all.ask(name, {});
    await settled();
    expect(all.refused).toEqual(['c: claimant']);
    const own = stage({ atOnce: 5, most: { workspace: 1 } });
    for (const name of ['a', 'b']) void own.ask(name, {});
    await settled();
    expect(own.refused).toEqual(['b: claimant']);
    const gate = stage({ atOnce: 1 });
    void gate.ask('a', { ownerId: 'ann' });
    void gate.ask('b', { ownerId: 'bob' });
    await settled();
    expect(gate.refused).toEqual(['b: all']);
  });

  test('work that has waited for the longest time is refused and never begins', async () => {
    const { begun, refused, ask, end } = stage({ atOnce: 1, waiting: 10, forMs: 1 });
    void ask('a', {});
    await ask('b', {});
    await end('a');
    expect({ begun, refused }).toEqual({ begun: ['a'], refused: ['b: claimant'] });
  });

  test('work may have a longest wait of its own', async () => {
    const gate = createGate({ atOnce: 1, waiting: 10, refusal: (limit) => new Error(limit) });
    const claimant = { ownerId: 'ann', workspaceId: 'shop' };
    let end = () => {};
    const first = gate.run(claimant, () => new Promise<void>((resolve) => (end = resolve)));
    const unlimited = gate.run(claimant, async () => 'ran');
    await expect(gate.run(claimant, async () => 'ran', { waitsMs: 1 })).rejects.toThrow();
    end();
    await first;
    expect(await unlimited).toBe('ran');
  });

  test('an error of the work is passed on, and its place becomes free', async () => {
    const gate = createGate({ atOnce: 1, refusal });
    const claimant = { ownerId: 'ann', workspaceId: 'w' };
    await expect(gate.run(claimant, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(gate.isIdle()).toBe(true);
    await expect(gate.run(claimant, async () => 'fine')).resolves.toBe('fine');
  });

  test('a weight over a limit counts as the limit, so that it does not wait for ever', async () => {
    const { begun, ask, end } = stage({ atOnce: 10, most: { workspace: 4 }, waiting: 10 });
    void ask('a', {}, 50);
    void ask('b', {}, 1);
    await settled();
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
  });
});

describe('several claimants', () => {
  test('a claimant that holds nothing goes first, however much others have asked for before', async () => {
    const { begun, ask, end } = stage({ atOnce: 1, waiting: 100 });
    for (let n = 0; n < 20; n++) void ask(`ann ${n}`, { ownerId: 'ann' });
    void ask('bob', { ownerId: 'bob' });
    await end('ann 0');
    expect(begun).toEqual(['ann 0', 'bob']);
  });

  test('the workspaces of one owner share one part', async () => {
    const { begun, ask, end } = stage({ atOnce: 1, waiting: 100 });
    for (let n = 0; n < 6; n++) void ask(`ann ${n}`, { ownerId: 'ann', workspaceId: `w${n % 3}` });
    for (let n = 0; n < 3; n++) void ask(`bob ${n}`, { ownerId: 'bob' });
    for (const name of ['ann 0', 'bob 0', 'ann 1', 'bob 1', 'ann 2', 'bob 2']) await end(name);
    expect(begun.slice(0, 6)).toEqual(['ann 0', 'bob 0', 'ann 1', 'bob 1', 'ann 2', 'bob 2']);
  });

  test('a workspace’s own work never waits behind the work of its portals', async () => {
    const { begun, ask, end } = stage({ atOnce: 1, waiting: 100 });
    for (let n = 0; n < 5; n++) void ask(`portal ${n}`, { applicationId: `app ${n}` });
    void ask('operator', {});
    await end('portal 0');
    expect(begun).toEqual(['portal 0', 'operator']);
  });

  test('all portals together hold at most half, and one portal an eighth', async () => {
    const { begun, ask } = stage({ atOnce: 100, most: { workspace: 16 }, waiting: 1_000 });
    for (let n = 0; n < 10; n++) void ask('one portal', { applicationId: 'app 0' });
    expect(begun).toHaveLength(2);
    for (let n = 0; n < 50; n++) void ask('other portals', { applicationId: `app ${n}` });
    expect(begun).toHaveLength(8);
    for (let n = 0; n < 50; n++) void ask('operator', {});
    expect(begun).toHaveLength(16);
  });

  test('one claimant alone leaves a part free, and two leave a smaller part', () => {
    const { begun, ask } = stage({ atOnce: 8, share: 1, waiting: 1_000 });
    for (let n = 0; n < 20; n++) void ask('ann', { ownerId: 'ann' });
    expect(begun).toHaveLength(4);
    for (let n = 0; n < 20; n++) void ask('bob', { ownerId: 'bob' });
    expect(begun).toHaveLength(6);
    void ask('cat', { ownerId: 'cat' });
    expect(begun).toHaveLength(7);
  });

  test('when too much waits, the latest work of the owner with the most gives way to another owner', async () => {
    const { refused, begun, ask, end } = stage({ atOnce: 1, waiting: 3 });
    for (let n = 0; n < 4; n++) void ask(`ann ${n}`, { ownerId: 'ann' });
    void ask('bob', { ownerId: 'bob' });
    await settled();
    expect(refused).toEqual(['ann 3: all']);
    await end('ann 0');
    expect(begun).toEqual(['ann 0', 'bob']);
  });

  test('small work of others does not starve large work', async () => {
    const { begun, ask, end } = stage({ atOnce: 10, waiting: 100 });
    void ask('ann', { ownerId: 'ann' }, 6);
    void ask('bob', { ownerId: 'bob' }, 3);
    void ask('large', { ownerId: 'cat' }, 8);
    void ask('small', { ownerId: 'ann' }, 1);
    await settled();
    expect(begun).toEqual(['ann', 'bob']);
    await end('ann');
    expect(begun).toEqual(['ann', 'bob']);
    await end('bob');
    expect(begun).toEqual(['ann', 'bob', 'large', 'small']);
  });

  test('work that waits for the limit of its own claimant does not hold up others', async () => {
    const { begun, ask } = stage({ atOnce: 10, most: { workspace: 1 }, waiting: 100 });
    void ask('ann 0', { ownerId: 'ann' });
    void ask('ann 1', { ownerId: 'ann' });
    void ask('bob', { ownerId: 'bob' });
    await settled();
    expect(begun).toEqual(['ann 0', 'bob']);
  });
});

describe('long work in parts', () => {
  test('gives its turn to the others between two parts, goes on before its own later work, and is never refused', async () => {
    const gate = createGate({ atOnce: 1, waiting: 3, refusal });
    const a = { ownerId: 'ann', workspaceId: 'a' };
    const b = { ownerId: 'bob', workspaceId: 'b' };
    const ran: string[] = [];
    const note = (name: string) => async () => {
      ran.push(name);
    };
    const long = gate.run(a, async () => {
      await settled();
      for (const part of ['1', '2', '3']) {
        ran.push(`long ${part}`);
        await gate.pass(a);
      }
    });
    const others = [gate.run(b, note('bob')), gate.run(a, note('ann later')), gate.run(b, note('bob again'))];
    await Promise.all([long, ...others]);
    expect(ran).toEqual(['long 1', 'bob', 'long 2', 'bob again', 'long 3', 'ann later']);
    expect(gate.isIdle()).toBe(true);
  });
});

test('no limit is passed, nothing is lost and the gate is idle at the end, whatever is asked for', async () => {
  const asked = fc.record({
    ownerId: fc.constantFrom('ann', 'bob', 'cat'),
    workspace: fc.nat({ max: 2 }),
    app: fc.option(fc.nat({ max: 3 })),
    weight: fc.integer({ min: 1, max: 7 }),
    turns: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 60 }), async (calls) => {
      const gate: Gate = createGate({ atOnce: 12, most: { owner: 9, workspace: 6 }, share: 3, waiting: 40, refusal });
      const held = new Map<string, number>();
      const hold = (key: string, weight: number) => held.set(key, (held.get(key) ?? 0) + weight);
      let ended = 0;
      const work = async (keys: string[], { weight, turns }: { weight: number; turns: number }) => {
        for (const key of keys) hold(key, weight);
        expect(held.get('all')).toBeLessThanOrEqual(12);
        expect(held.get(keys[1] ?? '')).toBeLessThanOrEqual(9);
        expect(held.get(keys[2] ?? '')).toBeLessThanOrEqual(6);
        for (let n = 0; n < turns; n++) await settled();
        for (const key of keys) hold(key, -weight);
        ended += 1;
      };
      const all = calls.map(({ ownerId, workspace, app, weight, turns }) => {
        const workspaceId = `${ownerId} ${workspace}`;
        const applicationId = app === null ? undefined : `app ${app}`;
        const counted = Math.min(weight, app === null ? 6 : 1);
        const run = () => work(['all', ownerId, workspaceId], { weight: counted, turns });
        return gate.run({ ownerId, workspaceId, applicationId }, run, { weight }).catch((error: Error) => {
          expect(['all', 'claimant']).toContain(error.message);
          ended += 1;
        });
      });
      await Promise.all(all);
      expect({ ended, idle: gate.isIdle() }).toEqual({ ended: calls.length, idle: true });
    }),
    { numRuns: 60 },
  );
});
