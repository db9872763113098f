import { randomBytes } from 'node:crypto';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { type ReceivedRequest, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { Webhook } from 'standardwebhooks';
import type { Target } from '../load.ts';
import { hashOf } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

/** A subscription from the view of its agent. Times are in ms since 1970. */
export type Agent = {
  key: string;
  url: string;
  eventType: string;
  arguments: object;
  id: string;
  endpoint: string;
  /** When the callback got each event. */
  receivedAtMs: number[];
  /** When the callback was told that the subscription ended. */
  toldAtMs: number[];
  /** The newest expiry in any response. */
  refreshBefore: number;
  /** The secrets, newest last. `answeredAtMs` is the time of the response to the subscribe that set the secret. */
  secrets: { secret: string; answeredAtMs: number }[];
};

type Answer = {
  status: number;
  result?: Record<string, unknown>;
  error?: { code: number; data?: Record<string, unknown> };
};

export type AgentsOptions = {
  keys: number;
  /** The number of subscriptions of each key. Each has its own event type. */
  subscriptions: number;
  ttlMs?: number;
  /** All subscriptions get the events of one type. Their arguments differ, but fit each event of the load. */
  areOfOneType?: boolean;
  /** Called when an agent is subscribed, before the next one subscribes. */
  onSubscribed?: (agent: Agent) => Promise<void>;
  /** The responses to events. Default 200. */
  answer?: (agent: Agent) => ReceiverAnswer;
  endsAs?: 'delivered' | 'failed' | 'any' | 'lapsed';
};

export type Agents = {
  all: Agent[];
  targets: Target[];
  keyIds: string[];
  /** The number of requests that a live secret signed, and the number of the others. */
  counts: { verified: number; unverified: number };
  /** Subscribes or refreshes, with a new secret or another lifetime if wanted. A failure is not repeated. */
  refresh: (agent: Agent, options?: { rotates?: boolean; ttlMs?: number }) => Promise<Answer>;
  /**
   * Refreshes agents in turn at this rate for as long as the work lasts. Every `rotateEvery`th refresh has
   * a new secret.
   */
  storm: <T>(options: { perSecond: number; rotateEvery?: number }, work: Promise<T>) => Promise<T>;
  /** The refreshes of the storms: the number of responses, the failures by status and code, and the times. */
  refreshes: { answered: number; failed: Map<string, number>; ms: number[] };
  /** The number of subscriptions that are live in Postgres. */
  live: () => Promise<number>;
  close: () => Promise<void>;
};

/** A request is signed with the secrets at the time of its claim, which may be this much earlier. */
const PREPARED_WITHIN_MS = 2_000;

/** Makes agents that subscribe for the workspace. A callback for each verifies every request. */
export async function startAgents(rig: Rig, options: AgentsOptions): Promise<Agents> {
  const { keys, subscriptions, ttlMs: usualTtlMs, answer, areOfOneType = false, endsAs = 'delivered' } = options;
  const receiver = await startReceiver();
  const byId = new Map<string, Agent>();
  const counts = { verified: 0, unverified: 0 };
  const refreshes: Agents['refreshes'] = { answered: 0, failed: new Map(), ms: [] };
  receiver.respondWith((request) => {
    receiver.requests.length = 0;
    const body = request.body.toString();
    if (body.startsWith('{"type":"verification"')) return { body };
    const agent = byId.get(String(request.headers['x-mcp-subscription-id']));
    if (agent === undefined) return { status: 404 };
    const atMs = request.at.getTime();
    const isEnd = body.startsWith('{"type":"terminated"');
    if (isEnd) agent.toldAtMs.push(atMs);
    else {
      agent.receivedAtMs.push(atMs);
      // The oracle compares the data as the load sent it, so the data is cut out of the body.
      const data = body.slice(body.indexOf(',"data":') + ',"data":'.length, -',"cursor":null}'.length);
      rig.receivers.receipts.push({
        endpoint: agent.endpoint,
        eventId: String(request.headers['webhook-id']),
        attempt: Number(request.headers['webhook-attempt']),
        hash: hashOf(data),
        atMs,
      });
    }
    const signedAtMs = Number(request.headers['webhook-timestamp']) * 1_000;
    const known = agent.secrets.findLastIndex(({ answeredAtMs }) => answeredAtMs < signedAtMs - PREPARED_WITHIN_MS);
    const isLive = agent.secrets.slice(Math.max(0, known)).some(({ secret }) => isSignedBy(secret, request));
    if (!isLive) counts.unverified += 1;
    if (isEnd) return {};
    if (isLive) counts.verified += 1;
    return answer?.(agent) ?? {};
  });

  const ask = createAsk(rig);
  const refresh: Agents['refresh'] = async (agent, { rotates = false, ttlMs = usualTtlMs } = {}) => {
    const given = rotates ? { secret: newSecret(), answeredAtMs: Number.POSITIVE_INFINITY } : agent.secrets.at(-1);
    if (given === undefined) throw new Error('an agent has no secret');
    if (rotates) agent.secrets.push(given);
    const { key, url, eventType: name, arguments: chosen } = agent;
    const delivery = { mode: 'webhook', url, secret: given.secret };
    const params = { name, arguments: chosen, delivery, ...(ttlMs === undefined ? {} : { ttlMs }) };
    const reply = await ask(key, 'events/subscribe', params);
    if (reply.result === undefined) return reply;
    agent.id = String(reply.result.id);
    agent.refreshBefore = Date.parse(String(reply.result.refreshBefore));
    if (given.answeredAtMs === Number.POSITIVE_INFINITY) given.answeredAtMs = Date.now();
    return reply;
  };

  await allowAgents(rig);
  const all: Agent[] = [];
  const keyIds: string[] = [];
  const names = new Set<string>();
  for (let n = 0; n < keys; n += 1) {
    const made = await createKey(rig, `agent ${n}`);
    keyIds.push(made.id);
    for (let m = 0; m < subscriptions; m += 1) {
      const eventType = areOfOneType ? 'agent.of_all' : `agent.of_${n}.type_${m}`;
      names.add(eventType);
      const endpoint = `agent-${n}-${m}`;
      const secrets = [{ secret: newSecret(), answeredAtMs: Number.POSITIVE_INFINITY }];
      const url = new URL(`/of/${n}`, receiver.url).href;
      const chosen = areOfOneType ? { n: { gte: -m } } : {};
      all.push({
        ...{
          key: made.key,
          url,
          eventType,
          arguments: chosen,
          id: '',
          endpoint,
          receivedAtMs: [],
          toldAtMs: [],
          refreshBefore: 0,
          secrets,
        },
      });
    }
  }
  await publish(rig, [...names]);
  // The keys take turns, because each may make 20 requests a second.
  const inTurn = all.map((_, n) => all[(n % keys) * subscriptions + Math.floor(n / keys)] as Agent);
  for (const agent of inTurn) {
    const { result, error } = await refresh(agent);
    if (result === undefined) throw new Error(`an agent could not subscribe: ${JSON.stringify(error)}`);
    byId.set(agent.id, agent);
    const { body } = await rig.client.call<{ endpointId: string }>('GET', `/agent-subscriptions/${agent.id}`);
    const { endpoint: name, eventType } = agent;
    rig.endpoints.push({ name, id: body.endpointId, uuid: fromId('ep', body.endpointId) ?? '', eventType });
    rig.expectEnd(name, endsAs);
    await options.onSubscribed?.(agent);
  }
  return {
    all,
    keyIds,
    counts,
    refresh,
    refreshes,
    targets: areOfOneType
      ? [{ eventType: 'agent.of_all', endpoints: all.map(({ endpoint }) => endpoint) }]
      : all.map(({ eventType, endpoint }) => ({ eventType, endpoints: [endpoint] })),
    async storm({ perSecond, rotateEvery }, work) {
      let isOver = false;
      const watched = work.finally(() => {
        isOver = true;
      });
      watched.catch(() => undefined); // The end of this function throws the error again.
      const idle = new Set(all);
      const underWay = new Set<Promise<void>>();
      let begun = 0;
      const beganMs = performance.now();
      const one = async (agent: Agent, rotates: boolean) => {
        const askedMs = performance.now();
        const { result, status, error } = await refresh(agent, { rotates }).catch(() => ({
          ...{ result: undefined, status: 0, error: undefined },
        }));
        refreshes.ms.push(performance.now() - askedMs);
        if (result === undefined) {
          const what = `${status} ${error?.code ?? ''}`.trim();
          refreshes.failed.set(what, (refreshes.failed.get(what) ?? 0) + 1);
        } else refreshes.answered += 1;
        idle.add(agent);
      };
      while (!isOver) {
        const due = ((performance.now() - beganMs) / 1_000) * perSecond;
        for (; begun < due; begun += 1) {
          const [agent] = idle;
          if (agent === undefined) continue;
          idle.delete(agent);
          const told: Promise<void> = one(agent, rotateEvery !== undefined && begun % rotateEvery === 0).finally(() =>
            underWay.delete(told),
          );
          underWay.add(told);
        }
        await rig.elapsed(10);
      }
      await Promise.all(underWay);
      return watched;
    },
    async live() {
      const [row] = await rig.db.$queryRaw<{ live: number }[]>`
        select count(*)::int as live from agent_subscription where ended_at is null and expires_at > now()`;
      return row?.live ?? 0;
    },
    close: receiver.close,
  };
}

/** A function that makes a call of an agent. The APIs take turns. */
export function createAsk(rig: Pick<Rig, 'apis' | 'environmentId'>) {
  let turn = 0;
  return async (key: string, method: string, params: object): Promise<Answer> => {
    turn += 1;
    const api = rig.apis[turn % rig.apis.length];
    const reply = await fetch(`${api?.url}/mcp/events/${rig.environmentId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: turn, method, params }),
    });
    return { status: reply.status, ...((await reply.json()) as object) };
  };
}

export async function allowAgents({ client, environmentId }: Rig): Promise<void> {
  await client.call('PUT', `/environments/${environmentId}/agents`, { enabled: true });
}

export async function createKey({ client, environmentId }: Rig, name: string): Promise<{ id: string; key: string }> {
  const made = await client.call<{ id: string; key: string }>('POST', '/agent-keys', { name, environmentId });
  return made.body;
}

/** Makes the event types as the API would, but all at once. */
export async function publish({ db, ...rig }: Rig, names: readonly string[]): Promise<void> {
  const [workspaceId, environmentId] = [fromId('ws', rig.workspaceId) ?? '', fromId('env', rig.environmentId) ?? ''];
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const rows = names.map((name) => ({ id: newUuid(new Date()), workspaceId, name, schema }));
  await db.eventType.createMany({ data: rows, skipDuplicates: true });
  const types = await db.eventType.findMany({ where: { workspaceId, name: { in: [...names] } } });
  await db.publishedEventType.createMany({
    data: types.map(({ id }) => ({ environmentId, eventTypeId: id })),
    skipDuplicates: true,
  });
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function isSignedBy(secret: string, { body, headers }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** Marks: a live secret signed every request, every agent still lives, and refreshes failed only as `allowed` says. */
export async function agentMarks(agents: Agents, allowed: readonly string[] = []): Promise<Mark[]> {
  const { counts, refreshes, all } = agents;
  const failed = [...refreshes.failed].filter(([what]) => !allowed.includes(what));
  return [
    { what: 'verified', value: counts.verified, atLeast: 1 },
    { what: 'not verified', value: counts.unverified, atMost: 0 },
    { what: 'refreshes', value: refreshes.answered, atLeast: 1 },
    {
      what: `refreshes that failed otherwise ${failed.map(([what]) => what).join(', ')}`.trim(),
      value: sum(failed),
      atMost: 0,
    },
    { what: 'live at the end', value: await agents.live(), atLeast: all.length },
  ];
}

function sum(failed: readonly (readonly [string, number])[]): number {
  return failed.reduce((total, [, count]) => total + count, 0);
}
