import { hashOf } from '../receivers.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask, codeOf, field, type Reply } from './ask.ts';

const CONTENDERS = 50;
const ROUNDS = 20;
const MAX_ENVIRONMENTS = 10;

/** A resource that only one of many contenders can get. */
type Race = {
  what: string;
  /** Sends the request of one contender. */
  enter: (url: string, round: string, contender: number) => Promise<Reply>;
  wins: (reply: Reply) => boolean;
  loses: (reply: Reply) => boolean;
  /** Called after each round, for example to make room for the next. */
  after?: (replies: readonly Reply[], round: string) => Promise<void>;
};

/** Sends fifty concurrent requests, half to each API, for each resource that must be unique, in several rounds. */
export async function races(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const rounds = scaled(ROUNDS);
  let environments = 0;
  const count = async () => {
    environments = Math.max(environments, await rig.db.environment.count({ where: { deletedAt: null } }));
  };
  const run = random.whole(0, 2 ** 31).toString(36);
  const others: string[] = [];
  let [raced, wrong] = [0, 0];
  for (const race of [...nameRaces(rig), environmentRace(rig, count), ...keyRaces(rig)]) {
    for (let n = 0; n < rounds; n += 1) {
      raced += 1;
      const round = `${run}${n}`;
      const replies = await Promise.all(
        Array.from({ length: CONTENDERS }, (_, contender) =>
          race.enter(rig.apis[contender % rig.apis.length]?.url ?? '', round, contender),
        ),
      );
      const winners = replies.filter(race.wins).length;
      if (winners !== 1) wrong += 1;
      if (winners !== 1) say(`${race.what}: ${winners} winners`);
      others.push(...replies.filter((reply) => !race.wins(reply) && !race.loses(reply)).map(describe));
      await race.after?.(replies, round);
    }
  }
  for (const other of new Set(others)) say(`another answer: ${other}`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'races', value: raced },
      { what: 'rounds without exactly one winner', value: wrong, atMost: 0 },
      { what: 'other answers', value: others.length, atMost: 0 },
      { what: 'environments at once', value: environments, atMost: MAX_ENVIRONMENTS, atLeast: MAX_ENVIRONMENTS },
    ],
  };
}

/** Races for names that must be unique in the workspace. */
function nameRaces(rig: Rig): Race[] {
  const create = (path: string, body: (round: string) => object, code: string) => ({
    enter: (url: string, round: string) => ask('POST', managementUrl(rig, url, path), manage(rig, body(round))),
    wins: (reply: Reply) => reply.status === 201,
    loses: (reply: Reply) => reply.status === 409 && codeOf(reply) === code,
  });
  return [
    {
      what: 'slug',
      ...create('/environments', (round) => ({ name: 'Race', slug: `race-${round}` }), 'slug_taken'),
      after: (replies) => removeEnvironments(rig, replies),
    },
    {
      what: 'externalId',
      ...create('/applications', (round) => ({ name: 'Race', externalId: `race-${round}` }), 'external_id_taken'),
    },
    { what: 'type name', ...create('/event-types', (round) => ({ name: `race.r${round}` }), 'event_type_exists') },
  ];
}

/** A race for the last of ten environments: nine exist, and each contender creates one with a different name. */
function environmentRace(rig: Rig, count: () => Promise<void>): Race {
  let filled: Promise<void> | undefined;
  const fill = async () => {
    for (let n = await rig.db.environment.count({ where: { deletedAt: null } }); n < MAX_ENVIRONMENTS - 1; n += 1) {
      await rig.client.call('POST', '/environments', { name: 'Filler', slug: `filler-${n}` });
    }
  };
  return {
    what: '11th environment',
    async enter(url, round, contender) {
      filled ??= fill();
      await filled;
      const body = { name: 'Race', slug: `eleventh-${round}-${contender}` };
      return ask('POST', managementUrl(rig, url, '/environments'), manage(rig, body));
    },
    wins: (reply) => reply.status === 201,
    loses: (reply) => reply.status === 409 && codeOf(reply) === 'environment_limit_reached',
    async after(replies) {
      await count();
      await removeEnvironments(rig, replies);
    },
  };
}

/**
 * Races for one Idempotency-Key, with the same body and with different ones: to a type, to an endpoint and in a batch.
 */
function keyRaces(rig: Rig): Race[] {
  const [endpoint] = rig.endpoints;
  if (endpoint === undefined) throw new Error('the rig has no endpoint');
  const keyRace = (what: string, { path, same }: { path: string; same: boolean }): Race => {
    const bodyOf = (round: string, contender: number) => JSON.stringify({ what, round, n: same ? 0 : contender });
    return {
      what,
      enter: (url, round, contender) =>
        ask('POST', `${url}/api/ingest/${path}`, {
          token: rig.apiKey,
          headers: { 'content-type': 'application/json', 'idempotency-key': `${what}-${round}`.replaceAll(' ', '-') },
          bytes: Buffer.from(bodyOf(round, contender)),
        }),
      wins: (reply) => reply.status === 202 && field(reply, 'duplicate') === false,
      loses: (reply) =>
        same
          ? reply.status === 202 && field(reply, 'duplicate') === true
          : reply.status === 409 && codeOf(reply) === 'idempotency_conflict',
      async after(replies, round) {
        noteAccepted(rig, replies, { endpoint: endpoint.name, bodyOf: (contender) => bodyOf(round, contender) });
      },
    };
  };
  const toType = `event/${endpoint.eventType}`;
  return [
    keyRace('key', { path: toType, same: true }),
    keyRace('key with other bodies', { path: toType, same: false }),
    keyRace('key at an endpoint', { path: endpoint.id, same: true }),
  ];
}

/** Makes the verdict expect every accepted id at the receiver. A second id would be another event. */
function noteAccepted(rig: Rig, replies: readonly Reply[], given: { endpoint: string; bodyOf: (n: number) => string }) {
  const known = new Set<unknown>();
  for (const [contender, reply] of replies.entries()) {
    const id = field(reply, 'id');
    if (reply.status !== 202 || typeof id !== 'string' || known.has(id)) continue;
    known.add(id);
    const hash = hashOf(given.bodyOf(contender));
    rig.load.sent.push({ hash, endpoints: [given.endpoint], eventId: id, acceptedAtMs: Date.now() });
  }
}

async function removeEnvironments(rig: Rig, replies: readonly Reply[]): Promise<void> {
  for (const reply of replies.filter(({ status }) => status === 201)) {
    await rig.client.call('DELETE', `/environments/${String(field(reply, 'id'))}`);
  }
}

function managementUrl(rig: Rig, url: string, path: string): string {
  return `${url}/management/v1/workspaces/${rig.workspaceId}${path}`;
}

function manage(rig: Rig, body: object) {
  return { token: rig.managementToken, body };
}

function describe(reply: Reply): string {
  return `${reply.status} ${reply.text.slice(0, 200)}`;
}
