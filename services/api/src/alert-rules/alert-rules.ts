import {
  type AlertChannel,
  type AlertErrorCode,
  type alertRule,
  type createAlertRuleBody,
  type listAlertRulesQuery,
  PORTAL_ALERT_CHANNELS,
  type updateAlertRuleBody,
} from '@posthorn/contract/alert-rules';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, seal } from '@posthorn/crypto/seal';
import { alertErrorColumns, readAlertError } from '@posthorn/db/alert-error';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { takesAlerts } from '@posthorn/db/takes-alerts';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { stopAlertsUrl } from '@posthorn/mail/stop-alerts';
import type { z } from 'zod';
import { holdApplication, requireApplication } from '../applications/require-application.ts';
import { diff } from '../audit/change.ts';
import { CHANGES_OF_A_MAIL } from '../audit/changes-per-day.ts';
import { portalOf, reachedEnvironments } from '../auth/bounds.ts';
import { newInvitationToken } from '../auth/one-time-token.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import { ownerOf, requireMailRoom } from '../mail/mail-room.ts';
import { confirmAlertsMail, testAlertMail } from '../mail/mails.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverApplication } from '../operation/history-filters.ts';
import { listRows } from '../operation/list-rows.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { deleteAlertRules, endMails } from './delete-rules.ts';
import { type AlertTarget, checkTarget } from './target.ts';

/**
 * Lists the rules that the caller reaches. A portal reaches its own. Everybody else gets the rules that no portal made
 * or, with `application_id`, all rules about that application.
 */
export async function listAlertRules(ctx: WorkspaceContext, query: z.output<typeof listAlertRulesQuery>) {
  const named = query.application_id;
  const applicationId = named === undefined ? undefined : await requireEverApplication(ctx, named);
  const which = applicationId === undefined ? (portalOf(ctx.bounds) ? {} : { isOfPortal: false }) : { applicationId };
  return listRows(ctx, query, {
    name: ['alert rules', applicationId],
    read: ({ after, take }) =>
      ctx.db.alertRule.findMany({
        where: { AND: [reachOf(ctx), which], ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentAlertRule,
  });
}

export async function getAlertRule(ctx: WorkspaceContext, id: string) {
  return presentAlertRule(await requireAlertRule(ctx, ctx.db, id));
}

/**
 * Creates a rule; in a portal, a rule about its application. An address must first confirm by a mail, unless it is of a
 * member who takes alerts.
 */
export async function createAlertRule(ctx: WorkspaceContext, body: z.output<typeof createAlertRuleBody>) {
  const target = await checkTargetOf(ctx, body.channel, body.target);
  return ctx.change('alert_rule.created', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const place = await requirePlace(ctx, transaction, body);
    await requireRoom(ctx, transaction, place.applicationId);
    const now = ctx.clock.now();
    const id = newUuid(now);
    const { name, channel, events, quietMinutes } = body;
    const consent = await consentOf(ctx, transaction, channel, target);
    const row = await transaction.alertRule.create({
      data: {
        ...{ id, workspaceId: ctx.workspace.id, ...place, isOfPortal: portalOf(ctx.bounds) !== undefined },
        ...{ name, channel, events, quietMinutes, createdAt: now, updatedAt: now },
        ...sealTarget(ctx, id, target),
        ...consent.columns,
      },
    });
    await mailConfirmation(ctx, transaction, { row, target, token: consent.token });
    const changes = diff<object>({}, auditedOf(row));
    const entry = { resourceId: toId('alr', id), changes, ...noteOf(row), ...countsAs(consent.token) };
    return { result: presentAlertRule(row), entry };
  });
}

export async function updateAlertRule(ctx: WorkspaceContext, id: string, body: z.output<typeof updateAlertRuleBody>) {
  const before = await requireAlertRule(ctx, ctx.db, id);
  const channel = before.channel as AlertChannel;
  const isNew = body.target !== undefined && body.target !== before.targetShown;
  const target = isNew ? await checkTargetOf(ctx, channel, body.target ?? '') : undefined;
  return ctx.change('alert_rule.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const former = await requireAlertRule(ctx, transaction, id);
    refuseOfAll(ctx, former.environmentId);
    const place = await requirePlace(ctx, transaction, {
      environmentId: body.environmentId === undefined ? idOrNull('env', former.environmentId) : body.environmentId,
      applicationId: body.applicationId === undefined ? idOrNull('app', former.applicationId) : body.applicationId,
    });
    refuseAnotherCustomer(former, place);
    const name = body.name ?? former.name;
    const consent = target && (await consentOf(ctx, transaction, channel, target));
    const moved = target && { ...sealTarget(ctx, former.id, target), ...consent?.columns, ...alertErrorColumns(null) };
    const row = await transaction.alertRule.update({
      where: { id: former.id },
      data: {
        ...{ name, ...place, updatedAt: ctx.clock.now() },
        ...(body.events && { events: body.events }),
        ...(body.quietMinutes !== undefined && { quietMinutes: body.quietMinutes }),
        ...moved,
      },
    });
    if (target) {
      await forgetGathered(transaction, row.id);
      await mailConfirmation(ctx, transaction, { row, target, token: consent?.token });
    } else {
      await adjustGathered(transaction, row, former);
    }
    const changes = diff(auditedOf(former), auditedOf(row));
    if (moved && former.targetShown === row.targetShown) changes.target = { from: '[redacted]', to: '[redacted]' };
    if (Object.keys(changes).length > 0) {
      const entry = { resourceId: toId('alr', row.id), changes, ...noteOf(row, former), ...countsAs(consent?.token) };
      return { result: presentAlertRule(row), entry };
    }
    await transaction.alertRule.update({ where: { id: row.id }, data: { updatedAt: former.updatedAt } });
    return { result: presentAlertRule(former), entry: null };
  });
}

export async function deleteAlertRule(ctx: WorkspaceContext, id: string) {
  return ctx.change('alert_rule.deleted', async (transaction) => {
    const before = await requireAlertRule(ctx, transaction, id);
    refuseOfAll(ctx, before.environmentId);
    await deleteAlertRules(transaction, { id: before.id });
    const changes = { name: { from: before.name, to: null }, target: { from: before.targetShown, to: null } };
    return { result: undefined, entry: { resourceId: toId('alr', before.id), changes, ...noteOf(before) } };
  });
}

/** Queues a test message. Only one per rule waits at a time: a further test adds none. */
export async function testAlertRule(ctx: WorkspaceContext, id: string) {
  return ctx.change('alert_rule.tested', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const row = await requireAlertRule(ctx, transaction, id);
    refuseOfAll(ctx, row.environmentId);
    if (statusOf(row) === 'unconfirmed') {
      throw invalid('The address has not been confirmed yet', 'path.id');
    }
    const result = presentAlertRule(row);
    const entry = { resourceId: result.id, changes: {}, ...noteOf(row) };
    // A dispatcher sends tests to chats. It also gets a rule whose sealing key is gone, and notes the error.
    const to = row.channel === 'email' ? openTarget(ctx, row) : undefined;
    if (to !== undefined && row.confirmedAt === null && !(await isOfMember(ctx, transaction, to))) {
      throw invalid(
        'No member with this address takes alerts of the workspace: change the target to confirm it',
        'path.id',
      );
    }
    const waits = to
      ? await transaction.outgoingMail.count({ where: { ruleId: row.id, kind: 'alert_test', dueAt: { not: null } } })
      : await transaction.outgoingAlert.count({ where: { ruleId: row.id, eventType: 'test' } });
    if (waits > 0) return { result, entry: null };
    const now = ctx.clock.now();
    if (to === undefined) {
      await transaction.outgoingAlert.create({
        data: { id: newUuid(now), ruleId: row.id, workspaceId: ctx.workspace.id, eventType: 'test', content: {} },
      });
      return { result, entry };
    }
    await requireMailRoom(ctx, transaction, { to, kind: 'alert_test' });
    const stopped = { workspaceId: ctx.workspace.id, ruleId: row.id, address: to };
    const content = testAlertMail({
      workspaceName: ctx.workspace.name,
      ruleName: row.name,
      stopUrl: stopAlertsUrl(ctx.sealingKeys, ctx.settings.baseUrl, stopped),
    });
    const mail = {
      kind: 'alert_test' as const,
      workspaceId: ctx.workspace.id,
      ownerId: ownerOf(ctx.workspace),
      ruleId: row.id,
      to,
      content,
    };
    await queueMail(transaction, ctx.sealingKeys, { mail, now });
    // A mail counts as sent when it is queued.
    const data = { lastSentAt: now, ...alertErrorColumns(null) };
    const sent = presentAlertRule(await transaction.alertRule.update({ where: { id: row.id }, data }));
    return { result: sent, entry: { ...entry, countsAs: CHANGES_OF_A_MAIL } };
  });
}

/**
 * Drops what was gathered of events that the rule no longer names. Moves the end of a running quiet time, and the time
 * when gathered alerts are due, by the change of the rule's quiet minutes.
 */
async function adjustGathered(
  transaction: DbTransaction,
  { id, events, quietMinutes }: Row,
  former: Pick<Row, 'quietMinutes'>,
): Promise<void> {
  await transaction.alertState.deleteMany({ where: { ruleId: id, eventType: { notIn: events } } });
  const minutes = quietMinutes - former.quietMinutes;
  if (minutes === 0) return;
  await transaction.$executeRaw`
    update alert_state set quiet_until = quiet_until + make_interval(mins => ${minutes}::int),
      due_at = case when due_at is not null then greatest(case when due_at = quiet_until then now() else due_at end,
        quiet_until + make_interval(mins => ${minutes}::int)) end
    where rule_id = ${id}::uuid and quiet_until is not null`;
}

/** Deletes everything that was gathered for a rule, so that nothing for its former target goes to another. */
export async function forgetGathered(transaction: DbTransaction, ruleId: string): Promise<void> {
  await transaction.alertState.deleteMany({ where: { ruleId } });
  await transaction.outgoingAlert.deleteMany({ where: { ruleId } });
  await endMails(transaction, { id: ruleId });
}

type Row = Awaited<ReturnType<typeof requireAlertRule>>;

async function checkTargetOf(ctx: WorkspaceContext, channel: AlertChannel, given: string): Promise<AlertTarget> {
  if (portalOf(ctx.bounds) !== undefined && !PORTAL_ALERT_CHANNELS.includes(channel)) {
    throw invalid(`channel must be one of ${PORTAL_ALERT_CHANNELS.join(', ')}`, 'channel');
  }
  return checkTarget(ctx, channel, given);
}

function reachOf({ workspace, bounds }: WorkspaceContext) {
  const portal = portalOf(bounds);
  if (portal !== undefined) return { workspaceId: workspace.id, isOfPortal: true, ...portal };
  const reached = reachedEnvironments(bounds);
  const within = reached && { OR: [{ environmentId: null }, { environmentId: { in: reached } }] };
  return { workspaceId: workspace.id, ...within };
}

async function requireAlertRule(ctx: WorkspaceContext, db: Pick<Db | DbTransaction, 'alertRule'>, id: string) {
  const uuid = fromId('alr', id);
  const row =
    uuid === undefined ? null : await db.alertRule.findFirst({ where: { AND: [{ id: uuid }, reachOf(ctx)] } });
  if (row === null) throw notFound('Alert rule');
  return row;
}

/** Whether the caller is a token that is bound to environments. */
function isBound({ bounds }: WorkspaceContext): boolean {
  return portalOf(bounds) === undefined && reachedEnvironments(bounds) !== undefined;
}

/** A bound token may read the rules about every environment, but not change them. */
function refuseOfAll(ctx: WorkspaceContext, environmentId: string | null): void {
  if (environmentId !== null || !isBound(ctx)) return;
  throw new ApiError('forbidden', 'This token is bound to environments, but this rule is about all of them');
}

/**
 * The keys of the environment and the application that a rule is about; in a portal, the portal's own. A bound token
 * that names no environment means one of its own environments.
 */
async function requirePlace(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  given: { environmentId?: string | null | undefined; applicationId?: string | null | undefined },
) {
  const portal = portalOf(ctx.bounds);
  if (given.environmentId === null) refuseOfAll(ctx, null);
  const environment =
    isBound(ctx) || typeof given.environmentId === 'string'
      ? await requireEnvironment(ctx, transaction, given.environmentId ?? undefined)
      : undefined;
  const application =
    typeof given.applicationId === 'string'
      ? await requireApplication(ctx, transaction, given.applicationId)
      : undefined;
  const place = {
    environmentId: environment?.id ?? portal?.environmentId ?? null,
    applicationId: application?.id ?? portal?.applicationId ?? null,
  };
  if (place.applicationId !== null) await holdApplication(transaction, place.applicationId);
  if (place.environmentId !== null) await holdEnvironment(transaction, place.environmentId);
  return place;
}

/**
 * A customer's rule stays about its application, also when the operator changes it. Elsewhere, its target would learn of the endpoints
 * of others.
 */
function refuseAnotherCustomer(
  former: { isOfPortal: boolean; environmentId: string | null; applicationId: string | null },
  place: { environmentId: string | null; applicationId: string | null },
): void {
  if (!former.isOfPortal) return;
  for (const field of ['applicationId', 'environmentId'] as const) {
    if (place[field] === former[field]) continue;
    throw invalid(`${field} cannot be changed: a customer has made this rule for its own application`, field);
  }
}

/** Refuses one more rule at the limit. The result holds only while the caller has the workspace's lock. */
async function requireRoom(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  applicationId: string | null,
): Promise<void> {
  const isOfPortal = portalOf(ctx.bounds) !== undefined;
  const most = isOfPortal ? LIMITS.alertRulesPerPortal : LIMITS.alertRulesPerWorkspace;
  const where = { workspaceId: ctx.workspace.id, isOfPortal, ...(isOfPortal && { applicationId }) };
  if ((await transaction.alertRule.count({ where })) < most) return;
  throw new ApiError(
    'limit_reached',
    `${isOfPortal ? 'An application' : 'A workspace'} has at most ${most} alert rules`,
  );
}

function sealTarget({ sealingKeys }: WorkspaceContext, id: string, { value, shown }: AlertTarget) {
  const sealed = seal(sealingKeys, Buffer.from(value, 'utf8'), sealContext.alertTarget(id));
  return { targetSealed: new Uint8Array(sealed), targetShown: shown };
}

function openTarget({ sealingKeys }: WorkspaceContext, { id, targetSealed }: Row): string | undefined {
  const opened = open(sealingKeys, targetSealed, sealContext.alertTarget(id));
  return opened.kind === 'opened' ? opened.plaintext.toString('utf8') : undefined;
}

/**
 * Members who have proved their address take the alerts of their workspace, unless they have stopped them. Every other
 * address, and each address that a customer names, first gets a mail with a link: then `token` is set.
 */
async function consentOf(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  channel: AlertChannel,
  target: AlertTarget,
) {
  const none = { confirmDigest: null, confirmEndsAt: null };
  if (channel !== 'email') return { columns: { ...none, confirmedAt: ctx.clock.now() } };
  if (portalOf(ctx.bounds) === undefined && (await isOfMember(ctx, transaction, target.value))) {
    return { columns: { ...none, confirmedAt: null } };
  }
  const { token, digest, endsAt } = newInvitationToken(ctx.clock.now());
  return { columns: { confirmedAt: null, confirmDigest: digest, confirmEndsAt: endsAt }, token };
}

async function isOfMember({ workspace }: WorkspaceContext, transaction: DbTransaction, email: string) {
  return (await transaction.member.count({ where: takesAlerts(workspace.id, email) })) > 0;
}

/** A mail counts as many changes, whatever becomes of the rule. */
function countsAs(token: string | undefined) {
  return token === undefined ? {} : { countsAs: CHANGES_OF_A_MAIL };
}

/** Mails the link with the token. If the rule is deleted before, the mail is not sent. */
async function mailConfirmation(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { row, target, token }: { row: Row; target: AlertTarget; token: string | undefined },
): Promise<void> {
  if (token === undefined) return;
  await requireMailRoom(ctx, transaction, { to: target.value, kind: 'alert_confirmation' });
  const { workspace, settings } = ctx;
  const content = confirmAlertsMail({
    baseUrl: settings.baseUrl,
    workspaceName: workspace.name,
    ruleName: row.name,
    token,
  });
  const of = { workspaceId: workspace.id, ownerId: ownerOf(workspace), ruleId: row.id, to: target.value };
  const mail = { kind: 'alert_confirmation' as const, ...of, content };
  await queueMail(transaction, ctx.sealingKeys, { mail, now: ctx.clock.now() });
}

function idOrNull(prefix: 'env' | 'app', uuid: string | null): string | null {
  return uuid === null ? null : toId(prefix, uuid);
}

function auditedOf(row: Row) {
  const { name, channel, targetShown: target, events, quietMinutes } = row;
  const environmentId = idOrNull('env', row.environmentId);
  return {
    name,
    channel,
    target,
    events,
    quietMinutes,
    environmentId,
    applicationId: idOrNull('app', row.applicationId),
  };
}

/**
 * The audit note of a rule. A portal's log shows only the portal's own rules. The entry names the application, so that
 * the erasure of the customer finds it.
 */
function noteOf(row: Row, former = row) {
  const { isOfPortal, applicationId, environmentId } = row.applicationId === null ? former : row;
  if (applicationId === null) return {};
  return { applicationId, environmentId, ...(!isOfPortal && { visibility: 'workspace' as const }) };
}

function statusOf({ confirmDigest }: Row): 'active' | 'unconfirmed' {
  return confirmDigest === null ? 'active' : 'unconfirmed';
}

function presentAlertRule(row: Row): z.input<typeof alertRule> {
  const { lastError, lastErrorCode, lastErrorStatus } = readAlertError(row);
  return {
    id: toId('alr', row.id),
    name: row.name,
    channel: row.channel as AlertChannel,
    target: row.targetShown,
    events: row.events as z.input<typeof alertRule>['events'],
    environmentId: idOrNull('env', row.environmentId),
    applicationId: idOrNull('app', row.applicationId),
    isOfPortal: row.isOfPortal,
    quietMinutes: row.quietMinutes,
    status: statusOf(row),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    lastError,
    lastErrorCode: lastErrorCode as AlertErrorCode | null,
    lastErrorStatus,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
