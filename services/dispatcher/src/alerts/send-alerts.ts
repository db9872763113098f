import { randomUUID } from 'node:crypto';
import { ALERT_ERROR_CODES, type AlertErrorCode } from '@posthorn/contract/alert-rules';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { type AlertError, alertErrorColumns } from '@posthorn/db/alert-error';
import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { takesAlerts } from '@posthorn/db/takes-alerts';
import { inTransaction } from '@posthorn/db/transaction';
import type { Sender } from '@posthorn/destinations/kind';
import { DEFAULT_KIND } from '@posthorn/destinations/kinds';
import { type MailContent, quoted } from '@posthorn/mail/compose';
import { countMails } from '@posthorn/mail/mail-quota';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { stopAlertsUrl } from '@posthorn/mail/stop-alerts';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { DispatcherMetrics } from '../metrics.ts';
import { type AlertMessage, type ChatChannel, type ChatRequest, chatRequest } from './channels.ts';
import { describeMore, describeSubjects, pageOf } from './describe.ts';
import { isAbout } from './subjects.ts';
import type { Told } from './tell.ts';
import { alertWords, type Described } from './words.ts';

export type SendAlertsDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Clock;
  sender: Pick<Sender, 'send'>;
  baseUrl: string;
  metrics: Pick<DispatcherMetrics, 'alerts'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * The most messages that this process sends at once. An owner of workspaces has only a few of them, whose targets may
 * all hang, and a rule has one, so that a target that hangs leaves room for its owner's other rules.
 */
const AT_ONCE = 50;
const OF_OWNER_AT_ONCE = 3;
const TIMEOUT_MS = 10_000;
/** Longer than a send takes. */
const CLAIM_SECONDS = 60;
const IDLE_MS = 500;
/**
 * The seconds until a message is tried again. After the last try it is given up: an alert from an hour ago helps
 * nobody.
 */
const RETRY_SECONDS = [30, 120, 600, 1_800];

type Claimed = {
  id: string;
  ruleId: string;
  workspaceId: string;
  eventType: string;
  content: unknown;
  attempts: number;
};

/** The result of sending a message. `reason` is shown to the owner of the rule. */
type Outcome = { kind: 'sent' } | ({ kind: 'later' | 'refused' } & AlertError & { code: AlertErrorCode });

/**
 * Creates the round that begins to send due messages. It writes them one after the other, so that hundreds of them
 * leave connections to Postgres and CPU to deliveries. It does not wait for sends that it has begun, so a target that
 * hangs delays no other. `drain` waits for them.
 */
export function createSendAlerts(deps: SendAlertsDeps) {
  const underWay = new Set<Promise<void>>();
  const warn = (error: unknown) => deps.logger.warn('an alert could not be sent', errorFields(error));
  return {
    async round(): Promise<number> {
      const claim = randomUUID();
      const claimed = await claimDue(deps.db, claim, AT_ONCE - underWay.size);
      for (const message of claimed) {
        const request = await write(deps, claim, message).catch(warn);
        if (request === undefined) continue;
        const sent: Promise<void> = post(deps.sender, request)
          .then((outcome) => settle(deps, claim, message, outcome))
          .catch(warn)
          .finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
      return IDLE_MS;
    },
    drain: async () => void (await Promise.all(underWay)),
  };
}

async function claimDue(db: Db, claim: string, most: number): Promise<Claimed[]> {
  if (most <= 0) return [];
  return db.$queryRaw<Claimed[]>`
    with recursive ${chosenInTurns('outgoing_alert', { ofOwner: OF_OWNER_AT_ONCE, most, oneOfEach: 'rule_id' })}
    update outgoing_alert m set claim = ${claim}::uuid, attempts = m.attempts + 1,
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}::int)
    from chosen c where m.id = c.id
    returning m.id, m.rule_id as "ruleId", m.workspace_id as "workspaceId", m.event_type as "eventType", m.content,
      m.attempts`;
}

/**
 * Writes a message. Returns its request; undefined for a mail, which it queues, and for a message that has ended or cannot
 * be written now.
 */
async function write(deps: SendAlertsDeps, claim: string, claimed: Claimed): Promise<ChatRequest | undefined> {
  const rule = await readRule(deps.db, claimed.ruleId);
  // The rule was deleted meanwhile, and its messages with it.
  if (rule === null) return undefined;
  try {
    return await writeFor(deps, claim, claimed, rule);
  } catch (error) {
    deps.logger.warn('an alert could not be written', errorFields(error));
    const reason = 'The message could not be written';
    await settle(deps, claim, claimed, { kind: 'later', reason, code: 'internal' }, channelOf(rule));
    return undefined;
  }
}

async function writeFor(
  deps: SendAlertsDeps,
  claim: string,
  claimed: Claimed,
  rule: Rule,
): Promise<ChatRequest | undefined> {
  const message = stillAbout(rule, claimed);
  if (message === undefined) {
    await deps.db.outgoingAlert.deleteMany({ where: { id: claimed.id, claim } });
    return undefined;
  }
  const target = openTarget(deps.keys, rule);
  if (target === undefined) {
    await settle(deps, claim, message, refused('target_unreadable', 'its sealing key is gone'), channelOf(rule));
    return undefined;
  }
  if (rule.channel === 'email') {
    await mailIt(deps, claim, message, { rule, target });
    return undefined;
  }
  return chatRequest(rule.channel as ChatChannel, target, await writeMessage(deps, message, rule));
}

function readRule(db: Db, id: string) {
  return db.alertRule.findUnique({
    where: { id },
    include: { workspace: { select: { id: true, name: true, slug: true, createdBy: true } } },
  });
}
type Rule = NonNullable<Awaited<ReturnType<typeof readRule>>>;

/**
 * The part of the message that is about the rule's present environment and application. Undefined if nothing of it is.
 */
function stillAbout(rule: Rule, message: Claimed): Claimed | undefined {
  if (message.eventType === 'test') return message;
  const told = message.content as Told;
  const subjects = told.subjects.filter((subject) => isAbout(rule, subject));
  if (subjects.length === 0 && told.subjects.length > 0) return undefined;
  return { ...message, content: { ...told, subjects } };
}

/** The channel, as the metric of messages names it. */
function channelOf({ channel }: Pick<Rule, 'channel'>): 'email' | 'chat' {
  return channel === 'email' ? 'email' : 'chat';
}

function openTarget(keys: SealingKeys, { id, targetSealed }: Rule): string | undefined {
  const opened = open(keys, targetSealed, sealContext.alertTarget(id));
  return opened.kind === 'opened' ? opened.plaintext.toString('utf8') : undefined;
}

const TEST = { subjects: [], occurrences: 0, firstAt: '' } satisfies Told;

async function writeMessage(deps: SendAlertsDeps, message: Claimed, rule: Rule): Promise<AlertMessage> {
  const { db, clock, baseUrl } = deps;
  const { name: workspaceName, slug: workspaceSlug } = rule.workspace;
  const shared = {
    workspaceName,
    ruleName: rule.name,
    dedupKey: `${rule.id}:${message.eventType}`,
    isGood: ['test', 'posthorn.endpoint.recovered', 'posthorn.operation.completed'].includes(message.eventType),
  };
  if (message.eventType === 'test') {
    return { ...shared, title: `Test of the alert rule “${rule.name}”`, lines: ['Nothing is wrong.'], url: null };
  }
  const { subjects } = message.content as Told;
  const isMail = rule.channel === 'email';
  const described = (await describeSubjects(db, subjects)).map((one) => (isMail ? withQuotedNames(one) : one));
  const found = await describeMore(db, subjects);
  const customers = found?.customers.map((one) => ({ ...one, name: isMail ? quoted(one.name) : one.name })) ?? [];
  const more = found && { ...found, customers };
  const words = alertWords({ eventType: message.eventType, subjects: described, more, now: clock.now() });
  if (rule.isOfPortal) return { ...shared, ...words, url: null };
  const environment = await db.environment.findUnique({
    where: { id: subjects[0]?.environmentId ?? rule.id },
    select: { slug: true },
  });
  const url = pageOf({ baseUrl, workspaceSlug, subjects, environmentSlug: environment?.slug ?? null });
  return { ...shared, ...words, url };
}

/** In a mail, names that somebody else chose are quoted and cut. */
function withQuotedNames(one: Described): Described {
  const { endpoint } = one;
  if (endpoint === null) return one;
  const url = endpoint.url.length > URL_CHARACTERS ? `${endpoint.url.slice(0, URL_CHARACTERS - 1)}…` : endpoint.url;
  return { ...one, endpoint: { url, customer: endpoint.customer === null ? null : quoted(endpoint.customer) } };
}

const URL_CHARACTERS = 200;

async function post(sender: Pick<Sender, 'send'>, { url, body }: ChatRequest): Promise<Outcome> {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const result = await sender.send({
    place: { kind: DEFAULT_KIND, endpointId: '', owner: '', revision: '', url, settings: {}, credentials: {} },
    message: { deliveryId: '', eventId: '', eventType: null, orderingKey: null, attemptNumber: 1 },
    url,
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length), 'user-agent': 'Posthorn' },
    body: bytes,
    timeoutMs: TIMEOUT_MS,
  });
  switch (result.kind) {
    case 'response':
      return judgeStatus(result.status);
    case 'error':
      return {
        kind: result.errorCode === 'blocked_address' ? 'refused' : 'later',
        reason: result.message,
        // Codes that only other kinds of endpoints have do not occur here.
        code: ALERT_ERROR_CODES.find((code) => code === result.errorCode) ?? 'internal',
      };
    case 'acknowledged':
      return { kind: 'sent' };
    case 'aborted':
      return { kind: 'later', reason: 'the dispatcher was stopped', code: 'sender_stopped' };
  }
}

function judgeStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 425 && status !== 429;
  const reason = `The target answered ${status}`;
  return { kind: isFinal ? 'refused' : 'later', reason, code: 'http_status', status };
}

function refused(code: AlertErrorCode, reason: string): Outcome & { kind: 'refused' } {
  return { kind: 'refused', reason, code };
}

/** Queues the mail and ends the message in one transaction, so that there is exactly one mail. */
async function mailIt(
  deps: SendAlertsDeps,
  claim: string,
  message: Claimed,
  { rule, target }: { rule: Rule; target: string },
): Promise<void> {
  const { db, keys, clock, metrics } = deps;
  const member = takesAlerts(rule.workspaceId, target);
  if (rule.confirmedAt === null && (await db.member.count({ where: member })) === 0) {
    const reason = 'The address belongs to no member any more who takes alerts. Change the target to confirm it';
    return settle(deps, claim, message, refused('not_a_member', reason), 'email');
  }
  const words = await writeMessage(deps, message, rule);
  const { subjects } = message.eventType === 'test' ? TEST : (message.content as Told);
  const content: MailContent = {
    subject: words.title,
    workspaceName: words.workspaceName,
    paragraphs: words.lines.length === 1 ? words.lines : [words.title],
    ...(words.lines.length > 1 && { items: words.lines }),
    ...(words.url !== null && { action: { label: 'Open', url: words.url } }),
    footer: `You get this mail because of the alert rule ${quoted(rule.name)} of ${quoted(words.workspaceName)}. It sends at most one mail of this kind in ${rule.quietMinutes} minutes.`,
    stopUrl: stopAlertsUrl(keys, deps.baseUrl, { workspaceId: rule.workspaceId, ruleId: rule.id, address: target }),
  };
  const ownerId = rule.workspace.createdBy ?? rule.workspaceId;
  const outcome = await inTransaction(db, async (transaction) => {
    const spent = await spentQuota(transaction, { ownerId, address: target, isOfPortal: rule.isOfPortal });
    if (spent !== undefined) return spent;
    const ended = await transaction.outgoingAlert.deleteMany({ where: { id: message.id, claim } });
    if (ended.count === 0) return 'ended';
    await queueMail(transaction, keys, {
      mail: {
        kind: message.eventType === 'test' ? 'alert_test' : 'alert',
        workspaceId: rule.workspaceId,
        ownerId,
        ruleId: rule.id,
        applicationIds: [...new Set(subjects.flatMap(({ applicationId }) => applicationId ?? []))],
        to: target,
        content,
      },
      now: clock.now(),
    });
    await transaction.alertRule.updateMany({
      where: { id: rule.id },
      data: { lastSentAt: clock.now(), ...alertErrorColumns(null) },
    });
    return 'queued';
  });
  if (typeof outcome === 'object') return settle(deps, claim, message, outcome, 'email');
  if (outcome === 'queued') metrics.alerts.inc({ channel: 'email', result: 'sent' });
}

/**
 * Why an alert is not mailed: the owner of the workspace, or all senders together to this address, have used up the
 * mails of a day. The rules of portals stop at half of the owner's mails.
 */
async function spentQuota(
  transaction: DbTransaction,
  { ownerId, address, isOfPortal }: { ownerId: string; address: string; isOfPortal: boolean },
): Promise<(Outcome & { kind: 'refused' }) | undefined> {
  const kinds = ['alert', 'alert_test'] as const;
  const most = isOfPortal ? LIMITS.alertMailsPerOwnerDay / 2 : LIMITS.alertMailsPerOwnerDay;
  if ((await countMails(transaction, { ownerId, kinds })) >= most) {
    return refused('too_many_mails', `The workspaces of one owner mail at most ${most} alerts in 24 hours`);
  }
  const toAddress = await countMails(transaction, { address, kinds });
  if (toAddress < LIMITS.alertMailsPerAddressDay) return undefined;
  const reason = `One address gets at most ${LIMITS.alertMailsPerAddressDay} alerts in 24 hours`;
  return refused('too_many_mails', reason);
}

async function settle(
  deps: SendAlertsDeps,
  claim: string,
  message: Claimed,
  outcome: Outcome,
  channel: 'email' | 'chat' = 'chat',
): Promise<void> {
  const { db, clock, metrics } = deps;
  const seconds = outcome.kind === 'later' ? RETRY_SECONDS[message.attempts - 1] : undefined;
  const result = outcome.kind === 'later' && seconds === undefined ? 'given_up' : outcome.kind;
  const where = { id: message.id, claim };
  await inTransaction(db, async (transaction) => {
    const { count } =
      seconds === undefined
        ? await transaction.outgoingAlert.deleteMany({ where })
        : await transaction.outgoingAlert.updateMany({
            where,
            data: { claim: null, claimedUntil: null, dueAt: new Date(clock.now().getTime() + seconds * 1_000) },
          });
    if (count === 0) return;
    const told =
      outcome.kind === 'sent' ? { lastSentAt: clock.now(), ...alertErrorColumns(null) } : alertErrorColumns(outcome);
    await transaction.alertRule.updateMany({ where: { id: message.ruleId }, data: told });
  });
  metrics.alerts.inc({ channel, result });
}
