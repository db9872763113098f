import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { writeEntry } from '../../audit/change.ts';
import { lockWorkspace } from '../../workspaces/lock.ts';
import type { AccountContext } from '../account-route.ts';
import type { GroupRoles } from './oidc-settings.ts';
import { planRoles, type RoleChange, type Standing } from './plan-roles.ts';

/**
 * The most memberships that one sign-in adds; the rest wait for the next. Existing memberships always change at once:
 * rights that ended do not wait.
 */
const MOST_ADDED = 1_000;
/** Workspaces that one query reads. */
const PAGE = 500;

type Input = { userId: string; groups: readonly string[]; mapping: GroupRoles };

/**
 * Gives the person the roles of their groups, each workspace in a transaction of its own. Ends memberships that groups
 * gave before and no longer give; an empty mapping gives none. The last owner of a workspace stays.
 */
export async function applyGroups(ctx: AccountContext, input: Input): Promise<void> {
  let added = 0;
  for await (const { workspaceId, isNew } of plannedChanges(ctx, input)) {
    if (isNew && added === MOST_ADDED) return;
    if (isNew) added += 1;
    await inTransaction(ctx.db, (transaction) => applyIn(ctx, transaction, input, workspaceId));
  }
}

/** Yields changes of existing memberships first, then new memberships. */
async function* plannedChanges(ctx: AccountContext, input: Input): AsyncGenerator<RoleChange & { isNew: boolean }> {
  for (const read of [readMemberships, readOthers]) {
    let page: Standing[];
    let after: string = NIL_UUID;
    do {
      page = await read(ctx, input, after);
      const changes = planRoles(input.groups, input.mapping, page);
      yield* changes.map((change) => ({ ...change, isNew: read === readOthers }));
      after = page.at(-1)?.workspaceId ?? after;
    } while (page.length === PAGE);
  }
}

function readMemberships({ db }: AccountContext, { userId }: Input, after: string): Promise<Standing[]> {
  return db.$queryRaw<Standing[]>`
    select workspace_id as "workspaceId", role::text as role, is_from_groups as "isFromGroups" from member
    where user_id = ${userId}::uuid and workspace_id > ${after}::uuid order by workspace_id limit ${PAGE}::int`;
}

/** Workspaces in which the person is no member, but gets a role by a group. A group names one workspace, or all. */
async function readOthers(
  { db }: AccountContext,
  { userId, groups, mapping }: Input,
  after: string,
): Promise<Standing[]> {
  const named = groups.flatMap((group) => mapping.get(group)?.workspaceId ?? []);
  if (named.length === 0) return [];
  const ids = named.filter((id) => id !== '*');
  return db.$queryRaw<Standing[]>`
    select id as "workspaceId", null as role, false as "isFromGroups" from workspace w
    where id > ${after}::uuid and (${ids.length < named.length}::boolean or id = any(${ids}::uuid[]))
      and not exists (select from member m where m.workspace_id = w.id and m.user_id = ${userId}::uuid)
    order by id limit ${PAGE}::int`;
}

/** Plans the change of one workspace again under its lock, and makes it. */
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

/** Bars two changes: a workspace keeps its last owner, and a full workspace takes no new members. */
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
