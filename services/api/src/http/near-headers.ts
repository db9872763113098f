import type { Request } from 'express';
import { invalid } from './error.ts';
import { plainName, slipsBetween } from './nearest-name.ts';

/**
 * Refuses a header whose name differs from one of `known` in a leading `X-`, in hyphens or in one letter. Other unknown
 * headers are allowed, because proxies add them.
 */
export function refuseNearHeaders(request: Request, known: readonly string[]): void {
  for (const given of Object.keys(request.headers)) {
    const near = known.find((name) => given !== name.toLowerCase() && isNear(coreOf(given), coreOf(name)));
    if (near === undefined || request.get(near) !== undefined) continue;
    throw invalid(`Unknown header "${given}"; did you mean "${near}"?`, `header.${given}`);
  }
}

function coreOf(header: string): string {
  return plainName(header.toLowerCase().startsWith('x-') ? header.slice(2) : header);
}

function isNear(given: string, known: string): boolean {
  return Math.abs(given.length - known.length) <= 1 && slipsBetween(given, known) <= 1;
}
