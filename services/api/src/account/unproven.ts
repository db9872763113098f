import type { Db } from '@posthorn/db/client';
import type { Services } from '../operation/context.ts';

/**
 * Whether nobody has proved the address of one of these accounts, although a mail could. Somebody else may have made
 * such an account, so it adds no way to sign in, owns no workspace and mails nobody. Accounts that the operator made
 * are exempt.
 */
export async function isUnproven(
  { sendsMail }: Pick<Services['settings'], 'sendsMail'>,
  db: Pick<Db, 'user'>,
  userIds: readonly string[],
): Promise<boolean> {
  if (!sendsMail || userIds.length === 0) return false;
  const where = { id: { in: [...userIds] }, addressProvenAt: null, isByOperator: false };
  return (await db.user.count({ where })) > 0;
}

/** The message for an account whose address nobody has proved: why it is refused, and what the person can do. */
export function unproven(email: string, passwordLogin: boolean): string {
  const how = passwordLogin ? ': ask for a link with “Forgot password?” on the login page, and set a new password' : '';
  return `First prove that ${email} is your address${how}`;
}
