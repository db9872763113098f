import type { Request, Response } from 'express';

/** How long, and how much of what is still sent, is listened to after the answer. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_048_576;

/**
 * Answers a request of which not all has arrived, and ends its connection. Closed at once the connection would be reset,
 * which can cost a client that still sends the answer (RFC 9112 §9.6): so the answer goes out whole, and for a moment
 * what still comes is thrown away.
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
