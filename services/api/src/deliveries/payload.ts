import { createHash } from 'node:crypto';
import type { payloadEnvelope } from '@posthorn/contract/deliveries';
import { uuidTime } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { payloadRetentionMs } from '../workspaces/retention.ts';

export type Envelope = z.input<typeof payloadEnvelope>;

/** The body as ingested, or the reason why it is not shown, in `status` (docs/interface.md, Delivery detail). */
export async function readPayload(ctx: WorkspaceContext, eventId: string): Promise<Envelope> {
  if (ctx.workspace.plan === 'free') return closed('plan_required');
  if (!ctx.sees.payloads) return closed('forbidden');
  const event = await ctx.db.event.findUnique({
    where: { id: eventId },
    select: { payload: true, payloadSize: true, contentType: true },
  });
  if (event === null || isExpired(ctx, eventId)) return closed('expired');
  const facts = { contentType: event.contentType, size: event.payloadSize };
  if (event.payload === null) return { ...closed(event.payloadSize > 0 ? 'erased' : 'not_stored'), ...facts };
  const opened = open(ctx.sealingKeys, event.payload, sealContext.payload(eventId));
  if (opened.kind !== 'opened') return { ...closed('unavailable'), ...facts };
  const text = utf8OrUndefined(opened.plaintext);
  return {
    status: 'available',
    ...facts,
    sha256: createHash('sha256').update(opened.plaintext).digest('hex'),
    encoding: text === undefined ? 'base64' : 'utf8',
    body: text ?? opened.plaintext.toString('base64'),
  };
}

/** Whether the retention of the payload has ended. Its row is deleted up to a day later. */
export function isExpired(ctx: WorkspaceContext, eventId: string): boolean {
  const ageMs = ctx.clock.now().getTime() - uuidTime(eventId).getTime();
  return ageMs >= payloadRetentionMs(ctx);
}

/** Whether the payload of the event was erased: it had one, and has none. Reads no payload. */
export async function isErased(db: Db, eventId: string): Promise<boolean> {
  const count = await db.event.count({ where: { id: eventId, payload: null, payloadSize: { gt: 0 } } });
  return count > 0;
}

function closed(status: Envelope['status']): Envelope {
  return { status, contentType: null, encoding: null, size: null, sha256: null, body: null };
}

/**
 * The text, but only when encoding it again gives the same bytes: a BOM is kept, and an invalid sequence gives
 * undefined.
 */
function utf8OrUndefined(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8: it is shown as base64.
    return undefined;
  }
}
