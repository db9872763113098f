import { CAPABILITIES, type Capability, type Role, SCOPES, type Scope } from '@posthorn/contract/access';
import type { Claimant } from '@posthorn/runtime/gate';
import type { Request } from 'express';
import type { Actor } from '../audit/change.ts';
import type { WorkspaceRecord } from '../operation/context.ts';
import type { Route } from '../operation/route.ts';
import { ApiError } from '../transport/error.ts';
import type { Bounds } from './bounds.ts';

/** An authenticated caller, its workspace and its rights. */
export type Principal = {
  workspace: WorkspaceRecord;
  actor: Actor;
  grant:
    | {
        kind: 'scopes';
        scopes: readonly Scope[];
        /** The keys of the environments to which the token is bound; undefined for all of the workspace. */
        environmentIds?: string[] | undefined;
      }
    | { kind: 'role'; role: Role }
    | { kind: 'capabilities'; capabilities: readonly Capability[]; applicationId: string; environmentId: string };
};

/** The caller as the gates of this process count it (limits.ts). */
export function claimantOf({ workspace, grant }: Pick<Principal, 'workspace' | 'grant'>): Claimant {
  const applicationId = grant.kind === 'capabilities' ? grant.applicationId : undefined;
  return { ownerId: workspace.createdBy ?? workspace.id, workspaceId: workspace.id, applicationId };
}

export type Entrance = {
  /** The workspace's id in the path; undefined where the path has none, and the token determines the workspace. */
  workspaceId: string | undefined;
  /**
   * Spends one request of the credential's rate limit, or throws `rate_limited`. Called once the credential is known.
   */
  spend: (credentialId: string) => void;
  /** Set for a further look in the same request: it does not count as use of a session, and does not extend it. */
  isAgain?: true;
};

/**
 * Authenticates a caller, or throws `unauthorized` (`token_disabled`, or `not_found` for a workspace that the caller
 * cannot access).
 */
export type Authenticate = (request: Request, entrance: Entrance) => Promise<Principal>;

/** Refuses a route that the credential does not allow (`forbidden`) or the plan does not include (`plan_required`). */
export function authorize({ grant, workspace }: Principal, route: Route): void {
  switch (grant.kind) {
    case 'scopes':
      if (!route.scopes.some((scope) => grant.scopes.includes(scope))) {
        throw new ApiError('forbidden', `This token lacks the scope ${route.scopes.join(' or ')}`);
      }
      if (grant.environmentIds !== undefined && !route.inEnvironment) throw new ApiError('forbidden', BOUND_TOKEN);
      break;
    case 'role':
      requireRole(grant, route.role);
      break;
    case 'capabilities':
      if (route.capability === 'any') break;
      if (route.capability === undefined || !grant.capabilities.includes(route.capability)) {
        throw new ApiError('forbidden', `This portal session lacks the capability ${route.capability ?? 'for this'}`);
      }
  }
  if (route.paid && workspace.plan === 'free') throw planRequired();
}

const BOUND_TOKEN = 'This token is bound to environments, and this concerns the whole workspace';

export function planRequired(): ApiError {
  return new ApiError('plan_required', 'This needs the Pro plan or above');
}

/** The part of its workspace that the caller reaches. */
export function boundsOf({ grant }: Pick<Principal, 'grant'>): Bounds {
  if (grant.kind === 'capabilities') {
    return { applicationId: grant.applicationId, environmentId: grant.environmentId };
  }
  const environmentIds = grant.kind === 'scopes' ? grant.environmentIds : undefined;
  return environmentIds === undefined ? {} : { environmentId: { in: environmentIds } };
}

/** Throws `forbidden` for a session whose role may do less than `least`. A token has no role: its scopes count. */
export function requireRole({ role }: { role: Role | null }, least: Role): void {
  if (role === null || roleRank(role) >= roleRank(least)) return;
  throw new ApiError('forbidden', `This needs the role ${least}; yours is ${role}`);
}

/** A higher rank may do more. */
function roleRank(role: Role): number {
  return { viewer: 0, member: 1, admin: 2, owner: 3 }[role];
}

/** Which sensitive parts of resources the caller may see (docs/interface.md, Management token scopes). */
export function sight({ grant }: Principal): { secrets: boolean; payloads: boolean; deliveries: boolean } {
  if (grant.kind === 'capabilities') {
    const may = (capability: Capability) => grant.capabilities.includes(capability);
    return { secrets: may('secrets:read'), payloads: may('payloads:read'), deliveries: may('deliveries:read') };
  }
  const has = scopesOf(grant);
  return { secrets: has('write') || has('keys'), payloads: has('payloads'), deliveries: has('read') };
}

/** Whether the caller may change the code of transformations. In a portal it takes more than the right to write endpoints. */
export function mayTransform({ grant }: Principal): boolean {
  return grant.kind === 'capabilities'
    ? grant.capabilities.includes('transformations:write')
    : scopesOf(grant)('write');
}

/**
 * The most that a portal session made by this caller may do: no more than the caller itself (docs/interface.md, Portal
 * capabilities).
 */
export function grantable({ grant }: Principal): readonly Capability[] {
  if (grant.kind === 'capabilities') return grant.capabilities;
  const has = scopesOf(grant);
  const allowed: Record<Capability, boolean> = {
    'endpoints:read': has('read'),
    'endpoints:write': has('write'),
    'secrets:read': has('read') && (has('write') || has('keys')),
    'secrets:rotate': has('keys'),
    'deliveries:read': has('read'),
    'deliveries:retry': has('write'),
    'payloads:read': has('read') && has('payloads'),
    'events:test': has('write'),
    'transformations:write': has('write'),
    'alerts:write': has('write'),
  };
  return CAPABILITIES.filter((capability) => allowed[capability]);
}

function scopesOf(grant: Exclude<Principal['grant'], { kind: 'capabilities' }>): (scope: Scope) => boolean {
  const scopes = grant.kind === 'scopes' ? grant.scopes : SCOPES_OF_ROLE[grant.role];
  return (scope) => scopes.includes(scope);
}

/** The rights of a role, as token scopes (docs/interface.md, Roles). */
const SCOPES_OF_ROLE: Record<Role, readonly Scope[]> = {
  viewer: ['read'],
  member: ['read', 'write', 'payloads'],
  admin: SCOPES,
  owner: SCOPES,
};
