import { createHash } from 'node:crypto';
import type { payloadEnvelope } from '@posthorn/contract/deliveries';
import { uuidTime } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { z } from 'zod';
import type { WorkspaceContext } from '../http/context.ts';

export type Envelope = z.input<typeof payloadEnvelope>;

/** The body as ingested, or the reason why it is not shown, in `status` (docs/interface.md, Delivery detail). */
export async function readPayload(ctx: WorkspaceContext, eventId: string): Promise<Envelope> {
  const { bytes, ...payload } = await openPayload(ctx, eventId);
  if (bytes === null) return { ...closed(payload.status), contentType: payload.contentType, size: payload.size };
  const text = utf8OrUndefined(bytes);
  return {
    ...payload,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    encoding: text === undefined ? 'base64' : 'utf8',
    body: text ?? bytes.toString('base64'),
  };
}

type OpenedPayload = Pick<Envelope, 'status' | 'contentType' | 'size'> & { bytes: Buffer | null };

/** The bytes of a payload; null unless they are `available` to this caller. */
export async function openPayload(ctx: WorkspaceContext, eventId: string): Promise<OpenedPayload> {
  const withheld = { contentType: null, size: null, bytes: null };
  if (ctx.workspace.plan === 'free') return { status: 'plan_required', ...withheld };
  if (!ctx.sees.payloads) return { status: 'forbidden', ...withheld };
  const event = await ctx.db.event.findUnique({
    where: { id: eventId },
    select: { payload: true, payloadSize: true, contentType: true },
  });
  const ageMs = ctx.clock.now().getTime() - uuidTime(eventId).getTime();
  const isExpired = ageMs >= ctx.settings.retentionDays * 86_400_000;
  if (event === null || isExpired) return { status: 'expired', ...withheld };
  const facts = { contentType: event.contentType, size: event.payloadSize };
  if (event.payload === null) return { status: 'not_stored', ...facts, bytes: null };
  const opened = open(ctx.sealingKeys, event.payload, sealContext.payload(eventId));
  if (opened.kind !== 'opened') return { status: 'unavailable', ...facts, bytes: null };
  return { status: 'available', ...facts, bytes: opened.plaintext };
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
