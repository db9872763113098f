import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { writeEntry } from '../../audit/change.ts';
import { lockWorkspace } from '../../workspaces/lock.ts';
import type { AccountContext } from '../account-route.ts';
import type { GroupRoles } from './oidc-settings.ts';
import { planRoles, type RoleChange, type Standing } from './plan-roles.ts';

/** More workspaces wait for the next sign-in. */
const MOST_CHANGES = 1_000;

type Input = { userId: string; groups: readonly string[]; mapping: GroupRoles };

/** Gives the person the roles of the groups, each workspace in a transaction of its own. The last owner of one stays. */
export async function applyGroups(ctx: AccountContext, input: Input): Promise<void> {
  if (input.mapping.size === 0) return;
  const planned = planRoles(input.groups, input.mapping, await readStandings(ctx, input));
  for (const { workspaceId } of planned.slice(0, MOST_CHANGES)) {
    await inTransaction(ctx.db, (transaction) => applyIn(ctx, transaction, input, workspaceId));
  }
}

/** The workspaces that groups concern: those that the mapping names or `*` means, and those of which groups made a member. */
async function readStandings(ctx: AccountContext, { userId, mapping }: Input): Promise<Standing[]> {
  const named = [...mapping.values()].map((group) => group.workspaceId);
  const isAll = named.includes('*');
  const ids = named.filter((id) => id !== '*');
  return ctx.db.$queryRaw<Standing[]>`
    select w.id as "workspaceId", m.role::text as role, coalesce(m.is_from_groups, false) as "isFromGroups"
    from workspace w left join member m on m.workspace_id = w.id and m.user_id = ${userId}::uuid
    where ${isAll}::boolean or w.id = any(${ids}::uuid[]) or m.is_from_groups
    order by w.id`;
}

/** Decides again under the lock. */
async function applyIn(
  ctx: AccountContext,
  transaction: DbTransaction,
  input: Input,
  workspaceId: string,
): Promise<void> {
  const { userId } = input;
  await lockWorkspace(transaction, workspaceId);
  const key = { workspaceId_userId: { workspaceId, userId } };
  const before = await transaction.member.findUnique({ where: key });
  const standing = { workspaceId, role: before?.role ?? null, isFromGroups: before?.isFromGroups ?? false };
  const [change] = planRoles(input.groups, input.mapping, [standing]);
  if (change === undefined || (await isBarred(transaction, standing, change))) return;
  const { role } = change;
  if (role === null) await transaction.member.delete({ where: key });
  else {
    const createdAt = ctx.clock.now();
    await transaction.member.upsert({
      where: key,
      create: { workspaceId, userId, role, isFromGroups: true, createdAt },
      update: { role, isFromGroups: true },
    });
  }
  if (role === standing.role) return;
  const actor = { type: 'system', id: 'sign-in-provider', label: `Groups of ${ctx.provider?.settings.name}` } as const;
  const by = { workspaceId, actor, origin: ctx.origin, clock: ctx.clock };
  const action = standing.role === null ? 'member.created' : role === null ? 'member.deleted' : 'member.updated';
  const changes = { role: { from: standing.role, to: role } };
  await writeEntry(transaction, by, action, { resourceId: toId('usr', userId), changes });
}

/** The last owner stays as it is, and a workspace that is full takes nobody. */
async function isBarred(transaction: DbTransaction, { role: before }: Standing, { workspaceId, role }: RoleChange) {
  if (before === 'owner' && role !== 'owner') {
    return (await transaction.member.count({ where: { workspaceId, role: 'owner' } })) === 1;
  }
  if (before !== null) return false;
  const [members, invited] = [
    await transaction.member.count({ where: { workspaceId } }),
    await transaction.invitation.count({ where: { workspaceId } }),
  ];
  return members + invited >= LIMITS.membersPerWorkspace;
}
