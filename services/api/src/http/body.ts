import { LIMITS } from '@posthorn/contract/limits';
import express, { type Request, type Response } from 'express';
import { ApiError } from './error.ts';
import { parseJson } from './parse.ts';

const parseRaw = express.raw({ type: () => true, limit: LIMITS.managementBodyBytes, inflate: false });
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** The JSON value in the body, `{}` when there is none; read only when it is called for, so after authentication. */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parseRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const empty = !Buffer.isBuffer(request.body) || request.body.length === 0;
  if (!empty && !JSON_TYPE.test(request.get('content-type') ?? '')) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as application/json');
  }
  return parseJson(request.body);
}
