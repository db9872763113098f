import type { DbTransaction } from '@posthorn/db/client';

/** One rule, or all rules about an application or an environment. */
type Which = { id: string } | { applicationId: string } | { environmentId: string };

/** Deletes the rules, and ends their mails. Returns how many rules there were. */
export async function deleteAlertRules(transaction: DbTransaction, where: Which): Promise<{ count: number }> {
  await endMails(transaction, where);
  return transaction.alertRule.deleteMany({ where });
}

/**
 * Ends the mails of rules that were not sent yet. Each row stays for its time, without content, because it counts
 * towards what the workspace may mail in a day. So nobody mails strangers again and again with new rules.
 */
export async function endMails(transaction: DbTransaction, rule: Which): Promise<void> {
  await transaction.outgoingMail.updateMany({ where: { rule }, data: { ruleId: null, content: null, dueAt: null } });
}
