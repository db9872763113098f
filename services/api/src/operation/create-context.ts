import { fromId } from '@posthorn/contract/ids';
import { FOR_MS } from '@posthorn/ingest/gates';
import { createChanges, type RequestOrigin } from '../audit/change.ts';
import type { Holder } from '../audit/changes-per-day.ts';
import { boundsOf, claimantOf, grantable, mayTransform, type Principal, sight } from '../auth/principal.ts';
import type { Limits } from '../limits.ts';
import type { Services, WorkspaceContext } from './context.ts';
import type { FirstRequest } from './idempotency-key.ts';

type Caller = {
  principal: Principal;
  limits: Limits;
  first: FirstRequest | undefined;
  origin: RequestOrigin;
  linkNext: WorkspaceContext['linkNext'];
};

/** The context of one operation, with the rights of its caller. */
export function createContext(
  services: Services,
  { principal, limits, first, origin, linkNext }: Caller,
): WorkspaceContext {
  const { workspace, actor, grant } = principal;
  const claimant = claimantOf(principal);
  let mayBegin = true;
  return {
    ...services,
    vetUrl: (url) => limits.lookups.run(claimant, () => services.vetUrl(url)),
    workspace,
    actor,
    claimant,
    role: grant.kind === 'role' ? grant.role : null,
    bounds: boundsOf(principal),
    sees: sight(principal),
    mayTransform: mayTransform(principal),
    grantable: grantable(principal),
    linkNext,
    inListTurn: (work) => limits.lists.run(claimant, work),
    inPageTurn(work) {
      const first = mayBegin ? { waitsMs: FOR_MS } : {};
      mayBegin = false;
      return limits.pages.run(claimant, work, first);
    },
    inFilterTurn: (work) => limits.filters.run(claimant, work),
    ...createChanges(
      services.db,
      limits,
      {
        claimant,
        workspaceId: workspace.id,
        actor,
        origin,
        clock: services.clock,
        countedBy: {
          holder: holderOf(principal),
          limits: services.settings.changesPerDay,
        },
      },
      first,
    ),
  };
}

/** The holder for whom a caller's changes count. Changes by agents of a customer do not count for its portal. */
function holderOf({ workspace, actor, grant }: Principal): Holder {
  if (grant.kind !== 'capabilities') return { id: workspace.id, kind: 'workspace' };
  const agentKeyId = actor.type === 'agent_key' ? fromId('agk', actor.id) : undefined;
  if (agentKeyId !== undefined) return { id: agentKeyId, kind: 'agentKey' };
  // The digest that names the subject of an access token has the length of a UUID.
  if (actor.type === 'agent') return { id: actor.id, kind: 'agentKey' };
  return { id: grant.applicationId, kind: 'application' };
}
