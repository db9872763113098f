import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { NOWHERE } from '../../contract/maker.ts';
import { openProcess } from '../../contract/postgres-maker.ts';
import { consumeProbes } from './consume-probes.ts';
import { createProbeReplies } from './probe-replies.ts';
import { createProbes } from './probes.ts';

// Tests for Postgres only. packages/queue/contract tests the promises of all probes.

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const task = { kind: 'doctor', endpointId: randomUUID(), workspaceId: randomUUID() } as const;
const probe = { ofOwner: 1, release: async () => {} };
const limits = () => ({ beginsWithinMs: 10_000, endsWithinMs: 20_000, now: new Date() });

test('a reply is sealed while it waits in its row, and the row is gone when it was read', async () => {
  const { shared, close } = openProcess(database.databaseUrl);
  const probes = createProbes(shared);
  const replies = createProbeReplies(shared);
  let sealed: Uint8Array | null | undefined;
  const consumer = consumeProbes({
    ...shared,
    concurrency: 1,
    async handle(job) {
      // Nobody reads this reply, which stands in for that of another probe.
      const probeId = randomUUID();
      await database.db.$executeRaw`
        insert into probe (id, task, owner_rank, reply_to, begins_by, ends_by, taken_by)
        values (${probeId}::uuid, '{}', 1, ${randomUUID()}::uuid, now(), now(), ${randomUUID()}::uuid)`;
      await replies.ended({ ...job, probeId, replyTo: randomUUID() }, { answer: 'a secret of the receiver' });
      const [row] = await database.db.$queryRaw<{ reply: Uint8Array | null }[]>`
        delete from probe where id = ${probeId}::uuid returning reply`;
      sealed = row?.reply;
      await replies.ended(job, { answer: 'a secret of the receiver' });
    },
    onJobError: (error) => {
      throw error;
    },
  });
  const outcome = await probes.ask(probe, task, limits());
  expect(outcome).toEqual({ kind: 'replied', reply: { answer: 'a secret of the receiver' } });
  expect(sealed?.length).toBeGreaterThan(30);
  expect(Buffer.from(sealed ?? []).toString('latin1')).not.toContain('secret');
  expect(await database.db.$queryRaw`select id from probe`).toEqual([]);
  await Promise.all([consumer.close(), probes.close()]);
  await close();
});

test('a probe is answered although no message arrives', async () => {
  const [api, dispatcher] = [1, 2].map(() => openProcess(database.databaseUrl, { busUrl: NOWHERE.postgres }));
  if (api === undefined || dispatcher === undefined) throw new Error('no process');
  const probes = createProbes(api.shared);
  const replies = createProbeReplies(dispatcher.shared);
  const handle: Parameters<typeof consumeProbes>[0]['handle'] = async (job) => {
    await replies.begun(job);
    await replies.ended(job, { verdict: 'ok' });
  };
  const consumer = consumeProbes({ ...dispatcher.shared, concurrency: 1, handle, onJobError: () => {} });
  expect(await probes.ask(probe, task, limits())).toEqual({ kind: 'replied', reply: { verdict: 'ok' } });
  await Promise.all([consumer.close(), probes.close()]);
  await Promise.all([api.close(), dispatcher.close()]);
});

test('a probe that was taken is not given up as one that nobody began, although no message says so', async () => {
  const api = openProcess(database.databaseUrl, { busUrl: NOWHERE.postgres });
  const probes = createProbes(api.shared);
  const asked = probes.ask(probe, task, { beginsWithinMs: 300, endsWithinMs: 1_000, now: new Date() });
  const take = async () =>
    (await database.db.$executeRaw`update probe set taken_by = ${randomUUID()}::uuid where taken_by is null`) === 1;
  await waitFor(take, { what: 'the probe' });
  expect(await asked).toEqual({ kind: 'no_reply' });
  await probes.close();
  await api.close();
});

test('what a Postgres whose clock was set back has kept from later stops no probe', async () => {
  const { shared, close } = openProcess(database.databaseUrl);
  const probes = createProbes(shared);
  const most = { mostOfEndpoint: 1, mostOfWorkspace: 1, mostOfOwner: 1, forgottenAfterMs: 60_000, pauseMs: 10_000 };
  const asked = { kind: 'test', endpointId: 'a', workspaceId: randomUUID(), ownerId: randomUUID(), ...most } as const;
  expect(await probes.admit(asked)).toMatchObject({ kind: 'admitted' });
  expect(await probes.admit(asked)).toMatchObject({ kind: 'refused', by: 'endpoint' });
  await database.db.$executeRaw`update held set until = until + interval '1 day'`;
  await database.db.$executeRaw`update rate_state set used_until = used_until + interval '1 day'`;
  expect(await probes.admit(asked)).toMatchObject({ kind: 'admitted' });
  await probes.close();
  await close();
});

test('a command of an operator, which takes no probes, is not woken for one', async () => {
  const [api, dispatcher, command] = [1, 2, 3].map(() => openProcess(database.databaseUrl));
  if (api === undefined || dispatcher === undefined || command === undefined) throw new Error('no process');
  const { processId } = command.shared;
  const workers = () =>
    api.shared.presence.workers().map((one) => ({ ...one, ...(one.id === processId && { role: 'admin' }) }));
  const woken: string[] = [];
  const send: typeof api.shared.bus.send = (to) => void woken.push(to);
  await waitFor(() => workers().filter(({ hasBus }) => hasBus).length === 3, { what: 'the processes' });
  const shared = { ...api.shared, bus: { ...api.shared.bus, send }, presence: { ...api.shared.presence, workers } };
  const probes = createProbes(shared);
  await Promise.all(
    Array.from({ length: 30 }, () => probes.ask(probe, task, { beginsWithinMs: 1, endsWithinMs: 1, now: new Date() })),
  );
  expect(woken).toHaveLength(30);
  expect(woken).not.toContain(processId);
  await probes.close();
  await Promise.all([api, dispatcher, command].map((process) => process.close()));
});
