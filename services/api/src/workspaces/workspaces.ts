import { fromId, toId } from '@posthorn/contract/ids';
import { portalEventTerm, type updateWorkspaceBody } from '@posthorn/contract/workspaces';
import type { DbTransaction } from '@posthorn/db/client';
import { limitsOf } from '@posthorn/ingest/quota-limits';
import { NO_USAGE, readUsage } from '@posthorn/ingest/quota-usage';
import type { z } from 'zod';
import { hasSecondFactor, withSecondFactor } from '../account/second-factor/has-second-factor.ts';
import { diff } from '../audit/change.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { refuseLocalAddress } from '../operation/local-addresses.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { lockWorkspace } from './lock.ts';
import { refuseTokenOfNoOwner } from './token-of-owner.ts';

/** The workspace, as it was read during authentication, with the use of its quotas. */
export async function getWorkspace(ctx: WorkspaceContext) {
  return presentWithQuotas(ctx, ctx.workspace);
}

/**
 * Updates the workspace. It takes an owner, a token that an owner created, or a token that was created at the
 * installation. A dry run is rolled back, so it needs no such token.
 */
export async function updateWorkspace(
  ctx: WorkspaceContext,
  body: z.output<typeof updateWorkspaceBody>,
  { dryRun = false }: { dryRun?: boolean } = {},
) {
  for (const [index, origin] of (body.portalOrigins ?? []).entries()) {
    refuseLocalAddress(ctx.settings.baseUrl, origin, `portalOrigins[${index}]`, 'must be an https origin');
  }
  refuseLongerRetention(ctx, body);
  const changed = await ctx.change('workspace.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    if (!dryRun) await refuseTokenOfNoOwner(ctx, transaction);
    const before = await transaction.workspace.findUniqueOrThrow({ where: { id: ctx.workspace.id } });
    const after = {
      name: body.name ?? before.name,
      portalOrigins: body.portalOrigins ?? before.portalOrigins,
      portalTerms: body.portalTerms ?? presentPortalTerms(before),
      requireSecondFactor: body.requireSecondFactor ?? before.requireSecondFactor,
      ...retentionAfter(before, body),
    };
    if (after.requireSecondFactor && !before.requireSecondFactor) await refuseWithoutSecondFactor(ctx, transaction);
    const changes = diff({ ...before, portalTerms: presentPortalTerms(before) }, after);
    if (Object.keys(changes).length === 0) return { result: before, entry: null };
    const { portalTerms, ...columns } = after;
    const row = await transaction.workspace.update({
      where: { id: before.id },
      data: { ...columns, portalEventTerm: portalTerms.event, updatedAt: ctx.clock.now() },
    });
    return { result: row, entry: { resourceId: toId('ws', row.id), changes } };
  });
  return presentWithQuotas(ctx, changed);
}

type Retention = Pick<z.output<typeof updateWorkspaceBody>, 'payloadRetentionHours' | 'retentionHours'>;

/** A workspace keeps nothing longer than its installation. */
function refuseLongerRetention({ settings }: WorkspaceContext, body: Retention): void {
  const most = settings.retentionDays * 24;
  for (const field of ['payloadRetentionHours', 'retentionHours'] as const) {
    const given = body[field];
    if (typeof given === 'number' && given > most) {
      throw invalid(`${field} must be at most ${most}, the retention of this installation`, field);
    }
  }
}

function retentionAfter(
  before: Pick<WorkspaceContext['workspace'], 'payloadRetentionHours' | 'retentionHours'>,
  { payloadRetentionHours, retentionHours }: Retention,
) {
  return {
    payloadRetentionHours: payloadRetentionHours === undefined ? before.payloadRetentionHours : payloadRetentionHours,
    retentionHours: retentionHours === undefined ? before.retentionHours : retentionHours,
  };
}

/** An owner who requires a second factor has one. When a token requires it, some owner has one, who can take it back. */
async function refuseWithoutSecondFactor(
  { workspace, actor }: WorkspaceContext,
  transaction: DbTransaction,
): Promise<void> {
  const userId = fromId('usr', actor.id);
  if (userId !== undefined) {
    if (await hasSecondFactor(transaction, userId)) return;
    const message = 'Set up a second factor for your own account before you require one of every member';
    throw new ApiError('second_factor_required', message);
  }
  const owner = { workspaceId: workspace.id, role: 'owner', user: withSecondFactor } as const;
  if ((await transaction.member.count({ where: owner })) > 0) return;
  throw new ApiError('second_factor_required', 'An owner of the workspace must have set up a second factor first');
}

async function presentWithQuotas(ctx: WorkspaceContext, row: WorkspaceContext['workspace']) {
  const { retentionDays, quotas } = ctx.settings;
  const read = await readUsage(ctx.db, [row.id], { now: ctx.clock.now(), retentionDays });
  const { eventsToday, bytesKept, attemptBytesKept } = read.get(row.id) ?? NO_USAGE;
  const limits = limitsOf(row, quotas);
  return {
    ...presentWorkspace(row),
    installationRetentionHours: retentionDays * 24,
    quotas: {
      eventsPerDay: { limit: limits.eventsPerDay, used: eventsToday },
      bytesKept: { limit: limits.bytesKept, used: bytesKept },
      attemptBytesKept: { limit: limits.attemptBytesKept, used: attemptBytesKept },
    },
  };
}

export function presentWorkspace(row: WorkspaceContext['workspace']) {
  return {
    id: toId('ws', row.id),
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    portalOrigins: row.portalOrigins,
    portalTerms: presentPortalTerms(row),
    requireSecondFactor: row.requireSecondFactor,
    payloadRetentionHours: row.payloadRetentionHours,
    retentionHours: row.retentionHours,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentPortalTerms(row: Pick<WorkspaceContext['workspace'], 'portalEventTerm'>) {
  return { event: portalEventTerm.parse(row.portalEventTerm) };
}
