import { isJsonType } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import type { Request, Response } from 'express';
import { MAX_SMALL_BYTES } from './body-room.ts';
import { ApiError, invalid } from './error.ts';
import { parseJson } from './parse.ts';
import type { Route } from './route.ts';

/**
 * Reads a body of at most `limit` bytes; empty when there is none. Authenticate the caller first. `takeRoom` waits for
 * room for the body.
 */
export type ReadBytes = (
  request: Request,
  response: Response,
  takeRoom?: (bytes: number) => Promise<void>,
) => Promise<Buffer>;

/** Whether to read the body of a request: a row that takes none must still refuse one with fields. */
export function isBodyRead({ body }: Pick<Route, 'body'>, request: Request): boolean {
  return body !== undefined || hasBody(request);
}

function hasBody(request: Request): boolean {
  return Number(request.get('content-length') ?? 0) > 0 || request.get('transfer-encoding') !== undefined;
}

export function createReadBytes(limit: number): ReadBytes {
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the states of one body, which read best together.
  return async (request, response, takeRoom) => {
    const length = Number(request.get('content-length') ?? 0);
    if (length > limit) throw tooLarge(limit);
    if ((request.get('content-encoding') || 'identity').toLowerCase() !== 'identity') {
      const message = 'Content-Encoding must be identity: bodies are never inflated';
      throw new ApiError('unsupported_media_type', message);
    }
    // Node decodes only `chunked`. It would take the bytes of any coding before it for the body.
    if ((request.get('transfer-encoding') ?? 'chunked').toLowerCase() !== 'chunked') {
      throw new ApiError('unsupported_media_type', 'Transfer-Encoding must be chunked: bodies are never inflated');
    }
    // The length of a chunked body is not known before it has arrived.
    const isChunked = length === 0 && hasBody(request);
    if (length > 0 || isChunked) await takeRoom?.(isChunked ? Math.min(limit, MAX_SMALL_BYTES) : length);
    if (request.get('expect')?.toLowerCase() === '100-continue') response.writeContinue();
    const takeMore = isChunked && takeRoom !== undefined ? () => takeRoom(limit) : undefined;
    return collect(request, { limit, takeMore });
  };
}

/** A body of which nothing arrives for this long is refused. Node ends a request that takes 30 s in all. */
const STALLED_AFTER_MS = 10_000;
/** A client may send single bytes. Each takes more than 100 bytes until it is joined with others. */
const MAX_PIECES = 1_024;

type Collected = {
  limit: number;
  /** Waits for the room of a body of the limit. Undefined if the body has room. */
  takeMore: (() => Promise<void>) | undefined;
};

/** Stops at the first byte over the limit, and does not wait for the rest. */
function collect(request: Request, { limit, takeMore }: Collected): Promise<Buffer> {
  const joined: Buffer[] = [];
  let pieces: Buffer[] = [];
  let received = 0;
  let room: 'small' | 'awaited' | 'enough' = takeMore === undefined ? 'enough' : 'small';
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(cutOff());
    const stalled = setTimeout(() => {
      // Nothing arrives because nothing is read.
      if (room === 'awaited') return stalled.refresh();
      request.pause();
      settle(() => reject(invalid('The body did not arrive in time', 'body')));
    }, STALLED_AFTER_MS);
    const settle = (done: () => void) => {
      clearTimeout(stalled);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      done();
    };
    const onData = (chunk: Buffer) => {
      stalled.refresh();
      received += chunk.length;
      pieces.push(chunk);
      if (pieces.length === MAX_PIECES) {
        joined.push(Buffer.concat(pieces));
        pieces = [];
      }
      if (received > limit) {
        request.pause();
        settle(() => reject(tooLarge(limit)));
      } else if (room === 'small' && received > MAX_SMALL_BYTES) {
        room = 'awaited';
        request.pause();
        takeMore?.().then(
          () => {
            room = 'enough';
            request.resume();
          },
          (error) => settle(() => reject(error)),
        );
      }
    };
    const onEnd = () => settle(() => resolve(Buffer.concat([...joined, ...pieces], received)));
    const onClose = () => settle(() => reject(cutOff()));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function cutOff(): ApiError {
  return invalid('The body ended before its Content-Length', 'body');
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The body must be at most ${limit.toLocaleString('en')} bytes`);
}

/** Reads the JSON value in a body; `{}` when there is none. First authenticate the caller, or check its rate limit. */
export type ReadJson = (request: Request, response: Response) => Promise<unknown>;

export function createReadJson(limit: number): ReadJson {
  const readBytes = createReadBytes(limit);
  return async (request, response) => jsonOf(await readBytes(request, response), request);
}

/** Reads a management body. */
export const readManagementBody = createReadBytes(LIMITS.managementBodyBytes);

/** The JSON value in a body; throws when it is not well-formed JSON, or is sent as another type. */
export function jsonOf(body: Buffer, request: Request): unknown {
  if (body.length > 0 && !isJsonType(request.get('content-type'))) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json');
  }
  return parseJson(body);
}
