import { randomUUID } from 'node:crypto';
import type { Clock } from '@posthorn/runtime/clock';
import type { Logger } from '@posthorn/runtime/logger';
import type { RequestHandler } from 'express';
import type { ApiMetrics } from '../metrics.ts';

/** The longest path of the interface has about 200 characters. A caller without a credential may send 16 KB. */
const MAX_PATH_CHARACTERS = 512;
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives each request an id (the caller's own if it is valid), one log line with all fields, and its metrics. */
export function createRequestLog(deps: { logger: Logger; clock: Clock; metrics: ApiMetrics }): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const requestId = given !== undefined && SANE_REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = deps.clock.monotonicMs();
    response.locals.requestId = requestId;
    response.set('X-Request-Id', requestId);
    response.once('close', () => {
      const durationMs = deps.clock.monotonicMs() - startedAt;
      const operation = response.locals.operation ?? 'unknown';
      // The duration of a stream depends on its reader only.
      if (response.locals.isStream !== true) {
        deps.metrics.requestSeconds.observe({ operation, status: String(response.statusCode) }, durationMs / 1_000);
      }
      deps.logger.info('request', {
        requestId,
        method: request.method,
        path: withoutExternalIds(request.path).slice(0, MAX_PATH_CHARACTERS),
        operation,
        status: response.statusCode,
        durationMs: Math.round(durationMs * 10) / 10,
        actor: response.locals.actor,
        workspaceId: response.locals.workspaceId,
        ip: request.ip,
        answered: response.writableFinished,
      });
    });
    next();
  };
}

/** The path without external ids: they may name a customer, and an erasure does not reach a log. */
function withoutExternalIds(path: string): string {
  return path
    .split('/')
    .map((segment) => (isExternal(segment) ? 'ext:…' : segment))
    .join('/');
}

/** Express decodes a segment before it is looked up, so any character of it may be encoded. */
function isExternal(segment: string): boolean {
  try {
    return decodeURIComponent(segment).toLowerCase().startsWith('ext:');
  } catch {
    return segment.toLowerCase().startsWith('ext:');
  }
}
