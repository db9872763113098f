import { PLAYGROUND_ORIGIN } from '@posthorn/contract/endpoints';
import { LIMITS } from '@posthorn/contract/limits';
import type { WorkspaceContext } from '../http/context.ts';
import { openPayload } from './payload.ts';

/**
 * The body that a playground's attempts were sent, as base64, at most its first 64 KiB; null for attempts of other
 * endpoints and for callers that may not see payloads. It is opened from the sealed event: what was sent is the event's
 * payload, so no second copy is stored. The caller enters the view in the audit log.
 */
export async function requestBodyOf(
  ctx: WorkspaceContext,
  { eventId, endpointId }: { eventId: string; endpointId: string },
  attempts: readonly { url: string }[],
): Promise<string | null> {
  // A look-up only where the URL may be a playground's: the type of the endpoint decides.
  if (!attempts.some(({ url }) => url.startsWith(PLAYGROUND_ORIGIN))) return null;
  const endpoint = await ctx.db.endpoint.findUnique({ where: { id: endpointId }, select: { type: true } });
  if (endpoint?.type !== 'playground') return null;
  const { status, bytes } = await openPayload(ctx, eventId);
  if (bytes === null) return status === 'not_stored' ? '' : null;
  return bytes.subarray(0, LIMITS.requestBodyBytes).toString('base64');
}
