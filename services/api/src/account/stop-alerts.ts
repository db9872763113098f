import { randomBytes } from 'node:crypto';
import type { stopAlertsBody } from '@posthorn/contract/alert-rules';
import { toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { readStopToken, type StoppedAlerts } from '@posthorn/mail/stop-alerts';
import type { z } from 'zod';
import { forgetGathered } from '../alert-rules/alert-rules.ts';
import { writeEntry } from '../audit/change.ts';
import { ApiError } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import type { AccountContext } from './account-route.ts';

/**
 * Stops alert mails to the reader of one: those of its rule, and those that the address gets from rules of the
 * workspace only because it belongs to a member. Doing so again changes nothing. `unauthorized` for a token that is of
 * no mail.
 */
export async function stopAlerts(ctx: AccountContext, { body }: { body: z.output<typeof stopAlertsBody> }) {
  const stopped = readStopToken(ctx.sealingKeys, body.token);
  if (stopped === undefined) throw new ApiError('unauthorized', 'The link is of no alert mail, or its key is gone');
  await inTransaction(ctx.db, async (transaction) => {
    await lockWorkspace(transaction, stopped.workspaceId);
    const { workspaceId, address } = stopped;
    await transaction.member.updateMany({
      where: { workspaceId, user: { email: address }, alertsStoppedAt: null },
      data: { alertsStoppedAt: ctx.clock.now() },
    });
    await stopRule(ctx, transaction, stopped);
  });
  return undefined;
}

/**
 * Does nothing if the rule was deleted, is not confirmed or has another target. Its owner can ask the address again.
 */
async function stopRule(
  { clock, origin, sealingKeys }: AccountContext,
  transaction: DbTransaction,
  { workspaceId, ruleId, address }: StoppedAlerts,
): Promise<void> {
  const rule = await transaction.alertRule.findFirst({ where: { id: ruleId, workspaceId, confirmDigest: null } });
  if (rule === null) return;
  const target = open(sealingKeys, rule.targetSealed, sealContext.alertTarget(ruleId));
  if (target.kind !== 'opened' || target.plaintext.toString('utf8') !== address) return;
  // No token has this digest. The rule is then like one whose address has not confirmed yet.
  const unconfirmed = { confirmedAt: null, confirmDigest: new Uint8Array(randomBytes(32)), confirmEndsAt: null };
  await transaction.alertRule.update({ where: { id: ruleId }, data: { ...unconfirmed, updatedAt: clock.now() } });
  await forgetGathered(transaction, ruleId);
  const { applicationId, environmentId } = rule;
  const actor = { type: 'system', id: 'alert-target', label: rule.targetShown } as const;
  const entry = {
    ...{ resourceId: toId('alr', ruleId), applicationId, environmentId },
    ...(rule.isOfPortal ? {} : { visibility: 'workspace' as const }),
    changes: { status: { from: 'active', to: 'unconfirmed' } },
  };
  await writeEntry(transaction, { workspaceId, actor, origin, clock }, 'alert_rule.updated', entry);
}
