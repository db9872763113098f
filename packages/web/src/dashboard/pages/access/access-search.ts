/** The parts of the page, as its address names them. */
export const PARTS = { keys: 'API keys', tokens: 'Management tokens', members: 'Members', agents: 'Agents' } as const;

export type Part = keyof typeof PARTS;

/** The part that is shown; the API keys when absent. */
export type AccessSearch = { part?: Part };

export function readAccessSearch({ part }: Record<string, unknown>): AccessSearch {
  return isPart(part) ? { part } : {};
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'string' && Object.hasOwn(PARTS, value);
}
