import type { IncomingMessage } from 'node:http';

const LARGEST_BODY_BYTES = 2_097_152;

/** The request's whole body; undefined if it has more than 2 MiB. Rejects when the sender disconnects. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
