import {
  AGENT_SUBSCRIPTION_ID,
  type agentSubscription,
  type listAgentSubscriptionsQuery,
} from '@posthorn/contract/agents';
import { toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { requireAgents } from '../environments/agent-settings.ts';
import { requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { notFound } from '../transport/error.ts';
import { type CallbackState, readCallbackStates } from './callback-state.ts';

type Shown = z.output<typeof agentSubscription>;

/** The subscriptions within the caller's reach, newest first. */
export async function listAgentSubscriptions(
  ctx: WorkspaceContext,
  query: z.output<typeof listAgentSubscriptionsQuery>,
) {
  requireAgents(ctx);
  const environment =
    query.environment_id === undefined ? undefined : await requireEnvironment(ctx, ctx.db, query.environment_id);
  const application =
    query.application_id === undefined ? undefined : await requireApplication(ctx, ctx.db, query.application_id);
  const { status, event_type: eventType } = query;
  const filters = [
    environment && Prisma.sql`a.environment_id = ${environment.id}::uuid`,
    application && Prisma.sql`a.application_id = ${application.id}::uuid`,
    eventType === undefined ? undefined : Prisma.sql`a.event_type = ${eventType}::text`,
    status && HAS_STATUS[status],
  ].filter((filter) => filter !== undefined);
  const list = [
    'agent subscriptions',
    environment?.id ?? null,
    application?.id ?? null,
    eventType ?? null,
    status ?? null,
  ];
  const before = query.cursor === undefined ? undefined : openPageCursor(ctx, query.cursor, list);
  const conditions = before === undefined ? filters : [...filters, Prisma.sql`a.endpoint_id < ${before}::uuid`];
  const rows = await readRows(ctx, ctx.listDb, conditions, query.limit + 1);
  const page = rows.slice(0, query.limit);
  return {
    agentSubscriptions: page.map(({ shown }) => shown),
    nextCursor: rows.length > query.limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
}

/** The live subscription, or the one that ended last; `not_found` when there is none within the caller's reach. */
export async function getAgentSubscription(ctx: WorkspaceContext, id: string): Promise<Shown> {
  requireAgents(ctx);
  const isId = AGENT_SUBSCRIPTION_ID.test(id);
  const [row] = isId ? await readRows(ctx, ctx.db, [Prisma.sql`a.identity = ${id}::text`], 1) : [];
  if (row === undefined) throw notFound('Subscription of an agent');
  return row.shown;
}

/** Ends a live subscription, because a person wants it. One that has ended stays as it is. */
export async function endAgentSubscription(ctx: WorkspaceContext, id: string) {
  const before = await getAgentSubscription(ctx, id);
  return ctx.change('agent_subscription.ended', async (transaction) => {
    const [ended] = await endSubscriptions(transaction, Prisma.sql`a.identity = ${id}::text and ${reachOf(ctx)}`, {
      reason: 'person',
    });
    if (ended === undefined) return { result: undefined, entry: null };
    const changes = { eventType: { from: before.eventType, to: null }, endReason: { from: null, to: 'person' } };
    const { applicationId, environmentId } = ended;
    return { result: undefined, entry: { resourceId: id, changes, applicationId, environmentId } };
  });
}

/** An expired subscription has ended, even if maintenance has not ended its row yet. */
const HAS_ENDED = Prisma.sql`(a.ended_at is not null or a.expires_at <= now())`;
/** The breaker of the callback is open, as in `callback-state`. */
const IS_SUSPENDED = Prisma.sql`exists (
  select from endpoint_health h where h.endpoint_id = a.endpoint_id and h.open_until is not null)`;
const HAS_STATUS: Record<Shown['status'], Prisma.Sql> = {
  active: Prisma.sql`(not ${HAS_ENDED} and not ${IS_SUSPENDED})`,
  suspended: Prisma.sql`(not ${HAS_ENDED} and ${IS_SUSPENDED})`,
  ended: HAS_ENDED,
};

/** The condition for the subscriptions within the caller's reach. */
function reachOf({ workspace, bounds }: Pick<WorkspaceContext, 'workspace' | 'bounds'>): Prisma.Sql {
  const environments = reachedEnvironments(bounds);
  const within = environments && Prisma.sql`and a.environment_id = any(${environments}::uuid[])`;
  const of = bounds.applicationId && Prisma.sql`and a.application_id = ${bounds.applicationId}::uuid`;
  return Prisma.sql`a.workspace_id = ${workspace.id}::uuid ${within ?? Prisma.empty} ${of ?? Prisma.empty}`;
}

type Row = {
  id: string;
  identity: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string;
  arguments: Record<string, unknown>;
  url: string;
  principal: string;
  keyName: string | null;
  clientName: string | null;
  hasEnded: boolean;
  endReason: Shown['endReason'];
  expiresAt: Date;
  createdAt: Date;
  refreshedAt: Date;
  endedAt: Date | null;
};

async function readRows(
  ctx: Pick<WorkspaceContext, 'workspace' | 'bounds' | 'clock'>,
  db: Pick<Db | DbTransaction, '$queryRaw'>,
  conditions: readonly Prisma.Sql[],
  take: number,
): Promise<{ id: string; shown: Shown }[]> {
  const rows = await db.$queryRaw<Row[]>`
    select a.endpoint_id as id, a.identity, a.environment_id as "environmentId", a.application_id as "applicationId",
      a.event_type as "eventType", a.arguments, a.url, a.principal, k.name as "keyName", a.client_name as "clientName",
      ${HAS_ENDED} as "hasEnded", a.end_reason as "endReason", a.expires_at as "expiresAt", a.created_at as "createdAt",
      a.refreshed_at as "refreshedAt", a.ended_at as "endedAt"
    from agent_subscription a left join agent_key k on k.id = a.agent_key_id
    where ${Prisma.join([reachOf(ctx), ...conditions], ' and ')}
    order by a.endpoint_id desc limit ${take}::int`;
  const ids = rows.map(({ id }) => id);
  const states = await readCallbackStates(db, ids, ctx.clock.now());
  return rows.map((row) => ({ id: row.id, shown: present(row, states.get(row.id)) }));
}

function present(row: Row, state: CallbackState | undefined): Shown {
  const expired = row.hasEnded && row.endReason === null;
  const isSuspended = state?.isSuspended === true;
  return {
    id: row.identity,
    endpointId: toId('ep', row.id),
    environmentId: toId('env', row.environmentId),
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    eventType: row.eventType,
    arguments: row.arguments,
    url: row.url,
    principal: principalOf(row),
    clientName: row.clientName,
    status: row.hasEnded ? 'ended' : isSuspended ? 'suspended' : 'active',
    endReason: expired ? 'expired' : row.endReason,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    refreshedAt: row.refreshedAt.toISOString(),
    endedAt: (expired ? row.expiresAt : row.endedAt)?.toISOString() ?? null,
    lastDeliveryAt: state?.lastDeliveryAt?.toISOString() ?? null,
    lastError: state?.lastError ?? null,
  };
}

/** The name of the key, or the issuer of a login: `oauth:<application>:<issuer>#<name of the subject>`. */
function principalOf({ principal, keyName }: Pick<Row, 'principal' | 'keyName'>): Shown['principal'] {
  const issuer = /^oauth:[^:]*:(.*)#[^#]*$/.exec(principal)?.[1];
  return issuer === undefined ? { kind: 'key', name: keyName } : { kind: 'oauth', name: issuer };
}
