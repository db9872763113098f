import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import { type ComposedMail, composeMail, type MailContent } from './compose.ts';
import { digestOfAddress } from './mail-quota.ts';

export const MAIL_KINDS = [
  'invitation',
  'password_reset',
  'access_ended',
  'made_owner',
  'second_factor_guessed',
  'alert',
  'alert_confirmation',
  'alert_test',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export type NewMail = {
  kind: MailKind;
  /** The workspace or the account that the mail is about. */
  workspaceId?: string;
  userId?: string;
  /** The owner of the workspace: the account that created it, or the workspace itself. */
  ownerId?: string;
  /** For an alert: its rule, and the applications that it names. Deleting the rule also cancels the mail. */
  ruleId?: string;
  applicationIds?: readonly string[];
  /** An address that was validated by the contract's `emailAddress`. */
  to: string;
  content: MailContent;
};

/** A mail as it is sent. */
export type Mail = ComposedMail & {
  to: string;
  /** The address at which the reader can stop such mails. Mail programs read it in a header. */
  stopUrl?: string;
};

/**
 * Queues a mail. It is sent soon after the transaction. While the mail server refuses it, it is retried for a day. The
 * mail is stored sealed, because its links are credentials.
 */
export async function queueMail(
  transaction: Pick<DbTransaction, 'outgoingMail'>,
  keys: SealingKeys,
  { mail, now }: { mail: NewMail; now: Date },
): Promise<void> {
  const id = newUuid(now);
  const { stopUrl } = mail.content;
  const sent: Mail = { to: mail.to, ...composeMail(mail.content), ...(stopUrl !== undefined && { stopUrl }) };
  const content = seal(keys, Buffer.from(JSON.stringify(sent), 'utf8'), sealContext.outgoingMail(id));
  await transaction.outgoingMail.create({
    data: {
      id,
      kind: mail.kind,
      workspaceId: mail.workspaceId ?? null,
      userId: mail.userId ?? null,
      ownerId: mail.ownerId ?? null,
      addressDigest: digestOfAddress(mail.to),
      ruleId: mail.ruleId ?? null,
      applicationIds: [...(mail.applicationIds ?? [])],
      content: new Uint8Array(content),
    },
  });
}

/** The mail that was queued under this id; undefined when the key that sealed it is gone. */
export function openMail(keys: SealingKeys, id: string, content: Uint8Array): Mail | undefined {
  const opened = open(keys, content, sealContext.outgoingMail(id));
  return opened.kind === 'opened' ? (JSON.parse(opened.plaintext.toString('utf8')) as Mail) : undefined;
}
