import { LIMITS } from '@posthorn/contract/limits';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from './error.ts';
import { parseJson } from './parse.ts';

/** Reads a body's bytes of at most `limit`; empty when there is none. Called only once the caller is known. */
export type ReadBytes = (request: Request, response: Response) => Promise<Buffer>;

export function createReadBytes(limit: number): ReadBytes {
  const parseRaw: RequestHandler = express.raw({ type: () => true, limit, inflate: false });
  return async (request, response) => {
    // The parser would first wait for all of it to arrive.
    if (Number(request.get('content-length') ?? 0) > limit) {
      throw new ApiError('payload_too_large', 'The body is larger than allowed');
    }
    if (request.get('expect')?.toLowerCase() === '100-continue') response.writeContinue();
    await new Promise<void>((resolve, reject) => {
      parseRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  };
}

const readBytes = createReadBytes(LIMITS.managementBodyBytes);

/** The JSON value in the body, `{}` when there is none; read only when it is called for, so after authentication. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  const body = await readBytes(request, response);
  if (body.length > 0 && !isJson(request.get('content-type'))) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json');
  }
  return parseJson(body);
}

/** Whether a Content-Type says JSON: `application/json`, or a type that ends in `+json` (RFC 6839). */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/([\w.+-]+\+)?json *(;|$)/i.test(contentType.trim());
}
