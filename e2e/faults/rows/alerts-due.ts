import { newUuid } from '@posthorn/contract/ids';
import { createApiClient } from '@posthorn/testkit/api-client';
import { type ArrivedMail, startMailServer } from '@posthorn/testkit/mail-server';
import { type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Row, Tools } from '../row.ts';
import { keepTold, mostInQuietTime, occurrencesOf, toldOfEach } from './alerts-told.ts';
import { uuidOf } from './interface-things.ts';
import { noServerErrors, sum } from './marks.ts';
import { addOtherWorkspace, type OtherWorkspace } from './other-workspace.ts';
import { loadWhile } from './restarts.ts';
import { startsOf } from './starts.ts';

const ALERTS = 100_000;
const WORKSPACES = 40;
/** The chats of one workspace never answer. There must be other workspaces that this could delay. */
const LEAST_WORKSPACES = 4;
const RULES_OF_CHANNEL = 5;
const KINDS = ['posthorn.delivery.dead_letter', 'posthorn.delivery.failed'] as const;
type Kind = (typeof KINDS)[number];
/** The words in a message that tell its kind. */
const WORDS: Record<Kind, RegExp> = {
  'posthorn.delivery.dead_letter': /given\s+up/,
  'posthorn.delivery.failed': /ended\s+early/,
};
/** The shortest quiet time that a rule may have. */
const QUIET_MINUTES = 1;
const QUIET_MS = QUIET_MINUTES * 60_000;
const PER_SECOND = 10;
const WARM_UP_EVENTS = 5_000;
const COMPARED_SECONDS = 40;
const SLOWER_AT_MOST = 1.5;
/** The smallest p99 to compare with. Below it, single events on busy cores would decide. */
const LEAST_P99_MS = 50;

export const alertsDue: Row = {
  name: 'alerts-due',
  fault:
    '100,000 alerts of 40 workspaces, each with five rules by mail and five to a chat, are due at once, and a tenth as many again in the quiet time; the chats of one workspace never answer',
  pass: 'at most one message of each rule and kind in its quiet time, none lost or repeated, every alert counted, the first messages ≤ 60 s, p99 of webhooks ≤ 1.5 times that before',
  withinMinutes: 12,
  rig: { endpoints: 1, gates: false, apis: 1, dispatchers: 2 },
  run,
};

/** A rule of a workspace, and the arrival times of its messages, by kind. */
type Told = { ruleId: string; isHanging: boolean; arrived: Record<Kind, number[]> };

async function run(rig: Rig, tools: Tools): Promise<Outcome> {
  const rules = new Map<string, Told>();
  const note = (name: string, text: string) => {
    const kind = KINDS.find((one) => WORDS[one].test(text));
    if (kind !== undefined) rules.get(name)?.arrived[kind].push(Date.now());
  };
  const mails = await startMailServer({}, ({ text }: ArrivedMail) =>
    note(/“(rule-\d+-\d+)”/.exec(text)?.[1] ?? '', text),
  );
  // The chats have their own receiver, because the requests to the other one are judged as deliveries.
  const chats = await startReceiver();
  try {
    chats.respondWith(({ url, body }): ReceiverAnswer => {
      chats.requests.length = 0;
      if (rules.get(url.slice(1))?.isHanging) return { raw: () => undefined };
      note(url.slice(1), body.toString('utf8'));
      return {};
    });
    const mailing = await rig.addMember('api', { SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
    await mailing.start();
    return await runWith(rig, tools, { rules, chats, mailingUrl: mailing.url });
  } finally {
    await chats.close();
    await mails.close();
  }
}

type Given = { rules: Map<string, Told>; chats: Receiver; mailingUrl: string };

async function runWith(rig: Rig, { random, scaled, say }: Tools, given: Given): Promise<Outcome> {
  const workspaces: OtherWorkspace[] = [];
  for (let n = 0; n < Math.max(LEAST_WORKSPACES, scaled(WORKSPACES)); n += 1) {
    const workspace = await addOtherWorkspace(rig, random.fork(`workspace ${n}`));
    await workspace.addEndpoint({ name: `alerts-${n}` });
    await addRules(rig, workspace, { ...given, n, isHanging: n === 0 });
    workspaces.push(workspace);
  }
  await keepTold(rig.db);
  const neighbour = await rig.addEndpoint({ name: 'neighbour', loaded: false });
  const to = [{ eventType: neighbour.eventType, endpoints: [neighbour.name] }];
  await rig.load.burst(scaled(WARM_UP_EVENTS), { to });
  await rig.drain();
  const own = workspaces[1]?.load ?? rig.load;
  const loaded = <T>(work: Promise<T>) =>
    loadWhile(rig.load, { perSecond: PER_SECOND, to }, loadWhile(own, { perSecond: PER_SECOND }, work));
  const comparedMs = Date.now();
  await loaded(rig.elapsed(Math.max(10, scaled(COMPARED_SECONDS)) * 1_000));
  let dueMs = Date.now();
  const beganMs = dueMs;
  const answering = [...given.rules.values()].filter(({ isHanging }) => !isHanging);

  /**
   * Raises the alerts at once, then more of them in the quiet time, and waits for their messages. Returns the
   * number of alerts.
   */
  const flow = async () => {
    const first = await raise(rig, { workspaces, alerts: scaled(ALERTS) });
    // The time counts from here: the statement that raises them uses a core of Postgres for a while, unlike the
    // triggers of an installation.
    dueMs = Date.now();
    say(`${first} alerts are due after ${dueMs - beganMs} ms`);
    await everyKindHas(answering, 1);
    const second = await raise(rig, { workspaces, alerts: scaled(ALERTS / 10) });
    const areGathered = async () => (await rig.db.raisedAlert.count()) === 0;
    await waitFor(areGathered, { what: 'all alerts to be gathered', timeoutMs: 60_000 });
    say(`all are gathered after ${Date.now() - dueMs} ms`);
    await everyKindHas(answering, 2);
    return first + second;
  };
  const raised = await loaded(flow());
  const slowestMs = Math.max(...arrivals(answering).map(([firstAtMs = Date.now()]) => firstAtMs - dueMs));
  say(`messages for ${arrivals(answering).length} rules and kinds, the slowest first one after ${slowestMs} ms`);
  return {
    duplicatesAtMost: 0,
    marks: [
      ...(await judgeMessages(rig, answering, raised)),
      { what: 'slowest first message', unit: 'ms', value: slowestMs, atMost: 60_000 },
      ...[neighbour.name, 'alerts-1'].map((name) => compareWebhooks(rig, name, { comparedMs, beganMs, dueMs, say })),
      noServerErrors(rig),
    ],
  };
}

function everyKindHas(rules: readonly Told[], messages: number) {
  const haveArrived = () => arrivals(rules).every((times) => times.length >= messages);
  return waitFor(haveArrived, { what: `message ${messages} of every rule and kind`, timeoutMs: 180_000 });
}

/** The arrival times of the messages for each rule and kind. */
function arrivals(rules: readonly Told[]): number[][] {
  return rules.flatMap(({ arrived }) => KINDS.map((kind) => arrived[kind]));
}

async function judgeMessages({ db }: Rig, rules: readonly Told[], raised: number): Promise<Mark[]> {
  const told = await toldOfEach(db);
  const missing = rules.flatMap(({ ruleId, arrived }) =>
    KINDS.map((kind) => (told.get(`${ruleId} ${kind}`) ?? 0) - arrived[kind].length),
  );
  const counted = await occurrencesOf(db);
  return [
    { what: 'messages of a rule and kind in its quiet time', value: await mostInQuietTime(db, QUIET_MS), atMost: 1 },
    { what: 'messages', value: sum(arrivals(rules).map((times) => times.length)), atLeast: 2 * missing.length },
    { what: 'messages lost', value: sum(missing.filter((count) => count > 0)), atMost: 0 },
    { what: 'messages more than once', value: -sum(missing.filter((count) => count < 0)), atMost: 0 },
    // Every rule of a workspace counts all alerts of the workspace.
    { what: 'alerts lost', value: raised * 2 * RULES_OF_CHANNEL - counted, atMost: 0 },
    { what: 'alerts more than once', value: counted - raised * 2 * RULES_OF_CHANNEL, atMost: 0 },
  ];
}

type Compared = { comparedMs: number; beganMs: number; dueMs: number; say: Tools['say'] };

/**
 * Compares webhooks before the alerts with those after they are due. Webhooks while the alerts are raised
 * are only shown.
 */
function compareWebhooks(rig: Rig, name: string, { comparedMs, beganMs, dueMs, say }: Compared): Mark {
  const p99 = (fromMs: number, untilMs = Number.POSITIVE_INFINITY) =>
    quantile(startsOf(rig, name, { fromMs, untilMs }), 0.99);
  const [before, raising, after] = [p99(comparedMs, beganMs), p99(beganMs, dueMs), p99(dueMs)];
  say(`webhooks to ${name}: p99 ${before} ms before, ${raising} ms while they are raised, ${after} ms with the alerts`);
  const atMost = SLOWER_AT_MOST * Math.max(LEAST_P99_MS, before);
  return { what: `p99 of webhooks to ${name}`, unit: 'ms', value: after, atMost };
}

/** Adds rules. Half of them send mail to a member, whose address needs no confirmation. */
async function addRules(
  rig: Rig,
  workspace: OtherWorkspace,
  { rules, chats, mailingUrl, n, isHanging }: Given & { n: number; isHanging: boolean },
): Promise<void> {
  const email = `on-call-${n}@example.org`;
  const user = await rig.db.user.create({
    data: { id: newUuid(new Date()), email, name: 'On call', addressProvenAt: new Date() },
  });
  const workspaceId = uuidOf('ws', workspace.workspaceId);
  await rig.db.member.create({ data: { workspaceId, userId: user.id, role: 'admin' } });
  const client = createApiClient({ ...workspace, baseUrl: mailingUrl });
  for (let m = 0; m < 2 * RULES_OF_CHANNEL; m += 1) {
    const name = `rule-${n}-${m}`;
    const isMail = m < RULES_OF_CHANNEL;
    const target = isMail ? email : new URL(`/${name}`, chats.url).href;
    const body = { name, channel: isMail ? 'email' : 'slack', target, events: KINDS, quietMinutes: QUIET_MINUTES };
    const made = await client.call<{ id: string }>('POST', '/alert-rules', body);
    if (made.status !== 201) throw new Error(`a rule was refused: ${JSON.stringify(made.body)}`);
    const arrived = { [KINDS[0]]: [], [KINDS[1]]: [] } as Told['arrived'];
    rules.set(name, { ruleId: uuidOf('alr', made.body.id), isHanging: isHanging && !isMail, arrived });
  }
}

/** Raises alerts as the triggers of deliveries do, evenly over the workspaces and kinds, and commits them together. */
async function raise(rig: Rig, { workspaces, alerts }: { workspaces: readonly OtherWorkspace[]; alerts: number }) {
  const each = Math.max(1, Math.round(alerts / workspaces.length / KINDS.length));
  const ids = workspaces.map(({ workspaceId }) => uuidOf('ws', workspaceId));
  await rig.db.$executeRaw`
    select raise_alert(e.workspace_id, e.environment_id, e.application_id, e.id, k.kind,
      json_build_object('failureReason', 'endpoint_inactive', 'totalAttempts', 1, 'lastResponseStatus', 503))
    from endpoint e cross join unnest(${[...KINDS]}::text[]) as k(kind) cross join generate_series(1, ${each}::int)
    where e.workspace_id = any(${ids}::uuid[])`;
  return each * KINDS.length * workspaces.length;
}
