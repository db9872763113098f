import type { createAgentKeyBody, listAgentKeysQuery } from '@posthorn/contract/agents';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import type { z } from 'zod';
import { holdApplication, requireApplication } from '../applications/require-application.ts';
import { countsOf } from '../audit/change.ts';
import { planRequired } from '../auth/principal.ts';
import { requireAgents } from '../environments/agent-settings.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** The keys within the caller's reach, oldest first. Expired ones are listed until they are deleted. */
export async function listAgentKeys(ctx: WorkspaceContext, query: z.output<typeof listAgentKeysQuery>) {
  requireAgents(ctx);
  const environment =
    query.environment_id === undefined ? undefined : await requireEnvironment(ctx, ctx.db, query.environment_id);
  const application =
    query.application_id === undefined ? undefined : await requireApplication(ctx, ctx.db, query.application_id);
  const where: Prisma.AgentKeyWhereInput = {
    AND: [
      ctx.bounds,
      environment === undefined ? {} : { environmentId: environment.id },
      application === undefined ? {} : { applicationId: application.id },
    ],
    workspaceId: ctx.workspace.id,
  };
  const list = ['agent keys', environment?.id ?? null, application?.id ?? null];
  const after = query.cursor === undefined ? undefined : openPageCursor(ctx, query.cursor, list);
  const rows = await ctx.db.agentKey.findMany({
    where: { ...where, ...(after === undefined ? {} : { id: { gt: after } }) },
    orderBy: { id: 'asc' },
    take: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const nextCursor = rows.length > query.limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null;
  return { agentKeys: page.map(presentAgentKey), nextCursor };
}

/**
 * Creates a key of the workspace, or of the application that the body names; in a portal, of the session's application.
 */
export async function createAgentKey(ctx: WorkspaceContext, body: z.output<typeof createAgentKeyBody>) {
  requireAgents(ctx);
  const expiresAt = endOf(ctx, body.expiresAt);
  if (body.applicationId != null && ctx.workspace.plan === 'free') throw planRequired();
  const named = body.applicationId == null ? undefined : await requireApplication(ctx, ctx.db, body.applicationId);
  const applicationId = named?.id ?? ctx.bounds.applicationId ?? null;
  return ctx.change('agent_key.created', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const environment = await requireEnvironment(ctx, transaction, body.environmentId);
    await holdEnvironment(transaction, environment.id);
    if (applicationId !== null) await holdApplication(transaction, applicationId);
    await requireRoom(ctx, transaction, applicationId);
    const key = newToken('agentKey');
    const row = await transaction.agentKey.create({
      data: {
        id: newUuid(ctx.clock.now()),
        workspaceId: ctx.workspace.id,
        environmentId: environment.id,
        applicationId,
        name: body.name,
        digest: digestToken(key),
        preview: tokenPreview(key),
        expiresAt,
      },
    });
    const shown = presentAgentKey(row);
    const changes = {
      name: { from: null, to: shown.name },
      environmentId: { from: null, to: shown.environmentId },
      applicationId: { from: null, to: shown.applicationId },
      expiresAt: { from: null, to: shown.expiresAt },
    };
    const entry = { resourceId: shown.id, changes, applicationId, environmentId: environment.id };
    return { result: { ...shown, key }, entry };
  });
}

/** Ends the key and, in the same transaction, everything that was subscribed with it. */
export async function deleteAgentKey(ctx: WorkspaceContext, id: string) {
  requireAgents(ctx);
  return ctx.change('agent_key.deleted', async (transaction) => {
    const uuid = fromId('agk', id);
    const where = { workspaceId: ctx.workspace.id, ...ctx.bounds };
    const before = uuid === undefined ? null : await transaction.agentKey.findFirst({ where: { ...where, id: uuid } });
    if (before === null) throw notFound('Agent key');
    // Delete the key first. A subscription that is being made has locked it, so this waits, and then ends it, too.
    await transaction.agentKey.deleteMany({ where: { id: before.id } });
    const ended = await endSubscriptions(transaction, Prisma.sql`a.agent_key_id = ${before.id}::uuid`, {
      reason: 'key_revoked',
    });
    const changes = {
      name: { from: before.name, to: null },
      ...countsOf('agentSubscriptions', { from: ended.length }),
    };
    const { applicationId, environmentId } = before;
    return { result: undefined, entry: { resourceId: toId('agk', before.id), changes, applicationId, environmentId } };
  });
}

const DAY_MS = 86_400_000;

/** The end of a new key: every key has one. */
function endOf({ clock }: WorkspaceContext, given: string | undefined): Date {
  const now = clock.now().getTime();
  const latest = new Date(now + LIMITS.agentKeyDays * DAY_MS);
  if (given === undefined) return latest;
  const expiresAt = new Date(given);
  if (expiresAt.getTime() <= now) throw invalid('expiresAt must be in the future', 'expiresAt');
  // The clock of the caller may be a little ahead.
  if (expiresAt.getTime() > latest.getTime() + DAY_MS) {
    throw invalid(`expiresAt must be at most ${LIMITS.agentKeyDays} days ahead`, 'expiresAt');
  }
  return expiresAt < latest ? expiresAt : latest;
}

async function requireRoom(ctx: WorkspaceContext, transaction: DbTransaction, applicationId: string | null) {
  const { agentKeysPerApplication, agentKeysPerWorkspace } = LIMITS;
  const live = { workspaceId: ctx.workspace.id, expiresAt: { gt: ctx.clock.now() } };
  if (applicationId !== null) {
    if ((await transaction.agentKey.count({ where: { ...live, applicationId } })) >= agentKeysPerApplication)
      throw new ApiError('limit_reached', `An application has at most ${agentKeysPerApplication} agent keys`);
    return;
  }
  if ((await transaction.agentKey.count({ where: { ...live, applicationId } })) >= agentKeysPerWorkspace)
    throw new ApiError('limit_reached', `A workspace has at most ${agentKeysPerWorkspace} agent keys of its own`);
}

type AgentKeyRow = {
  id: string;
  name: string;
  environmentId: string;
  applicationId: string | null;
  preview: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
};

function presentAgentKey(row: AgentKeyRow) {
  return {
    id: toId('agk', row.id),
    name: row.name,
    environmentId: toId('env', row.environmentId),
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    keyPreview: row.preview,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
  };
}
