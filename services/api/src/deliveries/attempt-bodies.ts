import { uuidTime } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { WorkspaceContext } from '../operation/context.ts';
import { payloadRetentionMs } from '../workspaces/retention.ts';

/** The parts of an attempt that may hold the payload. */
export type StoredBodies = {
  id: string;
  deliveryId: string;
  requestBody: Uint8Array | null;
  responseHeadersSealed: Uint8Array | null;
  /** Sealed if the headers are sealed, unless it is empty. Attempts of earlier versions have both in plain text. */
  responseBody: Uint8Array | null;
  responseHeaders: unknown;
};

export type ShownBodies = { requestBody: string | null; responseHeaders: unknown; responseBody: Uint8Array | null };

/** Reads what the caller may see of an attempt; null for the rest. Enter the view in the audit log when you call it. */
export type ReadBodies = {
  /** Whether the caller may see answers of receivers, which may repeat the payload. */
  seesResponses: boolean;
  read: (attempt: StoredBodies) => ShownBodies;
};

/** Whether the caller may see the bodies that attempts sent. */
export function seesRequestBodies({ workspace, sees }: WorkspaceContext): boolean {
  return workspace.plan !== 'free' && sees.payloads;
}

export function createReadBodies(ctx: WorkspaceContext): ReadBodies {
  const oldestMs = ctx.clock.now().getTime() - payloadRetentionMs(ctx);
  const opened = (sealed: Uint8Array, context: string) => {
    const found = open(ctx.sealingKeys, sealed, context);
    return found.kind === 'opened' ? found.plaintext : null;
  };
  const seesRequests = seesRequestBodies(ctx);
  /** The request body as base64; null for attempts of kinds that keep none, and after the retention. */
  const requestBodyOf = ({ id, deliveryId, requestBody }: StoredBodies) => {
    if (!seesRequests || requestBody === null || uuidTime(deliveryId).getTime() <= oldestMs) return null;
    return opened(requestBody, sealContext.requestBody(id))?.toString('base64') ?? null;
  };
  return {
    seesResponses: ctx.sees.payloads,
    read(attempt) {
      const requestBody = requestBodyOf(attempt);
      if (!ctx.sees.payloads) return { requestBody, responseHeaders: null, responseBody: null };
      const { id, responseHeadersSealed: sealed, responseHeaders, responseBody } = attempt;
      if (sealed === null) return { requestBody, responseHeaders, responseBody };
      const headers = opened(sealed, sealContext.responseHeaders(id));
      return {
        requestBody,
        responseHeaders: headers === null ? null : JSON.parse(headers.toString()),
        responseBody: responseBody?.length ? opened(responseBody, sealContext.responseBody(id)) : responseBody,
      };
    },
  };
}
