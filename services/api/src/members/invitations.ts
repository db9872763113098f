import type { Role } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { newInvitationToken } from '../auth/one-time-token.ts';

export type NewInvitation = { workspaceId: string; email: string; name: string; role: Role; now: Date };

export type InvitationRow = {
  id: string;
  workspaceId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
};

/** An invitation of an address to the workspace, and the token with which its holder accepts it. */
export async function createInvitation(transaction: DbTransaction, { now, ...offer }: NewInvitation) {
  const { token, digest, endsAt } = newInvitationToken(now);
  const row: InvitationRow = await transaction.invitation.create({
    data: { id: newUuid(now), ...offer, digest, tokenEndsAt: endsAt, createdAt: now },
  });
  return { row, setPasswordToken: token };
}

/** A new token for the invitation; the previous one becomes void. */
export async function renewInvitation(transaction: DbTransaction, id: string, now: Date): Promise<string> {
  const { token, digest, endsAt } = newInvitationToken(now);
  await transaction.invitation.update({ where: { id }, data: { digest, tokenEndsAt: endsAt } });
  return token;
}

/** `id` is the invitation's own id, so that it does not reveal whether the address has an account. */
export function presentInvitation(row: InvitationRow) {
  return {
    userId: toId('usr', row.id),
    email: row.email,
    name: row.name,
    role: row.role,
    status: 'invited' as const,
    createdAt: row.createdAt.toISOString(),
  };
}
