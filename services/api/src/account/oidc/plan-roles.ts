import type { Role } from '@posthorn/contract/access';
import type { GroupRoles } from './oidc-settings.ts';

/** A workspace, and the person's membership there. */
export type Standing = { workspaceId: string; role: Role | null; isFromGroups: boolean };

/** The membership that a workspace should have: null to end it. */
export type RoleChange = { workspaceId: string; role: Role | null };

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/**
 * Plans how the groups of a person change their memberships. The highest role of the groups applies. A membership that
 * groups gave ends when no group gives it any more. A membership that a member gave stays as it is until a group gives
 * a role in its workspace. Changes of existing memberships come first: when there are too many changes for one sign-in,
 * rights that ended do not wait.
 */
export function planRoles(
  groups: readonly string[],
  mapping: GroupRoles,
  standings: readonly Standing[],
): RoleChange[] {
  const given = groups.flatMap((name) => mapping.get(name) ?? []);
  const existing = standings.filter(({ role }) => role !== null);
  const added = standings.filter(({ role }) => role === null);
  return [...existing, ...added].flatMap(({ workspaceId, role: before, isFromGroups }): RoleChange[] => {
    const roles = given.filter((group) => group.workspaceId === '*' || group.workspaceId === workspaceId);
    const role = roles.map((group) => group.role).sort((a, b) => RANK[b] - RANK[a])[0] ?? null;
    if (role === null) return isFromGroups && before !== null ? [{ workspaceId, role }] : [];
    return role === before && isFromGroups ? [] : [{ workspaceId, role }];
  });
}
