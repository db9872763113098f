import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createIngestGates } from './gates.ts';
import { createPayloadCheck as createCheck } from './payload-check.ts';

/** A payload whose check is slow. */
const slow = {
  schema: { items: { enum: Array.from({ length: 1_000 }, (_, index) => ({ ...[1, 1, 1, 1, 1], index })) } },
  payload: Array(20_000).fill({ ...[1, 1, 1, 1, 1], index: -1 }),
};

type Seams = Parameters<typeof createCheck>[2];

describe('the kept schemas of owners', () => {
  /** Creates its own gates. Each workspace has its own owner. */
  const createPayloadCheck = (readSchema: Parameters<typeof createCheck>[0], seams?: Seams) => {
    const check = createCheck(readSchema, createIngestGates(), seams);
    type Type = { workspaceId: string; eventTypeId: string; schemaRevision: string };
    return (type: Type, given: Parameters<typeof check>[1]) => check({ ownerId: type.workspaceId, ...type }, given);
  };
  const large = { description: 'x'.repeat(60_000) };
  const payloadOf = (value: unknown) => ({ bytes: 1, read: () => ({ isJson: true, value }) as const });
  const payload = payloadOf(1);
  const checkWith = (read: (id: string) => Promise<unknown>, seams?: Seams) =>
    createPayloadCheck(async (id) => ({ document: await read(id), revision: 'first' }), seams);

  test('a schema that was changed after its revision was read is not kept under that revision', async () => {
    let stored = { document: { type: 'object' }, revision: 'lost' };
    const check = createPayloadCheck(async () => stored);
    const use = () => check({ workspaceId: 'one', eventTypeId: 'type', schemaRevision: 'first' }, payload);
    expect(await use()).toHaveLength(1);
    // The stored schema after a failover that lost the change.
    stored = { document: { type: 'number' }, revision: 'first' };
    expect(await use()).toEqual([]);
  });

  test('one that uses many large schemas in turn drops its own, and not those of another', async () => {
    const reads: string[] = [];
    const check = checkWith(async (id) => {
      reads.push(id);
      return large;
    });
    const use = (workspaceId: string, eventTypeId: string) =>
      check({ workspaceId, eventTypeId, schemaRevision: 'first' }, payload);
    await use('quiet', 'its_type');
    for (let index = 0; index < 80; index += 1) await use('greedy', `type_${index % 40}`);
    await use('quiet', 'its_type');
    expect(reads.filter((id) => id === 'its_type')).toHaveLength(1);
    expect(reads).toHaveLength(81);
  });

  test('one compiles one schema at a time', async () => {
    let [now, most] = [0, 0];
    const check = checkWith(async () => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      now -= 1;
      return large;
    });
    const uses = Array.from({ length: 10 }, (_, index) =>
      check({ workspaceId: 'one', eventTypeId: `type_${index}`, schemaRevision: 'first' }, payload),
    );
    expect(await Promise.all(uses)).toEqual(Array(10).fill([]));
    expect(most).toBe(1);
  });

  test('events that need more schemas at once than a process compiles in seconds are unavailable, and others are checked', async () => {
    let compile = (_document: unknown) => {};
    const first = new Promise((resolve) => (compile = resolve));
    const check = checkWith((id) => (id === 'type_0' ? first : Promise.resolve({})));
    const use = (n: number, workspaceId = 'one') =>
      check({ workspaceId, eventTypeId: `type_${n}`, schemaRevision: 'first' }, payload);
    const uses = Promise.allSettled(Array.from({ length: 25 }, (_, n) => use(n)));
    expect(await use(1, 'other')).toEqual([]);
    compile({});
    const ends = await uses;
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(21);
    expect(ends.at(-1)).toMatchObject({ reason: { code: 'unavailable', headers: { 'Retry-After': '1' } } });
    expect(await use(24)).toEqual([]);
  });

  test('payloads that take long to check are checked with pauses, in which others are checked', async () => {
    const check = checkWith(async (id) => (id === 'slow_type' ? slow.schema : {}));
    const ended: string[] = [];
    const use = async (id: 'slow_type' | 'quick_type', value: unknown) => {
      await check({ workspaceId: `workspace of ${id}`, eventTypeId: id, schemaRevision: 'first' }, payloadOf(value));
      ended.push(id);
    };
    await use('quick_type', 1);
    const uses = Array.from({ length: 4 }, () => use('slow_type', slow.payload));
    await uses[0];
    await use('quick_type', 1);
    await Promise.all(uses);
    expect(ended).toEqual(['quick_type', 'slow_type', 'quick_type', 'slow_type', 'slow_type', 'slow_type']);
  });

  test('many short checks have pauses, too', async () => {
    let ms = 0;
    // On this clock, each check takes 0.1 ms.
    const check = checkWith(async () => ({}), { nowMs: () => (ms += 0.1) });
    const use = () => check({ workspaceId: 'one', eventTypeId: 'type', schemaRevision: 'first' }, payload);
    await use();
    let ended = 0;
    const uses = Array.from({ length: 100 }, () => use().then(() => (ended += 1)));
    // Without a pause, all would be checked in this turn of the event loop.
    await turnOfLoop();
    expect(ended).toBeLessThan(100);
    await Promise.all(uses);
    expect(ended).toBe(100);
  });

  test('all owners together leave more than half of the process to others, however many have slow checks', async () => {
    let ms = 0;
    const waits: number[] = [];
    const ends: (() => void)[] = [];
    // On this clock, each check takes 10 ms, including the parsing of its payload.
    const check = checkWith(async () => ({}), {
      nowMs: () => ms,
      wait: (waitsMs) => {
        waits.push(waitsMs);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
    });
    const read = () => {
      ms += 10;
      return { isJson: true, value: 1 } as const;
    };
    const use = (workspaceId: string) =>
      check({ workspaceId, eventTypeId: `of ${workspaceId}`, schemaRevision: 'first' }, { bytes: 1, read });
    const owners = Array.from({ length: 8 }, (_, n) => `owner ${n}`);
    await Promise.all(owners.map(use));
    // The compilations took no time. The last pause is the one that each gets in the long run: eight of them take 8/17.
    expect(waits.filter((waitsMs) => waitsMs > 0)).toEqual([40, 40, 60, 80, 100, 120, 140, 160]);
    // Nobody in a pause is checked, but a newcomer is.
    let ended = 0;
    const further = owners.map((owner) => use(owner).then(() => (ended += 1)));
    await use('newcomer');
    expect(ended).toBe(0);
    for (const end of ends) end();
    await Promise.all(further);
  });

  test('payloads that wait for their checks are not parsed yet, and have at most 4 MiB; more is unavailable', async () => {
    const check = checkWith(async (id) => (id === 'slow_type' ? slow.schema : {}));
    let parsed = 0;
    const use = (eventTypeId: string, bytes: number, value: unknown = 1) => {
      const read = () => {
        parsed += 1;
        return { isJson: true, value } as const;
      };
      return check({ workspaceId: 'one', eventTypeId, schemaRevision: 'first' }, { bytes, read });
    };
    await use('quick_type', 1);
    await use('slow_type', 1, slow.payload);
    const MiB = 1024 * 1024;
    const uses = Promise.allSettled(Array.from({ length: 5 }, () => use('quick_type', MiB)));
    await expect(use('quick_type', 1)).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    });
    expect(parsed).toBe(2);
    expect((await uses).map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
    expect(await use('quick_type', MiB)).toEqual([]);
  });
});
