import { createHash, timingSafeEqual } from 'node:crypto';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import type { Sender, SendResult } from '@posthorn/destinations/kind';
import type { ProbeTask } from '@posthorn/queue/jobs';
import type { Clock } from '@posthorn/runtime/clock';
import { z } from 'zod';
import { postToCallback } from './callback.ts';

export type ChallengeDeps = { keys: SealingKeys; sender: Pick<Sender, 'send'>; clock: Pick<Clock, 'now'> };

/** The reply to the API. It contains no byte that the callback sent. */
export type ChallengeReply = { echoed: boolean; errorCode: string | null; status: number | null };

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4_096;

const sealedTask = z.object({ identity: z.string(), url: z.string(), secret: z.string(), nonce: z.string() });

/**
 * Sends a challenge to an agent's callback, once. The callback passes with a 2xx and a JSON object of at most 4 KiB
 * that contains the same challenge.
 */
export async function sendChallenge(
  { keys, sender, clock }: ChallengeDeps,
  { endpointId, workspaceId, sealed }: Extract<ProbeTask, { kind: 'challenge' }>,
): Promise<ChallengeReply> {
  const opened = open(keys, Buffer.from(sealed, 'base64'), sealContext.challenge(endpointId));
  if (opened.kind !== 'opened') throw new Error('a challenge cannot be decrypted');
  const { identity, url, secret, nonce } = sealedTask.parse(JSON.parse(opened.plaintext.toString('utf8')));
  const result = await postToCallback(
    { sender, clock },
    { endpointId, workspaceId, identity, url, secrets: [Buffer.from(secret, 'utf8')] },
    {
      id: `msg_verification_${nonce}`,
      content: { type: 'verification', challenge: nonce },
      timeoutMs: TIMEOUT_MS,
    },
  );
  return judge(result, nonce);
}

function judge(result: SendResult, nonce: string): ChallengeReply {
  switch (result.kind) {
    case 'response':
      return {
        echoed: result.status >= 200 && result.status < 300 && !result.truncated && echoes(result.body, nonce),
        errorCode: null,
        status: result.status,
      };
    case 'error':
      return { echoed: false, errorCode: result.errorCode, status: null };
    case 'acknowledged':
    case 'aborted':
      throw new Error(`a challenge ended as ${result.kind}`);
  }
}

/** Whether the answer contains the challenge. Compares digests, in constant time. */
function echoes(body: Buffer, nonce: string): boolean {
  if (body.length > MAX_ANSWER_BYTES) return false;
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    return false;
  }
  const echo: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'challenge') : undefined;
  return typeof echo === 'string' && timingSafeEqual(digest(echo), digest(nonce));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
