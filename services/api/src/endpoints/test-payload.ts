import { memberBytes } from '../ingest/batch-data.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

/** The payload in the request, as its bytes were written; undefined without one. */
export function givenPayload({ settings: { maxPayloadBytes } }: WorkspaceContext, given: Buffer): Buffer | undefined {
  const payload = memberBytes(given, 'payload');
  if (payload === undefined || payload.length <= maxPayloadBytes) return payload;
  throw new ApiError('payload_too_large', `payload must be at most ${maxPayloadBytes.toLocaleString('en')} bytes`);
}

/** The example of the event type, or the service's own test payload. */
export function testPayload({ clock }: WorkspaceContext, example: unknown): Buffer {
  const value = example ?? { type: 'posthorn.test', timestamp: clock.now().toISOString() };
  return Buffer.from(JSON.stringify(value));
}
