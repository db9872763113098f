import type { FieldProblem } from '@posthorn/contract/errors';
import { plainName, slipsBetween } from '@posthorn/runtime/nearest-name';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

/** Clients send the same few headers with every request, so a name is compared once. */
const KEPT_NAMES = 1_000;

/**
 * Returns a check that finds headers whose name differs from one of `known` in a leading `X-`, in hyphens or in one
 * letter. Other unknown headers are allowed, because proxies add them.
 */
export function createNearHeaderCheck(known: readonly string[]): (request: Request) => FieldProblem[] {
  const options = known.map((name) => ({ name, lower: name.toLowerCase(), core: coreOf(name) }));
  const checked = new LRUCache<string, { near: string | undefined }>({ max: KEPT_NAMES });
  const nearOf = (given: string) => {
    if (options.some(({ lower }) => lower === given)) return undefined;
    const core = coreOf(given);
    return options.find((option) => isNear(core, option.core))?.name;
  };
  const keep = (given: string) => {
    const found = { near: nearOf(given) };
    checked.set(given, found);
    return found;
  };
  return (request) => {
    const found: FieldProblem[] = [];
    for (const given of Object.keys(request.headers)) {
      const { near } = checked.get(given) ?? keep(given);
      if (near === undefined || request.get(near) !== undefined) continue;
      found.push({ field: `header.${given}`, message: `Unknown header "${given}"; did you mean "${near}"?` });
    }
    return found;
  };
}

function coreOf(header: string): string {
  return plainName(header.toLowerCase().startsWith('x-') ? header.slice(2) : header);
}

function isNear(given: string, known: string): boolean {
  return Math.abs(given.length - known.length) <= 1 && slipsBetween(given, known) <= 1;
}
