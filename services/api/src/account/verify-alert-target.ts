import type { verifyAlertTargetBody } from '@posthorn/contract/alert-rules';
import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { ApiError } from '../transport/error.ts';
import type { AccountContext } from './account-route.ts';

/**
 * Confirms that an address takes the messages of an alert rule. `unauthorized` for a token that is unknown, used or
 * expired, or whose rule was deleted or has another target.
 */
export async function verifyAlertTarget(
  { db, clock, origin }: AccountContext,
  { body }: { body: z.output<typeof verifyAlertTargetBody> },
) {
  const now = clock.now();
  return inTransaction(db, async (transaction) => {
    const [rule] = await transaction.alertRule.updateManyAndReturn({
      where: { confirmDigest: digestToken(body.token), confirmEndsAt: { gt: now } },
      data: { confirmedAt: now, confirmDigest: null, confirmEndsAt: null, updatedAt: now },
      select: {
        id: true,
        workspaceId: true,
        applicationId: true,
        environmentId: true,
        isOfPortal: true,
        name: true,
        targetShown: true,
        workspace: { select: { name: true } },
      },
    });
    if (rule === undefined) throw new ApiError('unauthorized', 'The link is unknown, was used, or has expired');
    const { workspaceId, applicationId, environmentId } = rule;
    // The person who has the link need not have an account.
    const actor = { type: 'system', id: 'alert-target', label: rule.targetShown } as const;
    const entry = {
      ...{ resourceId: toId('alr', rule.id), applicationId, environmentId },
      ...(rule.isOfPortal ? {} : { visibility: 'workspace' as const }),
      changes: { status: { from: 'unconfirmed', to: 'active' } },
    };
    await writeEntry(transaction, { workspaceId, actor, origin, clock }, 'alert_rule.updated', entry);
    return { name: rule.name, workspaceName: rule.workspace.name };
  });
}
