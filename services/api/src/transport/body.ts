import { isJsonType } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request, Response } from 'express';
import { MAX_SMALL_BYTES } from '../limits.ts';
import type { ArrivingBody, BodyRoom } from './body-room.ts';
import { refuseChangedValues } from './changed-values.ts';
import { ApiError, invalid } from './error.ts';

/**
 * Reads a body of at most `limit` bytes; empty when there is none. Authenticate the caller first. `takeRoom` gives the
 * body room as it arrives.
 */
export type ReadBytes = (
  request: Request,
  response: Response,
  takeRoom?: (body: ArrivingBody) => BodyRoom,
) => Promise<Buffer>;

/** Whether to read the body of a request. A row that takes none must still refuse a body with fields. */
export function isBodyRead({ body }: { body: unknown }, request: Request): boolean {
  return body !== undefined || hasBody(request);
}

function hasBody(request: Request): boolean {
  return Number(request.get('content-length') ?? 0) > 0 || request.get('transfer-encoding') !== undefined;
}

export function createReadBytes(limit: number): ReadBytes {
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
    if (length === 0 && !hasBody(request)) return collect(request, { limit, takeRoom: undefined, steps: [] });
    if (request.get('expect')?.toLowerCase() === '100-continue') response.writeContinue();
    // The length of a chunked body is not known before it has arrived.
    const steps = length > 0 ? [length] : [MAX_SMALL_BYTES, limit];
    return collect(request, { limit, takeRoom, steps });
  };
}

/** A request is refused when no byte of its body has arrived for this long. Node ends a request that takes 30 s in all. */
const STALLED_AFTER_MS = 10_000;
/** A client may send single bytes. Each takes more than 100 bytes until it is joined with others. */
const MAX_PIECES = 1_024;
/** A body takes room for this much before its first byte arrives. */
const FIRST_BYTES = 1_024;

type Collected = {
  limit: number;
  takeRoom: ((body: ArrivingBody) => BodyRoom) | undefined;
  /** The sizes for which the body takes room, one after the other, as it grows. */
  steps: readonly number[];
};

/** Stops at the first byte over the limit, and does not wait for the rest. */
function collect(request: Request, { limit, takeRoom, steps }: Collected): Promise<Buffer> {
  const joined: Buffer[] = [];
  let pieces: Buffer[] = [];
  let received = 0;
  let awaitsRoom = false;
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(cutOff());
    const fail = (error: Error) => {
      request.pause();
      settle(() => reject(error));
    };
    const room = takeRoom?.({ received: () => received, cut: fail });
    const stalled = setTimeout(() => {
      // Nothing arrives, because nothing is read while the body waits for room.
      if (awaitsRoom) return stalled.refresh();
      fail(invalid('The body did not arrive in time', 'body'));
    }, STALLED_AFTER_MS);
    const settle = (done: () => void) => {
      clearTimeout(stalled);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      done();
    };
    /** Reads on once there is room for the step that the body has reached. */
    const growTo = (bytes: number) => {
      const turn = room?.grow(bytes);
      if (turn === undefined) return;
      awaitsRoom = true;
      request.pause();
      turn.then(() => {
        awaitsRoom = false;
        request.resume();
      }, fail);
    };
    const onData = (chunk: Buffer) => {
      stalled.refresh();
      received += chunk.length;
      pieces.push(chunk);
      if (pieces.length === MAX_PIECES) {
        joined.push(Buffer.concat(pieces));
        pieces = [];
      }
      if (received > limit) return fail(tooLarge(limit));
      if (room === undefined || received <= room.bytes() || awaitsRoom) return;
      growTo(steps.find((step) => step >= received) ?? limit);
    };
    const onEnd = () => {
      room?.arrived();
      settle(() => resolve(Buffer.concat([...joined, ...pieces], received)));
    };
    const onClose = () => settle(() => reject(cutOff()));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    if (steps.length > 0) growTo(Math.min(FIRST_BYTES, steps[0] ?? 0));
  });
}

function cutOff(): ApiError {
  return invalid('The body ended before its Content-Length', 'body');
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The body must be at most ${limit.toLocaleString('en')} bytes`);
}

/** A credential is known for at most 0.8 s (`createAgedCache`), and its end takes hold within a second. */
const SOON_MS = 150;

type Behind<Caller, Body> = { clock: Clock; read: () => Promise<Body>; authenticate: () => Promise<Caller> };

/**
 * Reads the body of a caller, and returns the caller as it is once the body has arrived. A body may take half a minute.
 * If it does not arrive soon, the caller is authenticated again, so that a credential that has ended meanwhile does
 * nothing.
 */
export async function readBehind<Caller, Body>(
  caller: Caller,
  { clock, read, authenticate }: Behind<Caller, Body>,
): Promise<{ caller: Caller; body: Body }> {
  const startedMs = clock.monotonicMs();
  const body = await read();
  const isSoon = clock.monotonicMs() - startedMs < SOON_MS;
  return { caller: isSoon ? caller : await authenticate(), body };
}

/** Reads the JSON value in a body; `{}` when there is none. First authenticate the caller, or check its rate limit. */
export type ReadJson = (...given: Parameters<ReadBytes>) => Promise<unknown>;

export function createReadJson(limit: number): ReadJson {
  const readBytes = createReadBytes(limit);
  return async (request, response, takeRoom) => jsonOf(await readBytes(request, response, takeRoom), request);
}

/** Reads a management body. */
export const readManagementBody = createReadBytes(LIMITS.managementBodyBytes);

/** JSON is in UTF-8 (RFC 8259). ASCII is a part of it. */
export function refuseOtherCharset(request: Request): void {
  const [, ...parameters] = (request.get('content-type') ?? '').toLowerCase().split(';');
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    const charset = value.trim().replaceAll('"', '');
    if (name.trim() !== 'charset' || ['utf-8', 'utf8', 'us-ascii'].includes(charset)) continue;
    throw new ApiError('unsupported_media_type', 'The body must be sent in UTF-8: leave the charset out');
  }
}

/** The JSON value in a body; throws when it is not well-formed JSON, or is sent as another type. */
export function jsonOf(body: Buffer, request: Request): unknown {
  if (body.length > 0 && !isJsonType(request.get('content-type'))) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json');
  }
  refuseOtherCharset(request);
  return parseJson(body);
}

/**
 * The JSON value in a body that is stored as a value; `{}` when the body is absent. Refuses a value that would
 * not be the same after it is stored.
 */
export function parseJson(body: Buffer): unknown {
  const { value, text } = decodeJson(body);
  refuseChangedValues(text);
  return value;
}

/** The JSON value in a body that is stored as bytes. Of equal keys, the last one counts. */
export function parseWellFormedJson(body: Buffer): unknown {
  return decodeJson(body).value;
}

function decodeJson(body: Buffer): { value: unknown; text: string } {
  if (body.length === 0) return { value: {}, text: '' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return { value: JSON.parse(text), text };
  } catch {
    // The parser's message would quote the body.
    throw invalid('The body must be well-formed JSON in UTF-8', 'body');
  }
}
