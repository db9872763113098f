import type { Request, Response } from 'express';

/** The longest time, and the most bytes, that are still read after the answer. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_048_576;

/**
 * Answers a request that has not arrived completely, and ends its connection. If the connection were closed at once, it
 * would be reset, and a client that still sends could lose the answer (RFC 9112 §9.6). So the whole answer is sent,
 * and bytes that arrive shortly after it are discarded.
 */
export function endEarly(request: Request, response: Response, body: string): void {
  response.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) });
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    request.off('data', discard).off('end', end).off('close', end);
    response.end();
  };
  let left = LINGER_BYTES;
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', discard).on('end', end).on('close', end).resume();
}
