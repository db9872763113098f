import { capability } from '@posthorn/contract/access';
import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { notValid, requireBearer } from './credential.ts';
import type { IsKnown } from './credential-lookup.ts';
import { type Authenticate, planRequired } from './principal.ts';

/**
 * Authenticates the customer portal (docs/interface.md, Credentials and interfaces): a `php_…` token determines its
 * workspace, application and environment. It ends with any of them, and is `plan_required` while the workspace has no
 * portal.
 */
export function createPortalAuth(deps: { db: Db; clock: Clock; isKnown: IsKnown }): Authenticate {
  return async (request, { spend }) => {
    const token = requireBearer(request, 'portal');
    if (!(await deps.isKnown(token))) throw notValid('portal');
    const record = await deps.db.portalSession.findUnique({
      where: { digest: digestToken(token.token) },
      include: {
        // Without its metadata: a join would convert them to jsonb, which refuses U+0000.
        application: { select: { name: true, deletedAt: true, workspace: true } },
        environment: { select: { deletedAt: true } },
      },
    });
    if (record === null || record.expiresAt <= deps.clock.now()) throw notValid('portal');
    const { application, environment } = record;
    if (application.deletedAt !== null || environment.deletedAt !== null) throw notValid('portal');
    spend(record.id);
    if (application.workspace.plan === 'free') throw planRequired();
    return {
      workspace: application.workspace,
      actor: { type: 'portal_session', id: toId('prt', record.id), label: application.name },
      grant: {
        kind: 'capabilities',
        capabilities: record.capabilities.map((name) => capability.parse(name)),
        applicationId: record.applicationId,
        environmentId: record.environmentId,
      },
    };
  };
}
