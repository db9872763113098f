import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Answer } from '../kind.ts';

type Encoded = Pick<Answer, 'headers' | 'body' | 'truncated'>;

/**
 * Decodes an answer's body if `Content-Encoding` is gzip, deflate or br. It returns at most `mostBytes`, so that a
 * small body cannot become a large one. Posthorn asks for no compression, but some servers compress anyway. A body that
 * cannot be decoded, or has two encodings, stays unchanged.
 */
export async function decodeBody(
  { headers, body, truncated }: Encoded,
  mostBytes: number,
): Promise<Omit<Encoded, 'headers'>> {
  const encoding = headers['content-encoding'];
  const decoder = typeof encoding === 'string' ? decoderOf(encoding.trim().toLowerCase(), mostBytes) : undefined;
  if (decoder === undefined || body.length === 0) return { body, truncated };
  const decoded = await new Promise<Buffer | undefined>((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    const end = () => {
      decoder.destroy();
      resolve(parts.length === 0 ? undefined : Buffer.concat(parts));
    };
    decoder.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > mostBytes) end();
    });
    decoder.once('end', end);
    // Keep the part before the fault.
    decoder.once('error', end);
    decoder.end(body);
  });
  if (decoded === undefined) return { body, truncated };
  return { body: decoded.subarray(0, mostBytes), truncated: truncated || decoded.length > mostBytes };
}

/** A body that was cut at its limit is decoded as far as possible. */
function decoderOf(encoding: string, mostBytes: number) {
  const chunkSize = mostBytes + 1;
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
