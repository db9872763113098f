import type { verifyAlertTargetBody } from '@posthorn/contract/alert-rules';
import { digestToken } from '@posthorn/crypto/token';
import type { z } from 'zod';
import { ApiError } from '../http/error.ts';
import type { AccountContext } from './account-route.ts';

/**
 * The holder of an address accepts the messages of an alert rule. `unauthorized` for a token that is unknown, used or
 * expired, or whose rule was deleted or has another target.
 */
export async function verifyAlertTarget(
  ctx: AccountContext,
  { body }: { body: z.output<typeof verifyAlertTargetBody> },
) {
  const now = ctx.clock.now();
  const [rule] = await ctx.db.alertRule.updateManyAndReturn({
    where: { confirmDigest: digestToken(body.token), confirmEndsAt: { gt: now } },
    data: { confirmedAt: now, confirmDigest: null, confirmEndsAt: null, updatedAt: now },
    select: { name: true, workspace: { select: { name: true } } },
  });
  if (rule === undefined) throw new ApiError('unauthorized', 'The link is unknown, was used, or has expired');
  return { name: rule.name, workspaceName: rule.workspace.name };
}
