import type { Role } from '@posthorn/contract/access';
import { fromId, newUuid } from '@posthorn/contract/ids';
import { digestToken, newToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';

/**
 * Inserts a new person with this role in the workspace directly into the tables. Returns a session token that is valid
 * for an hour.
 */
export async function seedSession(db: Db, { workspaceId, role }: { workspaceId: string; role: Role }): Promise<string> {
  const userId = newUuid(new Date());
  const token = newToken('session');
  const endsAt = new Date(Date.now() + 3_600_000);
  await db.user.create({
    data: { id: userId, email: `${userId}@example.com`, name: 'Test', addressProvenAt: new Date() },
  });
  await db.member.create({ data: { userId, workspaceId: fromId('ws', workspaceId) ?? '', role } });
  await db.session.create({
    data: { id: newUuid(new Date()), userId, digest: digestToken(token), expiresAt: endsAt, endsAt },
  });
  return token;
}
