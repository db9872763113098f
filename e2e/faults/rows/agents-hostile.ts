import { type NameServer, startNameServer } from '@posthorn/testkit/name-server';
import { type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';

import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { allowAgents, createAsk, createKey, newSecret, publish } from './agents-rig.ts';
import { residentMb } from './process-watch.ts';

const EVENT_TYPE = 'agent.hostile';
const GIGABYTE = 1_073_741_824;
const CHUNK = Buffer.alloc(65_536, 'a');
/** Later than the 10 s that a challenge waits for its echo. */
const TOO_LATE_MS = 11_000;
const MEMORY_GROWTH_MB = 50;
/** The number of agents. An agent makes at most 10 challenges in a minute, and a workspace 20 at once. */
const AGENTS = 10;
/** An address that the egress rules refuse. */
const PRIVATE = '10.0.0.1';
const CALLBACK_ERROR = -32_015;

/** What each callback does with its challenge, and the category that the agent is told. */
const KINDS: Record<string, { reason: string; answer: (challenge: string) => ReceiverAnswer }> = {
  redirects: { reason: 'http_4xx', answer: () => ({ status: 307, headers: { location: 'https://127.0.0.1:1/' } }) },
  'echoes-late': { reason: 'timeout', answer: echo },
  'echoes-another': { reason: 'challenge_failed', answer: () => echo('0'.repeat(43)) },
  'echoes-with-500': { reason: 'http_5xx', answer: (challenge) => ({ ...echo(challenge), status: 500 }) },
  'sends-1-gb': {
    reason: 'challenge_failed',
    answer: (challenge) => ({
      raw({ socket, repeat }) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${GIGABYTE}\r\n\r\n${echo(challenge).body}`);
        repeat(1, () => !socket.writableNeedDrain && socket.write(CHUNK));
      },
    }),
  },
  closes: { reason: 'connection_refused', answer: () => ({ raw: ({ reset }) => reset() }) },
};

/**
 * The callbacks of ten agents answer challenges in hostile ways, one way after another. Then a name moves
 * to a private address.
 */
export const agentsHostile: Row = {
  name: 'agents-hostile',
  fault:
    'callbacks redirect, echo late, echo another challenge, send 1 GB, close, or move to a private address before the challenge or the event',
  pass: 'each agent is told the right category, nothing is activated or sent inwards, the memory of the dispatcher grows by at most 50 MB',
  run: async (rig, tools) => {
    const names = await startNameServer();
    try {
      for (const member of [...rig.apis, ...rig.dispatchers]) {
        await member.stop();
        await member.start({ nodeArgs: [names.nodeOptions] });
      }
      return await attack(rig, tools, names);
    } finally {
      names.close();
    }
  },
  rig: { apis: 1, dispatchers: 1 },
};

async function attack(rig: Rig, { scaled, say }: Tools, names: NameServer): Promise<Outcome> {
  const receiver = await startReceiver();
  const answered = { late: 0, events: 0 };
  receiver.respondWith(async ({ url, body }) => {
    receiver.requests.length = 0;
    const { challenge } = JSON.parse(body.toString()) as { challenge?: string };
    if (challenge === undefined) {
      answered.events += 1;
      return {};
    }
    const kind = KINDS[url.split('/')[1] ?? ''];
    if (kind?.reason === 'timeout') {
      await rig.elapsed(TOO_LATE_MS);
      answered.late += 1;
    }
    return kind?.answer(challenge) ?? echo(challenge);
  });
  const ask = createAsk(rig);
  const subscribe = (key: string, host: string, path: string) =>
    ask(key, 'events/subscribe', {
      name: EVENT_TYPE,
      delivery: { mode: 'webhook', url: `https://${host}:${receiver.port}/${path}`, secret: newSecret() },
    });
  const pid = () => rig.dispatchers[0]?.pid() ?? 0;
  try {
    await allowAgents(rig);
    await publish(rig, [EVENT_TYPE]);
    names.answers.set('localhost', ['127.0.0.1']);
    const agents = await Promise.all(
      Array.from({ length: Math.max(2, scaled(AGENTS)) }, (_, n) => createKey(rig, `agent ${n}`)),
    );
    // The burst first fills the memory that ordinary events need, so that it does not count.
    await rig.load.burst(200);
    await rig.drain();
    const beforeMb = residentMb(pid(), 'now');
    let mostMb = beforeMb;
    const timer = setInterval(() => {
      mostMb = Math.max(mostMb, residentMb(pid(), 'now'));
    }, 50);
    const wrong: string[] = [];
    const expectRefusals = async (what: string, reason: string, host: string) => {
      const answers = await Promise.all(agents.map(({ key }, n) => subscribe(key, host, `${what}/${n}`)));
      for (const { result, error } of answers) {
        if (error?.code !== CALLBACK_ERROR || error.data?.reason !== reason) {
          wrong.push(`${what}: ${JSON.stringify(result ?? error)}`);
        }
      }
      say(`${what}: ${answers.length} told ${answers[0]?.error?.data?.reason}, memory ${mostMb} MB`);
    };
    for (const [what, { reason }] of Object.entries(KINDS)) await expectRefusals(what, reason, 'localhost');
    // The API looks up the name first, then the dispatcher.
    names.answers.set('moves.receiver.test', alternating(['127.0.0.1'], [PRIVATE]));
    for (const { key } of agents) {
      const { error } = await subscribe(key, 'moves.receiver.test', 'ordinary');
      if (error?.code !== CALLBACK_ERROR || error.data?.reason !== 'connection_refused') {
        wrong.push(`moves before the challenge: ${JSON.stringify(error ?? 'subscribed')}`);
      }
    }
    await waitFor(() => answered.late >= agents.length, { what: 'the late echoes' });
    const activated = await rig.db.agentSubscription.count();
    clearInterval(timer);

    names.answers.set('moves.receiver.test', ['127.0.0.1']);
    const ids: string[] = [];
    for (const { key } of agents) {
      const { result, error } = await subscribe(key, 'moves.receiver.test', 'ordinary');
      if (result === undefined) throw new Error(`an agent could not subscribe: ${JSON.stringify(error)}`);
      ids.push(String(result.id));
    }
    names.answers.set('moves.receiver.test', [PRIVATE]);
    await rig.client.call('POST', '/events', { eventType: EVENT_TYPE, data: { n: 1 } });
    const blocked = () => rig.db.attempt.count({ where: { errorCode: 'blocked_address' } });
    await waitFor(async () => (await blocked()) >= agents.length, {
      what: 'the events to be refused',
      timeoutMs: 20_000,
    });
    for (const id of ids) {
      const { body } = await rig.client.call<{ lastError: string }>('GET', `/agent-subscriptions/${id}`);
      if (body.lastError !== 'connection_refused') wrong.push(`moves before the event: ${JSON.stringify(body)}`);
    }
    for (const line of wrong) say(line);
    const marks: Mark[] = [
      { what: 'wrong answers', value: wrong.length, atMost: 0 },
      { what: 'activated', value: activated, atMost: 0 },
      { what: 'refused at the moved address', value: await blocked(), atLeast: agents.length },
      { what: 'events sent nevertheless', value: answered.events, atMost: 0 },
      { what: 'memory growth, MB', value: mostMb - beforeMb, atMost: MEMORY_GROWTH_MB },
    ];
    return { duplicatesAtMost: 0, marks };
  } finally {
    await receiver.close();
  }
}

function echo(challenge: string) {
  return { body: JSON.stringify({ challenge }) };
}

/** Answers the questions with each list in turn. */
function alternating(...answers: string[][]): (nth: number) => string[] {
  return (nth) => answers[nth % answers.length] ?? [];
}
