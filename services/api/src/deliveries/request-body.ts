import { uuidTime } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { WorkspaceContext } from '../http/context.ts';

export type SentBody = { id: string; deliveryId: string; requestBody: Uint8Array | null };

/** Whether the caller may see the bodies that attempts sent. */
export function seesRequestBodies({ workspace, sees }: Pick<WorkspaceContext, 'workspace' | 'sees'>): boolean {
  return workspace.plan !== 'free' && sees.payloads;
}

/**
 * Reads the body that an attempt sent, as base64; null for attempts of kinds that keep none, after the retention, and for
 * callers that may not see payloads. The caller enters the view in the audit log.
 */
export function createReadRequestBody(
  ctx: Pick<WorkspaceContext, 'workspace' | 'sees' | 'sealingKeys' | 'clock' | 'settings'>,
): (attempt: SentBody) => string | null {
  if (!seesRequestBodies(ctx)) return () => null;
  const oldestMs = ctx.clock.now().getTime() - ctx.settings.retentionDays * 86_400_000;
  return ({ id, deliveryId, requestBody }) => {
    if (requestBody === null || uuidTime(deliveryId).getTime() <= oldestMs) return null;
    const opened = open(ctx.sealingKeys, requestBody, sealContext.requestBody(id));
    return opened.kind === 'opened' ? opened.plaintext.toString('base64') : null;
  };
}
