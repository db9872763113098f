import { fromId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * The origins that may frame the portal of a session (docs/interface.md, Workspace): those of its workspace; none for
 * a session that is unknown or has ended.
 */
export async function findPortalOrigins(
  { db, clock }: { db: Db; clock: Pick<Clock, 'now'> },
  sessionId: string,
): Promise<readonly string[]> {
  const id = fromId('prt', sessionId);
  if (id === undefined) return [];
  const session = await db.portalSession.findUnique({
    where: { id },
    select: { expiresAt: true, application: { select: { workspace: { select: { portalOrigins: true } } } } },
  });
  if (session === null || session.expiresAt <= clock.now()) return [];
  return session.application.workspace.portalOrigins;
}
