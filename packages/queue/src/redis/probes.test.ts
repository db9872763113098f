import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Consumer } from '../consumer.ts';
import type { ProbeJob, ProbeTask } from '../jobs.ts';
import type { ProbeReplies } from '../probe-replies.ts';
import type { AdmissionRequest, AdmittedProbe, ProbeOutcome, Probes } from '../probes.ts';
import { consumeProbes } from './consumer.ts';
import { createProbeReplies } from './probe-replies.ts';
import { createProbes } from './probes.ts';

let place: { redisUrl: string; prefix: string; onError: () => void };
let apis: [Probes, Probes];
let replies: ProbeReplies;
let consumers: Consumer[];
beforeEach(async () => {
  place = { ...testRedis(), onError: () => {} };
  apis = [createProbes(place), createProbes(place)];
  replies = createProbeReplies(place);
  consumers = [];
  for (const api of apis) await waitFor(() => api.admit(request({ endpointId: randomUUID() })), { what: 'Redis' });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  await Promise.all(apis.map((api) => api.close()));
  replies.close();
});

function request(given: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    kind: 'test',
    endpointId: 'endpoint',
    workspaceId: randomUUID(),
    ownerId: randomUUID(),
    mostOfEndpoint: 2,
    mostOfWorkspace: 3,
    mostOfOwner: 4,
    forgottenAfterMs: 60_000,
    pauseMs: 0,
    ...given,
  };
}

const kinds = (admissions: { kind: string; by?: string }[]) => admissions.map(({ kind, by }) => by ?? kind);

async function admitted(given: Partial<AdmissionRequest> = {}): Promise<AdmittedProbe> {
  const admission = await apis[0].admit(request(given));
  if (admission.kind !== 'admitted') throw new Error(`refused by the ${admission.by}`);
  return admission;
}

describe('admission, over all API processes', () => {
  test('refuses a probe beyond the limit of its endpoint, and admits it once another is released', async () => {
    const ofOne = request();
    const admissions = [];
    for (const api of [...apis, ...apis]) admissions.push(await api.admit(ofOne));
    expect(kinds(admissions)).toEqual(['admitted', 'admitted', 'endpoint', 'endpoint']);
    const [first] = admissions;
    if (first?.kind === 'admitted') await first.release();
    expect(kinds([await apis[1].admit(ofOne), await apis[1].admit(ofOne)])).toEqual(['admitted', 'endpoint']);
  });

  test('refuses a probe beyond the limit of its workspace, whatever its endpoint and kind', async () => {
    const [workspaceId, ownerId] = [randomUUID(), randomUUID()];
    const ask = (kind: ProbeTask['kind'], endpointId: string) =>
      apis[0].admit(request({ kind, endpointId, workspaceId, ownerId }));
    const admissions = [
      await ask('test', 'a'),
      await ask('doctor', 'a'),
      await ask('test', 'b'),
      await ask('doctor', 'c'),
    ];
    expect(kinds(admissions)).toEqual(['admitted', 'admitted', 'admitted', 'workspace']);
    expect(kinds([await apis[0].admit(request({ endpointId: 'd' }))])).toEqual(['admitted']);
  });

  test('counts challenges of agents apart from the tests and examinations of their workspace and its portals', async () => {
    const of = { workspaceId: randomUUID(), ownerId: randomUUID(), mostOfOwner: 10 };
    const portal = { applicationId: 'application', most: 1, mostOfAll: 2 };
    const ask = (kind: ProbeTask['kind'], endpointId: string, given: object = {}) =>
      apis[0].admit(request({ ...of, kind, endpointId, ...given }));
    const challenges = [];
    for (const endpointId of ['a', 'b', 'c']) challenges.push(await ask('challenge', endpointId));
    expect(kinds([...challenges, await ask('challenge', 'd')])).toEqual([...kinds(challenges), 'workspace']);
    expect(kinds(challenges)).toEqual(['admitted', 'admitted', 'admitted']);
    expect(kinds([await ask('test', 'e', { portal }), await ask('doctor', 'f')])).toEqual(['admitted', 'admitted']);
    expect(kinds([await ask('challenge', 'g', { portal, mostOfWorkspace: 5 })])).toEqual(['admitted']);
    expect(kinds([await ask('challenge', 'h', { portal, mostOfWorkspace: 5 })])).toEqual(['portal']);
    expect(kinds([await ask('test', 'i', { mostOfOwner: 6 })])).toEqual(['owner']);
  });

  test('refuses a probe beyond the limit of the owner of the workspace, however many workspaces it has', async () => {
    const ownerId = randomUUID();
    const admissions = [];
    for (const api of [...apis, ...apis, ...apis]) admissions.push(await api.admit(request({ ownerId })));
    expect(kinds(admissions)).toEqual(['admitted', 'admitted', 'admitted', 'admitted', 'owner', 'owner']);
    expect(kinds([await apis[0].admit(request())])).toEqual(['admitted']);
    const [first] = admissions;
    if (first?.kind === 'admitted') await first.release();
    expect(kinds([await apis[1].admit(request({ ownerId }))])).toEqual(['admitted']);
  });

  test('counts the probes of the owner, so that the first of another one is taken before them', async () => {
    const ownerId = randomUUID();
    const counts = [];
    for (const endpointId of ['a', 'b', 'c']) counts.push((await admitted({ endpointId, ownerId })).ofOwner);
    expect(counts).toEqual([1, 2, 3]);
    expect((await admitted({ endpointId: 'd' })).ofOwner).toBe(1);
  });

  test('refuses a probe within the pause, also after the release, and says how long it lasts', async () => {
    const doctor = { kind: 'doctor', workspaceId: randomUUID(), ownerId: randomUUID(), pauseMs: 10_000 } as const;
    const first = await admitted(doctor);
    await first.release();
    const again = await apis[1].admit(request(doctor));
    expect(again).toMatchObject({ kind: 'refused', by: 'pause' });
    const { retryAfterMs } = again as { retryAfterMs: number };
    expect([retryAfterMs > 5_000, retryAfterMs <= 10_000]).toEqual([true, true]);
    expect(kinds([await apis[1].admit(request({ ...doctor, endpointId: 'other' }))])).toEqual(['admitted']);
  });

  test('forgets a probe whose process has died', async () => {
    const alone = { workspaceId: randomUUID(), ownerId: randomUUID(), mostOfEndpoint: 1, forgottenAfterMs: 50 };
    await admitted(alone);
    await waitFor(async () => (await apis[1].admit(request(alone))).kind === 'admitted', {
      what: 'the slot to be free',
    });
  });
});

test('what a Redis whose clock was set back has kept from later stops no probe', async () => {
  const [workspaceId, ownerId, dayAhead] = [randomUUID(), randomUUID(), 86_400_000];
  const ofWorkspace = `${place.prefix}:probes:{${ownerId}}:${workspaceId}`;
  for (const n of [1, 2, 3]) await askRedis(place.redisUrl, 'ZADD', ofWorkspace, Date.now() + dayAhead, `held-${n}`);
  await askRedis(place.redisUrl, 'SET', `${ofWorkspace}:test:endpoint:pause`, 1, 'PX', dayAhead);
  expect(kinds([await apis[0].admit(request({ workspaceId, ownerId, pauseMs: 10_000 }))])).toEqual(['admitted']);
});

describe('a probe', () => {
  const task: ProbeTask = { kind: 'doctor', endpointId: 'endpoint', workspaceId: 'workspace' };
  const limits = (given = {}) => ({ beginsWithinMs: 10_000, endsWithinMs: 20_000, now: new Date(), ...given });
  const consume = (handle: (job: ProbeJob) => Promise<void>, redisUrl = place.redisUrl) =>
    void consumers.push(consumeProbes({ ...place, redisUrl, concurrency: 1, handle, onJobError: () => {} }));
  const jobs = async () => (await askRedis(place.redisUrl, 'KEYS', `${place.prefix}:probe:probe-*`)) as string[];

  test('is answered to the process that asked, with its reply', async () => {
    consume(async (job) => {
      await replies.begun(job);
      await replies.ended(job, { of: job.probeId, beginsInMs: job.beginsByMs });
    });
    const outcomes = await Promise.all(
      apis.map(async (api, n) => api.ask(await admitted({ endpointId: `${n}` }), task, limits({ now: new Date(n) }))),
    );
    expect(outcomes).toMatchObject([
      { kind: 'replied', reply: { beginsInMs: 10_000 } },
      { kind: 'replied', reply: { beginsInMs: 10_001 } },
    ]);
  });

  test('that nobody begins is given up at its limit, and its job is removed', async () => {
    expect(await apis[0].ask(await admitted(), task, limits({ beginsWithinMs: 100 }))).toEqual({ kind: 'not_begun' });
    await waitFor(async () => (await jobs()).length === 0, { what: 'the job to be removed' });
  });

  test('that has begun and does not end is given up at its other limit', async () => {
    consume((job) => replies.begun(job));
    expect(await apis[0].ask(await admitted(), task, limits({ endsWithinMs: 1_000 }))).toEqual({ kind: 'no_reply' });
  });

  test('of an owner with few of them is taken before those of an owner with many', async () => {
    const ownerId = randomUUID();
    const order: string[] = [];
    const ask = (probe: AdmittedProbe, name: string): Promise<ProbeOutcome> =>
      apis[0].ask(probe, { ...task, endpointId: name }, limits());
    const many = ['many-1', 'many-2', 'many-3'];
    const asked: Promise<ProbeOutcome>[] = [];
    for (const name of many) asked.push(ask(await admitted({ endpointId: name, ownerId }), name));
    await waitFor(async () => (await jobs()).length === 3, { what: 'three jobs' });
    asked.push(ask(await admitted({ endpointId: 'single' }), 'single'));
    await waitFor(async () => (await jobs()).length === 4, { what: 'the fourth job' });
    consume(async (job) => {
      if ('endpointId' in job) order.push(job.endpointId);
      await replies.begun(job);
      await replies.ended(job, null);
    });
    await Promise.all(asked);
    expect(order.slice(0, 2).sort()).toEqual(['many-1', 'single']);
  });

  test('cannot be admitted or asked while Redis is away', async () => {
    const gate = await startTcpGate(place.redisUrl);
    const behind = createProbes({ ...place, redisUrl: gate.url });
    const probe = await waitFor(() => behind.admit(request()), { what: 'Redis' });
    await gate.shut();
    await expect(behind.admit(request())).rejects.toThrow();
    if (probe.kind === 'admitted') await expect(behind.ask(probe, task, limits())).rejects.toThrow();
    await behind.close();
    await gate.close();
  });
});
