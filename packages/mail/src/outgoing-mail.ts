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
  /** The workspace or the account that it concerns. */
  workspaceId?: string;
  userId?: string;
  /** The owner of the workspace: the account that created it, or the workspace itself. */
  ownerId?: string;
  /** Of an alert: its rule, whose deletion ends the mail, and the applications that it names. */
  ruleId?: string;
  applicationIds?: readonly string[];
  /** An address that was checked: `emailAddress` of the contract. */
  to: string;
  content: MailContent;
};

/** A mail as it is sent. */
export type Mail = ComposedMail & {
  to: string;
  /** Where the reader stops such mails: for the header that mail programs read. */
  stopUrl?: string;
};

/**
 * Writes a mail that is sent after the transaction: soon, or within a day while the mail server refuses it. It is kept
 * sealed, because links in it are credentials.
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
