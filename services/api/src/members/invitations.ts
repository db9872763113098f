import type { Role } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { newInvitationToken } from '../auth/one-time-token.ts';
import { requireMailRoom } from '../mail/mail-room.ts';
import { invitationMail } from '../mail/mails.ts';
import type { WorkspaceContext } from '../operation/context.ts';

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

/** Mails the link to the invited person, where there is a mail server. */
export async function mailInvitation(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { email, token }: { email: string; token: string },
): Promise<void> {
  const { workspace, settings, sealingKeys, actor } = ctx;
  if (!settings.sendsMail) return;
  await requireMailRoom(ctx, transaction);
  const content = invitationMail({
    baseUrl: settings.baseUrl,
    workspaceName: workspace.name,
    invitedBy: actor.label,
    token,
    passwordLogin: settings.passwordLogin,
    provider: settings.signInProvider,
  });
  const mail = { kind: 'invitation' as const, workspaceId: workspace.id, to: email, content };
  await queueMail(transaction, sealingKeys, { mail, now: ctx.clock.now() });
}

/** `id` is the invitation's own id, so that it does not reveal whether the address has an account. */
export function presentInvitation(row: InvitationRow) {
  return {
    userId: toId('usr', row.id),
    email: row.email,
    name: row.name,
    role: row.role,
    status: 'invited' as const,
    hasSecondFactor: null,
    createdAt: row.createdAt.toISOString(),
  };
}
