import type { Member } from '../member.ts';
import { hashOf } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import { ask, type Reply } from './ask.ts';

/** One request of a probe, and the time when it was sent. */
export type Probe = Reply & { of: 'ingest' | 'management'; atMs: number };

export type Probes = {
  /** The answers so far. */
  answered: Probe[];
  /** Stops sending. Resolves when all requests are answered or timed out. */
  end: () => Promise<void>;
};

const WAIT_FOR_ANSWER_MS = 60_000;

/**
 * Repeatedly sends an event to one API, and separately requests a list of deliveries from it, without waiting for
 * earlier responses. The events go to these endpoints in turn, and the verdict judges them.
 */
export function startProbes(
  rig: Rig,
  { api, to, everyMs }: { api: Member; to: readonly Endpoint[]; everyMs: number },
): Probes {
  const answered: Probe[] = [];
  const asked: Promise<void>[] = [];
  let isOver = false;
  let count = 0;
  const send = async () => {
    while (!isOver) {
      count += 1;
      asked.push(askForEvent(rig, { api, to, n: count }).then((probe) => void answered.push(probe)));
      asked.push(askForList(rig, api).then((probe) => void answered.push(probe)));
      await rig.elapsed(everyMs);
    }
  };
  const sending = send();
  return {
    answered,
    async end() {
      isOver = true;
      await sending;
      await Promise.all(asked);
    },
  };
}

async function askForEvent(
  rig: Rig,
  { api, to, n }: { api: Member; to: readonly Endpoint[]; n: number },
): Promise<Probe> {
  const endpoint = to[n % to.length];
  if (endpoint === undefined) throw new Error('there is no endpoint');
  const body = { probe: n };
  const event = { hash: hashOf(JSON.stringify(body)), endpoints: [endpoint.name] };
  rig.load.sent.push(event);
  const atMs = Date.now();
  const url = `${api.url}/api/ingest/event/${endpoint.eventType}`;
  const reply = await ask('POST', url, { token: rig.apiKey, body, withinMs: WAIT_FOR_ANSWER_MS });
  const eventId = /"id":"(msg_\w+)"/.exec(reply.text)?.[1];
  if (reply.status === 202) Object.assign(event, { eventId, acceptedAtMs: Date.now() });
  return { ...reply, of: 'ingest', atMs };
}

async function askForList(rig: Rig, api: Member): Promise<Probe> {
  const atMs = Date.now();
  const url = `${api.url}/management/v1/workspaces/${rig.workspaceId}/deliveries`;
  const reply = await ask('GET', url, { token: rig.managementToken, withinMs: WAIT_FOR_ANSWER_MS });
  return { ...reply, of: 'management', atMs };
}

/** The time of each response in ms; Infinity for a request without one. */
export function answerTimes(probes: readonly Probe[]): number[] {
  return probes.map(({ status, afterMs }) => (status === 0 ? Number.POSITIVE_INFINITY : afterMs));
}
