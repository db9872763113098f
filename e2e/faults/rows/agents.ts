import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import { type Mark, type Outcome, type Row, type Tools, TWO_SERVICES } from '../row.ts';
import { agentsHostile } from './agents-hostile.ts';
import { type Agents, type AgentsOptions, agentMarks, startAgents } from './agents-rig.ts';
import { createInFlight, noServerErrors, sum } from './marks.ts';
import { runFirst, shiftClock } from './preludes.ts';
import { loadWhile, readyAgain } from './restarts.ts';

/** The answers while Postgres is away: during the look-up of the credential, or during the call itself. */
const UNAVAILABLE = ['503 unavailable', '503 -32603'];
const STORM = { perSecond: 100, rotateEvery: 11 };
const FORTY = { keys: 8, subscriptions: 5 };
const HOUR_MS = 3_600_000;

export const agentRows: readonly Row[] = [
  {
    name: 'agents-dispatcher-kill',
    shapes: TWO_SERVICES,
    fault:
      'a dispatcher ended by SIGKILL 20 times in 10,000 events to agents, which refresh 100 times a second, some with a new secret',
    pass: 'lost 0, every request verifies by a live secret, no refresh fails, all live at the end',
    run: (rig, tools) => withAgents(rig, FORTY, (agents) => kill(rig, tools, agents)),
  },
  {
    name: 'agents-redis-away',
    shapes: ['scaled'],
    fault: 'Redis refuses connections for 30 s, with the same refreshes and 50 events/s to agents',
    pass: 'lost 0, no refresh fails',
    run: (rig, tools) =>
      withAgents(rig, FORTY, async (agents) => {
        const away = async () => {
          await rig.elapsed(2_000);
          await rig.redis.refuse();
          await rig.elapsed(tools.scaled(30) * 1_000);
          await rig.redis.restore();
          await rig.elapsed(2_000);
        };
        await stormWhile(rig, agents, away());
        return { duplicatesAtMost: 0, marks: [...(await agentMarks(agents)), noServerErrors(rig)] };
      }),
  },
  {
    name: 'agents-redis-flush',
    fault: 'Redis flushed 10 times, with the same refreshes and 50 events/s to agents',
    pass: 'lost 0, no refresh fails',
    run: (rig, tools) =>
      withAgents(rig, FORTY, async (agents) => {
        const inFlight = createInFlight(rig);
        const flushes = async () => {
          for (let n = 0; n < Math.max(2, tools.scaled(10)); n += 1) {
            await rig.elapsed(tools.random.whole(1_000, 4_000));
            await inFlight.note();
            await rig.redis.flush();
          }
        };
        await stormWhile(rig, agents, flushes());
        return { duplicatesAtMost: inFlight.count(), marks: [...(await agentMarks(agents)), noServerErrors(rig)] };
      }),
  },
  {
    name: 'agents-postgres-restart',
    fault: 'Postgres restarted 10 times, with the same refreshes and 50 events/s to agents',
    pass: 'lost 0, a refresh that fails is 503, all live at the end',
    run: (rig, tools) =>
      withAgents(rig, FORTY, async (agents) => {
        const inFlight = createInFlight(rig);
        const restarts = async () => {
          for (let n = 0; n < tools.scaled(10); n += 1) {
            await rig.elapsed(tools.random.whole(1_000, 4_000));
            await inFlight.note();
            await rig.postgres.stop();
            await rig.elapsed(tools.random.whole(100, 1_000));
            await rig.postgres.start();
          }
          await rig.elapsed(3_000);
        };
        await stormWhile(rig, agents, restarts());
        return { duplicatesAtMost: inFlight.count(), marks: await agentMarks(agents, UNAVAILABLE) };
      }),
  },
  {
    name: 'agents-postgres-away',
    fault: 'Postgres away for 15 s, while the subscriptions of agents last 120 s',
    pass: 'lost 0, a refresh that fails is 503 and none is half done, all live at the end',
    run: (rig, tools) =>
      withAgents(rig, { ...FORTY, ttlMs: 120_000 }, async (agents) => {
        const inFlight = createInFlight(rig);
        const away = async () => {
          await rig.elapsed(2_000);
          await inFlight.note();
          await rig.postgres.stop();
          await rig.elapsed(tools.scaled(15) * 1_000);
          await rig.postgres.start();
          await rig.elapsed(5_000);
        };
        await stormWhile(rig, agents, away());
        return { duplicatesAtMost: inFlight.count(), marks: await agentMarks(agents, UNAVAILABLE) };
      }),
  },
  {
    name: 'agents-api-dies-after-commit',
    fault: 'an API dies 20 times after it has stored a subscription and before it answers; the agent subscribes again',
    pass: 'one subscription with the same id, and its events arrive',
    run: (rig, tools) =>
      withAgents(rig, { keys: 1, subscriptions: tools.scaled(20) + 1 }, (agents) => outlive(rig, agents)),
    rig: { apis: 2, dispatchers: 2 },
  },
  {
    name: 'agents-key-revoked',
    fault: 'the keys of half of the agents are deleted at 50 events/s',
    pass: 'no attempt begins after the answer, and each callback is told once; the other agents get everything',
    run: (rig, tools) => withAgents(rig, FORTY, (agents) => revoke(rig, tools, agents)),
  },
  {
    name: 'agents-expire',
    fault: '2,000 subscriptions lapse under load while their callbacks fail and retries wait',
    pass: 'no request at or after the expiry; agents that refresh go on',
    run: (rig, tools) => lapse(rig, tools, { subscriptions: 50 }),
    withinMinutes: 15,
  },
  {
    name: 'agents-clocks',
    fault:
      'the same with 200 subscriptions while the clocks of an API and a dispatcher are an hour ahead, then an hour behind',
    pass: 'no request at or after the expiry',
    run: async (rig, tools) => {
      const outcomes: Outcome[] = [];
      for (const byMs of [HOUR_MS, -HOUR_MS]) {
        for (const member of [rig.apis[0], rig.dispatchers[0]]) {
          await member?.stop();
          await member?.start({ nodeArgs: runFirst(shiftClock, { byMs }) });
        }
        outcomes.push(await lapse(rig, tools, { subscriptions: 5 }));
      }
      return { duplicatesAtMost: 0, retriesLateAtMostMs: 120_000, marks: outcomes.flatMap(({ marks }) => marks) };
    },
    withinMinutes: 15,
  },
  agentsHostile,
  {
    name: 'agents-first-event',
    fault: '500 agents subscribe one after another; an event is sent as soon as each is answered',
    pass: 'each event arrives, p99 ≤ 100 ms',
    run: (rig, tools) => firstEvents(rig, tools),
  },
  {
    name: 'agents-live',
    fault: '10,000 agents of one event type; one event for all of them',
    pass: 'lost 0, duplicates 0',
    run: (rig, { scaled, say }) => {
      const keys = Math.max(2, scaled(20));
      const beganMs = performance.now();
      return withAgents(
        rig,
        { keys, subscriptions: Math.ceil(scaled(10_000) / keys), areOfOneType: true },
        async (agents) => {
          const perSecond = Math.round(agents.all.length / ((performance.now() - beganMs) / 1_000));
          say(`${agents.all.length} subscribed, ${perSecond} a second`);
          const sentMs = Date.now();
          await rig.load.burst(1, { to: agents.targets });
          await rig.drain();
          const last = Math.max(...agents.all.flatMap(({ receivedAtMs }) => receivedAtMs));
          const marks: Mark[] = [
            { what: 'reached', value: agents.counts.verified, atLeast: agents.all.length, atMost: agents.all.length },
            { what: 'subscribed a second', value: perSecond },
            { what: 'all reached after', unit: 'ms', value: last - sentMs },
          ];
          return { duplicatesAtMost: 0, retriesLateAtMostMs: 60_000, marks };
        },
      );
    },
    withinMinutes: 20,
  },
  {
    name: 'agents-storm',
    fault: '10,000 refreshes at 500/s beside 50 events/s, then 20,000 at 1,000/s',
    pass: 'no refresh fails; at 500/s p99 < 100 ms, and the p99 of first attempts ≤ 1.5 × usual',
    run: (rig, { scaled }) =>
      withAgents(rig, { keys: 40, subscriptions: 5 }, async (agents) => {
        const seconds = scaled(20);
        const load = () => rig.load.steady(50, seconds, { to: agents.targets });
        await load();
        await rig.drain();
        const usual = await rig.verdict();
        const stormAt = async (perSecond: number) => {
          const { refreshes } = agents;
          const [answered, asked] = [refreshes.answered, refreshes.ms.length];
          await agents.storm({ perSecond }, load());
          await rig.drain();
          const sorted = refreshes.ms.slice(asked).toSorted((a, b) => a - b);
          return {
            perSecond: Math.round((refreshes.answered - answered) / seconds),
            p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
          };
        };
        const storm = await stormAt(500);
        const { firstLateP99Ms } = await rig.verdict();
        const twice = await stormAt(1_000);
        const marks: Mark[] = [
          ...(await agentMarks(agents)),
          { what: 'refreshes a second', value: storm.perSecond },
          { what: 'refresh p99', unit: 'ms', value: storm.p99, atMost: 100 },
          { what: 'refreshes a second, twice as many', value: twice.perSecond },
          { what: 'their p99', unit: 'ms', value: twice.p99 },
          { what: 'first attempt p99, usual', unit: 'ms', value: usual.firstLateP99Ms },
          {
            what: 'first attempt p99',
            unit: 'ms',
            value: firstLateP99Ms,
            atMost: Math.max(20, 1.5 * usual.firstLateP99Ms),
          },
        ];
        return { duplicatesAtMost: 0, marks };
      }),
    rig: { gates: false },
  },
  ...([410, 413] as const).map((status) => ({
    name: `agents-${status}`,
    fault: `callbacks answer ${status} to 1,000 events`,
    pass: 'one attempt of each, and the subscriptions live',
    run: (rig: Rig, { scaled }: Tools) =>
      withAgents(rig, { ...FORTY, answer: () => ({ status }), endsAs: 'failed' as const }, async (agents) => {
        const events = scaled(1_000);
        await rig.load.burst(events, { to: agents.targets });
        await rig.drain();
        const { verified, unverified } = agents.counts;
        const marks: Mark[] = [
          { what: 'attempts', value: verified, atLeast: events, atMost: events },
          { what: 'not verified', value: unverified, atMost: 0 },
          { what: 'live at the end', value: await agents.live(), atLeast: agents.all.length },
        ];
        return { duplicatesAtMost: 0, marks };
      }),
  })),
];

async function withAgents(
  rig: Rig,
  options: AgentsOptions,
  work: (agents: Agents) => Promise<Outcome>,
): Promise<Outcome> {
  const agents = await startAgents(rig, options);
  try {
    const outcome = await work(agents);
    await rig.drain();
    return outcome;
  } finally {
    await agents.close();
  }
}

/**
 * Refreshes agents and sends 50 events a second for as long as the work lasts. Then waits until all
 * events are delivered.
 */
async function stormWhile(rig: Rig, agents: Agents, work: Promise<unknown>): Promise<void> {
  await agents.storm(STORM, loadWhile(rig.load, { perSecond: 50, to: agents.targets }, work));
  await rig.drain();
}

async function firstEvents(rig: Rig, { scaled }: Tools): Promise<Outcome> {
  const ms: number[] = [];
  const onSubscribed: AgentsOptions['onSubscribed'] = async ({ eventType, endpoint, receivedAtMs }) => {
    const sentMs = Date.now();
    await rig.load.burst(1, { to: [{ eventType, endpoints: [endpoint] }] });
    await waitFor(() => receivedAtMs.length > 0, { what: 'the first event', timeoutMs: 10_000 });
    ms.push((receivedAtMs[0] ?? 0) - sentMs);
  };
  return withAgents(rig, { keys: 10, subscriptions: Math.ceil(scaled(500) / 10), onSubscribed }, async () => {
    const sorted = ms.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    const marks: Mark[] = [
      { what: 'p50', unit: 'ms', value: at(0.5) },
      { what: 'p99', unit: 'ms', value: at(0.99), atMost: 100 },
    ];
    return { duplicatesAtMost: 0, marks };
  });
}

async function kill(rig: Rig, { random, scaled, say }: Tools, agents: Agents): Promise<Outcome> {
  const deaths = scaled(20);
  const inFlight: number[] = [];
  const kills = async () => {
    while (inFlight.length < deaths) {
      await rig.elapsed(random.whole(300, 2_000));
      const victim = random.pick(rig.dispatchers);
      await victim.kill();
      inFlight.push(await rig.inFlight());
      await readyAgain(victim);
    }
    say(`in flight at each kill: ${inFlight.join(' ')}`);
  };
  const to = agents.targets;
  const work = Promise.all([kills(), rig.load.burst(scaled(10_000), { to })]);
  await agents.storm(STORM, work);
  await rig.drain();
  const marks = [{ what: 'deaths', value: inFlight.length, atLeast: deaths }, ...(await agentMarks(agents))];
  return { duplicatesAtMost: sum(inFlight), retriesLateAtMostMs: 30_000, marks };
}

async function outlive(rig: Rig, agents: Agents): Promise<Outcome> {
  const [, ...others] = agents.all;
  const [victim] = rig.apis;
  if (victim === undefined) throw new Error('there is no API');
  let [deaths, same] = [0, 0];
  for (const agent of others) {
    const { id } = agent;
    // The subscription expires, so the next call makes a new one of the same identity.
    await rig.db.$executeRaw`update agent_subscription set expires_at = now() where identity = ${id}`;
    let died: Promise<unknown> | undefined;
    const trap = victim.statements.at('subscribeAgent', 'after', () => {
      deaths += 1;
      died = victim.kill();
      return false;
    });
    // The APIs take turns, so one of two calls goes to the victim.
    await waitFor(
      async () => {
        await agents.refresh(agent).catch(() => undefined);
        const live = await rig.db.agentSubscription.count({ where: { identity: id, endedAt: null } });
        if (live === 1 && died === undefined) {
          await rig.db.$executeRaw`update agent_subscription set expires_at = now() where identity = ${id}`;
        }
        return died !== undefined;
      },
      { what: 'the API to die', timeoutMs: 30_000 },
    );
    await trap;
    await died;
    await readyAgain(victim);
    const again = await agents.refresh(agent);
    const rows = await rig.db.agentSubscription.findMany({ where: { identity: id, endedAt: null } });
    if (again.result?.id === id && again.result.deliveryStatus !== undefined && rows.length === 1) same += 1;
    const endpoint = rig.endpoints.find(({ name }) => name === agent.endpoint);
    if (endpoint !== undefined) endpoint.uuid = rows[0]?.endpointId ?? '';
  }
  await rig.load.burst(others.length * 10, { to: agents.targets });
  await rig.drain();
  const marks: Mark[] = [
    { what: 'deaths', value: deaths, atLeast: others.length },
    { what: 'one subscription with the same id', value: same, atLeast: others.length },
    { what: 'not verified', value: agents.counts.unverified, atMost: 0 },
  ];
  return { duplicatesAtMost: 0, marks };
}

/** An attempt that began before the response may arrive this much later. */
const ON_ITS_WAY_MS = 250;

async function revoke(rig: Rig, { scaled, say }: Tools, agents: Agents): Promise<Outcome> {
  const half = Math.floor(agents.keyIds.length / 2);
  const ofKey = agents.all.length / agents.keyIds.length;
  const late: number[] = [];
  for (const { endpoint } of agents.all.slice(0, half * ofKey)) rig.expectEnd(endpoint, 'lapsed');
  const revocations = async () => {
    const endedAtMs: number[] = [];
    for (const keyId of agents.keyIds.slice(0, half)) {
      await rig.elapsed(scaled(10) * 500);
      const { status } = await rig.client.call('DELETE', `/agent-keys/${keyId}`);
      if (status !== 204) throw new Error(`the deletion of a key was answered ${status}`);
      endedAtMs.push(Date.now());
    }
    await rig.elapsed(3_000);
    for (const [n, atMs] of endedAtMs.entries()) {
      for (const agent of agents.all.slice(n * ofKey, (n + 1) * ofKey)) {
        late.push(...agent.receivedAtMs.map((receivedMs) => receivedMs - atMs));
      }
    }
  };
  await loadWhile(rig.load, { perSecond: 50, to: agents.targets }, revocations());
  await rig.drain();
  const latest = Math.max(...late);
  say(`the latest event of an ended key arrived ${latest} ms after the answer`);
  const others = agents.all.slice(half * ofKey);
  const ended = agents.all.slice(0, half * ofKey);
  const told = ended.filter(({ toldAtMs }) => toldAtMs.length === 1);
  const marks: Mark[] = [
    { what: 'events after the answer', value: late.filter((ms) => ms > ON_ITS_WAY_MS).length, atMost: 0 },
    { what: 'told once of their end', value: told.length, atLeast: ended.length },
    { what: 'live at the end', value: await agents.live(), atLeast: others.length, atMost: others.length },
    { what: 'not verified', value: agents.counts.unverified, atMost: 0 },
  ];
  return { duplicatesAtMost: 0, marks };
}

const SHORTEST_TTL_MS = 60_000;

async function lapse(rig: Rig, { scaled, say }: Tools, { subscriptions }: { subscriptions: number }): Promise<Outcome> {
  let answered = 0;
  let works = false;
  const answer = () => {
    answered += 1;
    return { status: works || answered % 3 === 0 ? 200 : 500, delayMs: (answered % 5) * 100 };
  };
  const options = {
    keys: Math.max(2, scaled(40)),
    subscriptions,
    answer,
    endsAs: 'lapsed' as const,
  };
  return withAgents(rig, options, async (agents) => {
    // The subscriptions were made one after another. Now they get the same lifetime, so short that no retry
    // waits for long.
    const shorten = async (key: string) => {
      const own = agents.all.filter((agent) => agent.key === key);
      for (const agent of own) await agents.refresh(agent, { ttlMs: SHORTEST_TTL_MS });
    };
    await Promise.all([...new Set(agents.all.map(({ key }) => key))].map(shorten));
    const kept = agents.all.filter((_, n) => n % 5 === 0);
    const lapsing = agents.all.filter((_, n) => n % 5 !== 0);
    const last = Math.max(...lapsing.map(({ refreshBefore }) => refreshBefore));
    const leadsMs: number[] = [];
    const untilLapsed = async () => {
      // The kept subscriptions are refreshed shortly before they expire. A refresh that comes too late
      // makes a new subscription.
      const refreshed = kept.map(async (agent, n) => {
        const { refreshBefore } = agent;
        await rig.elapsed(Math.max(0, refreshBefore - Date.now() - 100 * (1 + (n % 15))));
        const { result } = await agents.refresh(agent, { ttlMs: SHORTEST_TTL_MS });
        if (result?.deliveryStatus !== undefined) leadsMs.push(refreshBefore - Date.now());
      });
      await Promise.all([...refreshed, rig.elapsed(Math.max(0, last - Date.now()) + 5_000)]);
    };
    await loadWhile(rig.load, { perSecond: 50, to: agents.targets }, untilLapsed());
    // The load chooses targets at random, so each kept subscription gets one more event.
    for (const { eventType, endpoint } of kept) await rig.load.burst(1, { to: [{ eventType, endpoints: [endpoint] }] });
    await rig.elapsed(5_000);
    const after = kept.filter(({ receivedAtMs, refreshBefore }) =>
      receivedAtMs.some((atMs) => atMs > refreshBefore - SHORTEST_TTL_MS),
    );
    // The last retries would wait for five minutes, so the row makes them due now.
    works = true;
    await rig.db.$executeRaw`
      update delivery set due_at = now(), generation = generation + 1
      where status = 'scheduled_retry' and due_at < now() + interval '1 day'`;
    await rig.drain();
    const seen = lapsing.flatMap(({ receivedAtMs, refreshBefore }) => receivedAtMs.map((atMs) => atMs - refreshBefore));
    say(
      `${seen.length} requests to ${lapsing.length} that lapsed; the last one ${-Math.max(...seen)} ms before the expiry`,
    );
    const marks: Mark[] = [
      { what: 'requests before the expiry', value: seen.length, atLeast: lapsing.length },
      { what: 'requests at or after the expiry', value: seen.filter((ms) => ms >= 0).length, atMost: 0 },
      { what: 'refreshed ones that got more', value: after.length, atLeast: kept.length },
      { what: 'refreshed before the expiry', value: leadsMs.length, atLeast: 1 },
      { what: 'the latest of them before it by', unit: 'ms', value: Math.min(...leadsMs) },
    ];
    return { duplicatesAtMost: 0, retriesLateAtMostMs: 120_000, marks };
  });
}
