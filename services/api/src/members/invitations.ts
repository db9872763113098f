import type { Role } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { newInvitationToken } from '../auth/one-time-token.ts';
import { ownerOf, requireMailRoom } from '../mail/mail-room.ts';
import { invitationMail } from '../mail/mails.ts';
import type { WorkspaceContext } from '../operation/context.ts';

export type NewInvitation = {
  workspaceId: string;
  email: string;
  name: string;
  role: Role;
  now: Date;
  /** Whether the token goes to the address by mail, and to nobody else. */
  isMailed: boolean;
};

export type InvitationRow = {
  id: string;
  workspaceId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
};

/** An invitation of an address to the workspace, and the token with which its holder accepts it. */
export async function createInvitation(transaction: DbTransaction, { now, isMailed, ...offer }: NewInvitation) {
  const { token, digest, endsAt } = newInvitationToken(now);
  const mailedDigest = isMailed ? digest : null;
  const row: InvitationRow = await transaction.invitation.create({
    data: { id: newUuid(now), ...offer, digest, mailedDigest, tokenEndsAt: endsAt, createdAt: now },
  });
  return { row, setPasswordToken: token };
}

/** A new token for the invitation; the previous one becomes void. */
export async function renewInvitation(
  transaction: DbTransaction,
  id: string,
  { now, isMailed }: Pick<NewInvitation, 'now' | 'isMailed'>,
): Promise<string> {
  const { token, digest, endsAt } = newInvitationToken(now);
  const mailedDigest = isMailed ? digest : null;
  await transaction.invitation.update({ where: { id }, data: { digest, mailedDigest, tokenEndsAt: endsAt } });
  return token;
}

/**
 * Mails the link to the invited person, where there is a mail server: then nobody else gets the token, and the answer has null.
 * Without one, the answer has the token, to be passed on.
 */
export async function passInvitationOn(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { email, token }: { email: string; token: string },
): Promise<string | null> {
  const { workspace, settings, sealingKeys, actor } = ctx;
  if (!settings.sendsMail) return token;
  await requireMailRoom(ctx, transaction, { to: email, kind: 'invitation' });
  const content = invitationMail({
    baseUrl: settings.baseUrl,
    workspaceName: workspace.name,
    invitedBy: actor.label,
    token,
    passwordLogin: settings.passwordLogin,
    provider: settings.signInProvider,
  });
  const of = { workspaceId: workspace.id, ownerId: ownerOf(workspace) };
  const mail = { kind: 'invitation' as const, ...of, to: email, content };
  await queueMail(transaction, sealingKeys, { mail, now: ctx.clock.now() });
  return null;
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
