import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Consumer } from '@posthorn/queue/consumer';
import type { ProbeJob, ProbeTask } from '@posthorn/queue/jobs';
import type { ProbeReplies } from '@posthorn/queue/probe-replies';
import type { AdmissionRequest, AdmittedProbe, ProbeOutcome, Probes } from '@posthorn/queue/probes';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Maker, Parts, Place } from './maker.ts';

/** Tests and examinations, for which API requests wait. */
export function probesContract(maker: Maker): void {
  let place: Place;
  let apis: [Probes, Probes];
  let dispatcher: Parts;
  let replies: ProbeReplies;
  let consumers: Consumer[];
  beforeAll(async () => {
    place = await maker.open();
    apis = [place.process().openProbes(), place.process().openProbes()];
    dispatcher = place.process();
    replies = dispatcher.openProbeReplies();
    consumers = [];
    for (const api of apis) await waitFor(() => api.admit(request()), { what: 'a connection' });
  });
  afterEach(async () => {
    for (const consumer of consumers.splice(0)) {
      await consumer.drain();
      await consumer.close();
    }
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    replies.close();
    await place.close();
  });

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

    test('admits no more than the limit of those that ask together', async () => {
      const ofOne = request({ mostOfEndpoint: 3, mostOfWorkspace: 9, mostOfOwner: 9 });
      const asked = await Promise.all(Array.from({ length: 10 }, (_, n) => apis[n % 2 === 0 ? 0 : 1].admit(ofOne)));
      expect(asked.filter(({ kind }) => kind === 'admitted')).toHaveLength(3);
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

  describe('a probe', () => {
    const task: ProbeTask = { kind: 'doctor', endpointId: randomUUID(), workspaceId: randomUUID() };
    const limits = (given = {}) => ({ beginsWithinMs: 10_000, endsWithinMs: 20_000, now: new Date(), ...given });
    const consume = (handle: (job: ProbeJob) => Promise<void>, concurrency = 1) =>
      void consumers.push(dispatcher.consumeProbes({ concurrency, handle, onJobError: () => {} }));

    test('is answered to the process that asked, with its reply', async () => {
      consume(async (job) => {
        await replies.begun(job);
        await replies.ended(job, { of: job.probeId, beginsByMs: job.beginsByMs, name: 'Zoë' });
      });
      const startedMs = Date.now();
      const outcomes = await Promise.all(
        apis.map(async (api, n) => api.ask(await admitted(), task, limits({ now: new Date(startedMs + n) }))),
      );
      expect(outcomes).toMatchObject([
        { kind: 'replied', reply: { beginsByMs: startedMs + 10_000, name: 'Zoë' } },
        { kind: 'replied', reply: { beginsByMs: startedMs + 10_001, name: 'Zoë' } },
      ]);
    });

    test('may have a reply of a megabyte, or none', async () => {
      const text = 'x'.repeat(1_000_000);
      consume(async (job) => {
        await replies.begun(job);
        await replies.ended(job, job.kind === 'doctor' ? { text } : null);
      });
      const test = { kind: 'test', deliveryId: randomUUID(), eventId: randomUUID(), endpointId: randomUUID() } as const;
      const asked = [task, { ...test, workspaceId: randomUUID() }].map(async (one) =>
        apis[0].ask(await admitted(), one, limits()),
      );
      expect(await Promise.all(asked)).toEqual([
        { kind: 'replied', reply: { text } },
        { kind: 'replied', reply: null },
      ]);
    });

    test('that nobody begins is given up at its limit, and is not taken later', async () => {
      expect(await apis[0].ask(await admitted(), task, limits({ beginsWithinMs: 100 }))).toEqual({ kind: 'not_begun' });
      await waitFor(async () => (await place.waitingProbes()) === 0, { what: 'the probe to be removed' });
    });

    test('that has begun and does not end is given up at its other limit', async () => {
      consume((job) => replies.begun(job));
      expect(await apis[0].ask(await admitted(), task, limits({ endsWithinMs: 1_000 }))).toEqual({ kind: 'no_reply' });
    });

    test('whose handler fails is not taken again, and those after it are', async () => {
      const handled: string[] = [];
      consume(async (job) => {
        handled.push(job.probeId);
        await replies.begun(job);
        if (handled.length === 1) throw new Error('a fault of the test');
        await replies.ended(job, null);
      });
      const failed = apis[0].ask(await admitted(), task, limits({ endsWithinMs: 1_000 }));
      await waitFor(() => handled.length === 1, { what: 'the first' });
      expect(await apis[0].ask(await admitted(), task, limits())).toEqual({ kind: 'replied', reply: null });
      expect(await failed).toEqual({ kind: 'no_reply' });
      expect(new Set(handled).size).toBe(handled.length);
    });

    test('that was taken is ended before a drain, and no other is taken', async () => {
      let end = () => {};
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const taken: string[] = [];
      consume(async (job) => {
        taken.push(job.probeId);
        await replies.begun(job);
        await ended;
        await replies.ended(job, null);
      });
      const first = apis[0].ask(await admitted(), task, limits());
      await waitFor(() => taken.length === 1, { what: 'the first' });
      const drained = consumers[0]?.drain();
      const second = apis[0].ask(await admitted(), task, limits({ beginsWithinMs: 300 }));
      expect(await second).toEqual({ kind: 'not_begun' });
      end();
      await drained;
      expect([await first, taken.length]).toEqual([{ kind: 'replied', reply: null }, 1]);
    });

    test('that is under way when its process stops ends without a reply, and one that is asked later does not begin', async () => {
      const stopping = place.process().openProbes();
      await waitFor(() => stopping.admit(request()), { what: 'a connection' });
      const taken: string[] = [];
      consume(async (job) => {
        taken.push(job.probeId);
        await replies.begun(job);
      });
      const first = stopping.ask(await admitted(), task, limits());
      await waitFor(() => taken.length === 1, { what: 'the first' });
      expect(stopping.hasEnded()).toBe(false);
      stopping.endWaits();
      expect([await first, stopping.hasEnded()]).toEqual([{ kind: 'no_reply' }, true]);
      expect(await stopping.ask(await admitted(), task, limits())).toEqual({ kind: 'not_begun' });
      expect([await place.waitingProbes(), taken.length]).toEqual([0, 1]);
      await stopping.close();
    });

    test('of an owner with few of them is taken before those of an owner with many', async () => {
      const ownerId = randomUUID();
      const order: string[] = [];
      const [many, single] = [[randomUUID(), randomUUID(), randomUUID()], randomUUID()];
      const ask = (probe: AdmittedProbe, endpointId: string): Promise<ProbeOutcome> =>
        apis[0].ask(probe, { ...task, endpointId }, limits());
      const asked: Promise<ProbeOutcome>[] = [];
      for (const endpointId of many) asked.push(ask(await admitted({ endpointId, ownerId }), endpointId));
      await waitFor(async () => (await place.waitingProbes()) === 3, { what: 'three jobs' });
      asked.push(ask(await admitted({ endpointId: single }), single));
      await waitFor(async () => (await place.waitingProbes()) === 4, { what: 'the fourth job' });
      consume(async (job) => {
        if (job.kind !== 'document') order.push('endpointId' in job ? job.endpointId : job.workspaceId);
        await replies.begun(job);
        await replies.ended(job, null);
      });
      await Promise.all(asked);
      expect(order.slice(0, 2).sort()).toEqual([many[0], single].sort());
    });
  });

  test('cannot be admitted or asked while the server is away', async () => {
    const gate = await startTcpGate(place.url);
    const behind = place.process({ url: gate.url }).openProbes();
    const probe = await waitFor(() => behind.admit(request()), { what: 'a connection' });
    await gate.shut();
    await expect(behind.admit(request())).rejects.toThrow();
    const limits = { beginsWithinMs: 10_000, endsWithinMs: 20_000, now: new Date() };
    const task = { kind: 'doctor', endpointId: randomUUID(), workspaceId: randomUUID() } as const;
    if (probe.kind === 'admitted') await expect(behind.ask(probe, task, limits)).rejects.toThrow();
    await behind.close();
    await gate.close();
  });
}

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
