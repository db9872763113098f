import { randomBytes } from 'node:crypto';
import { CALLBACK_FAILURES, type CallbackFailure } from '@posthorn/contract/agents';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import { z } from 'zod';
import { callbackFailure } from '../agent-subscriptions/callback-state.ts';
import { admitted, askDispatcher, noDispatcher } from '../endpoints/probe-endpoint.ts';
import type { WorkspaceContext } from '../operation/context.ts';

export type Challenge = { endpointId: string; identity: string; url: string; secret: string };

/** A dispatcher waits for the callback for less than this, and needs some time beside that. */
const ENDS_WITHIN_MS = 15_000;

/** A dispatcher's report of a challenge. */
const challengeReply = z.object({
  echoed: z.boolean(),
  errorCode: z.string().nullable(),
  status: z.int().nullable(),
});

/**
 * Lets a dispatcher send a challenge to the callback, once: only somebody who runs the callback can echo it. Returns
 * undefined, or why it failed. Throws `rate_limited` beyond the limits of tests and examinations, and `unavailable`
 * without a dispatcher.
 */
export async function failureOfChallenge(
  ctx: WorkspaceContext,
  { endpointId, identity, url, secret }: Challenge,
): Promise<CallbackFailure | undefined> {
  const nonce = randomBytes(32).toString('base64url');
  const limits = { kind: 'challenge', mostOfEndpoint: LIMITS.testsAtOncePerEndpoint, pauseMs: 0, endpointId } as const;
  return admitted(ctx, limits, async (probe) => {
    const text = Buffer.from(JSON.stringify({ identity, url, secret, nonce }));
    // Redis keeps jobs in clear text.
    const sealed = seal(ctx.sealingKeys, text, sealContext.challenge(endpointId)).toString('base64');
    const task = { kind: 'challenge', endpointId, workspaceId: ctx.workspace.id, sealed } as const;
    const outcome = await askDispatcher(ctx, probe, { ...task, endsWithinMs: ENDS_WITHIN_MS });
    if (outcome?.kind !== 'replied') throw noDispatcher('No dispatcher has sent the challenge');
    const { echoed, errorCode, status } = challengeReply.parse(outcome.reply);
    if (echoed) return undefined;
    const answered = errorCode === null && status !== null && status >= 200 && status < 300;
    return answered ? CHALLENGE_FAILED : callbackFailure(errorCode, status);
  });
}

const CHALLENGE_FAILED = CALLBACK_FAILURES[5];
