import type { SeededWorkspace } from '@posthorn/testkit/seed';
import request from 'supertest';

export type Caller = (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path?: string,
  body?: unknown,
) => request.Test;

/** Calls below one base with one credential. A string is sent as the raw body, anything else as JSON. */
export function createCaller(app: string, { base, token }: { base: string; token: string }): Caller {
  return (method, path = '', body) => {
    const call = request(app)[method](`${base}${path}`).set('authorization', `Bearer ${token}`);
    if (body === undefined) return call;
    return call.set('content-type', 'application/json').send(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Calls the management API of a workspace with its management token. */
export function managementCaller(
  app: string,
  { workspaceId, managementToken }: Pick<SeededWorkspace, 'workspaceId' | 'managementToken'>,
): Caller {
  return createCaller(app, { base: `/management/v1/workspaces/${workspaceId}`, token: managementToken });
}

/** The error code, or the status of a success. */
export function codeOf(reply: { status: number; body: { error?: { code: string } } }): string | number {
  return reply.body.error?.code ?? reply.status;
}

/** The number of times each outcome occurred. */
export function tally(outcomes: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
