import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Run } from '../run.ts';
import { sayBlock } from '../say.ts';
import { asJson, inWords, type Verdict } from './describe-webhook.ts';
import type { Answer } from './https-server.ts';
import { type ReceiverOptions, UNSIGNED_PATH } from './options.ts';
import type { FoundSecrets } from './secret-source.ts';
import { verifies } from './verifies.ts';

/** Decides the answer to a webhook, however it arrived. */
export type AnswerTo = (webhook: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, body: Buffer) => Promise<Answer>;

/** Shows each webhook, and answers according to its signature. */
export function createAnswer(
  run: Run,
  options: ReceiverOptions,
  findSecrets: (webhook: { path: string; headers: IncomingHttpHeaders }) => Promise<FoundSecrets>,
): AnswerTo {
  return async ({ method = '', url = '', headers }, body) => {
    const receivedAt = run.clock.now();
    const verdict = isUnsigned(url)
      ? ({ kind: 'unsigned' } as const)
      : judge(await findSecrets({ path: url, headers }), body, headers);
    const status = statusFor(verdict, options.status);
    const webhook = { receivedAt, method, path: url, headers, body, verdict, status };
    if (options.json) process.stdout.write(`${asJson(webhook)}\n`);
    else sayBlock(inWords(webhook));
    return { status };
  };
}

/** Unsigned messages, such as an alert for a chat, have their own path. */
function isUnsigned(url: string): boolean {
  return url === UNSIGNED_PATH || url.startsWith(`${UNSIGNED_PATH}/`) || url.startsWith(`${UNSIGNED_PATH}?`);
}

function judge(found: FoundSecrets, body: Buffer, headers: IncomingHttpHeaders): Verdict {
  if (found.kind === 'unknown') return found;
  const isVerified = found.signers.some((signer) => verifies(signer, body, headers));
  return { kind: isVerified ? 'verified' : 'not_verified' };
}

/** Refuses a webhook that does not verify or is too old. One that cannot be checked now is asked for again. */
function statusFor(verdict: Verdict, chosen: number): number {
  switch (verdict.kind) {
    case 'verified':
    case 'unsigned':
      return chosen;
    case 'not_verified':
      return 400;
    case 'unknown':
      return 503;
  }
}
