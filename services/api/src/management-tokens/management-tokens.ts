import { scope } from '@posthorn/contract/access';
import type { createManagementTokenBody, updateManagementTokenBody } from '@posthorn/contract/credentials';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import { notValid } from '../auth/credential.ts';
import { listEnvironments, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { presentWorkspace } from '../workspaces/workspaces.ts';

/** The workspace's management tokens, oldest first, without the tokens themselves. */
export async function listManagementTokens(ctx: WorkspaceContext, query: PageQuery) {
  return listRows(ctx, query, {
    name: ['management tokens'],
    read: ({ after, take }) =>
      ctx.db.managementToken.findMany({
        where: { workspaceId: ctx.workspace.id, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentToken,
  });
}

/** The requesting token with its workspace and environments: all that a program needs to begin. */
export async function getOwnManagementToken(ctx: WorkspaceContext) {
  const [row, environments] = await Promise.all([
    ctx.db.managementToken.findUnique({ where: { id: fromId('tok', ctx.actor.id) ?? '' } }),
    listEnvironments(ctx, {}),
  ]);
  // It may have been deleted since the request was authenticated.
  if (row === null) throw notValid('management');
  return { workspace: presentWorkspace(ctx.workspace), token: presentToken(row), environments };
}

/**
 * Creates a token and returns it: no other answer has the token itself. Throws `limit_reached` when the workspace has 100
 * tokens, disabled and expired ones included, and `not_found` for an environment that it does not have.
 */
export async function createManagementToken(ctx: WorkspaceContext, body: z.output<typeof createManagementTokenBody>) {
  const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) throw invalid('expiresAt must be in the future', 'expiresAt');
  return ctx.change('management_token.created', async (transaction) => {
    await requireRoom(ctx, transaction);
    await requireAdmin(ctx, transaction);
    const environmentIds = await environmentKeys(ctx, transaction, body.environmentIds ?? []);
    const token = newToken('management');
    const row = await transaction.managementToken.create({
      data: {
        id: newUuid(ctx.clock.now()),
        workspaceId: ctx.workspace.id,
        name: body.name,
        digest: digestToken(token),
        preview: tokenPreview(token),
        scopes: body.scopes,
        environmentIds,
        allowedNetworks: body.allowedNetworks ?? [],
        createdBy: fromId('usr', ctx.actor.id) ?? null,
        expiresAt,
      },
    });
    const shown = presentToken(row);
    const changes = {
      name: { from: null, to: shown.name },
      scopes: { from: null, to: shown.scopes },
      environmentIds: { from: null, to: shown.environmentIds },
      allowedNetworks: { from: null, to: shown.allowedNetworks },
      expiresAt: { from: null, to: shown.expiresAt },
    };
    return { result: { ...shown, token }, entry: { resourceId: shown.id, changes } };
  });
}

/** The keys of these environments, each once; `not_found` when one is missing. */
async function environmentKeys(ctx: WorkspaceContext, transaction: DbTransaction, ids: readonly string[]) {
  const keys = new Set<string>();
  for (const one of ids) keys.add((await requireEnvironment(ctx, transaction, one)).id);
  return [...keys];
}

/** A token of the workspace, without the token itself. Throws `not_found`. */
export async function getManagementToken(ctx: WorkspaceContext, id: string) {
  return presentToken(await requireToken(ctx, ctx.db, fromId('tok', id)));
}

/** Disables or enables a token. A disabled one is refused as `token_disabled` from the next request on. */
export async function updateManagementToken(
  ctx: WorkspaceContext,
  id: string,
  { isDisabled }: z.output<typeof updateManagementTokenBody>,
) {
  const action = isDisabled === true ? 'management_token.disabled' : 'management_token.enabled';
  return ctx.change(action, async (transaction) => {
    const before = await lockToken(ctx, transaction, id);
    if (isDisabled === undefined || isDisabled === before.isDisabled) {
      return { result: presentToken(before), entry: null };
    }
    const row = await transaction.managementToken.update({ where: { id: before.id }, data: { isDisabled } });
    const changes = { isDisabled: { from: before.isDisabled, to: isDisabled } };
    return { result: presentToken(row), entry: { resourceId: toId('tok', row.id), changes } };
  });
}

/** Deletes a token: it is refused from the next request on. */
export async function deleteManagementToken(ctx: WorkspaceContext, id: string) {
  return ctx.change('management_token.deleted', async (transaction) => {
    const before = await lockToken(ctx, transaction, id);
    await transaction.managementToken.delete({ where: { id: before.id } });
    const changes = { name: { from: before.name, to: null } };
    return { result: undefined, entry: { resourceId: toId('tok', before.id), changes } };
  });
}

/**
 * Deletes every token that this person created in the workspace, even when the person is no longer a member. Each is
 * refused from the next request on. `not_found` when there is none.
 */
export async function deleteManagementTokensOf(ctx: WorkspaceContext, userId: string) {
  return ctx.change('management_token.deleted', async (transaction) => {
    const createdBy = fromId('usr', userId);
    if (createdBy === undefined) throw notFound('Management token');
    const where = { workspaceId: ctx.workspace.id, createdBy };
    const tokens = await transaction.managementToken.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
    if (tokens.length === 0) throw notFound('Management token');
    await transaction.managementToken.deleteMany({ where });
    const changes = { tokenIds: { from: tokens.map(({ id }) => toId('tok', id)), to: [] } };
    return { result: undefined, entry: { resourceId: userId, changes } };
  });
}

/** Checks the role again under the workspace's lock: it may have ended, and the token would outlive it. */
async function requireAdmin({ workspace, actor }: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  const userId = fromId('usr', actor.id);
  if (userId === undefined) return;
  const where = { workspaceId: workspace.id, userId, role: { in: ['admin' as const, 'owner' as const] } };
  if ((await transaction.member.count({ where })) > 0) return;
  throw new ApiError('forbidden', 'Your role has ended meanwhile: only an admin or owner creates management tokens');
}

async function requireRoom(ctx: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  await lockWorkspace(transaction, ctx.workspace.id);
  const count = await transaction.managementToken.count({ where: { workspaceId: ctx.workspace.id } });
  if (count < LIMITS.managementTokensPerWorkspace) return;
  throw new ApiError(
    'limit_reached',
    `A workspace has at most ${LIMITS.managementTokensPerWorkspace} management tokens, disabled and expired ones included`,
  );
}

async function lockToken(ctx: WorkspaceContext, transaction: DbTransaction, id: string) {
  const uuid = fromId('tok', id);
  if (uuid === undefined) throw notFound('Management token');
  await transaction.$queryRaw`
    select 1 from management_token where id = ${uuid}::uuid and workspace_id = ${ctx.workspace.id}::uuid for no key update`;
  return requireToken(ctx, transaction, uuid);
}

async function requireToken(
  ctx: WorkspaceContext,
  db: Pick<Db | DbTransaction, 'managementToken'>,
  uuid: string | undefined,
) {
  const where = { id: uuid ?? '', workspaceId: ctx.workspace.id };
  const row = uuid === undefined ? null : await db.managementToken.findUnique({ where });
  if (row === null) throw notFound('Management token');
  return row;
}

type TokenRow = {
  id: string;
  name: string;
  preview: string;
  scopes: string[];
  environmentIds: string[];
  allowedNetworks: string[];
  isDisabled: boolean;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string | null;
};

function presentToken(row: TokenRow) {
  return {
    id: toId('tok', row.id),
    name: row.name,
    tokenPreview: row.preview,
    scopes: row.scopes.map((name) => scope.parse(name)),
    environmentIds: row.environmentIds.length === 0 ? null : row.environmentIds.map((key) => toId('env', key)),
    allowedNetworks: row.allowedNetworks.length === 0 ? null : row.allowedNetworks,
    isDisabled: row.isDisabled,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy === null ? null : toId('usr', row.createdBy),
  };
}
