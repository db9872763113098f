import { PLANS, type Plan } from '@posthorn/contract/access';

/** The limits of a workspace. Null means no limit. */
export type Limits = { eventsPerDay: number | null; bytesKept: number | null; attemptBytesKept: number | null };

/** A limit for the workspaces of each plan. 0 means no limit. */
export type PlanLimits = Record<Plan, number>;

/** The operator's limits for workspaces without limits of their own. */
export type QuotaDefaults = { eventsPerDay: PlanLimits; bytesKept: PlanLimits; attemptBytesKept: PlanLimits };

/** A plan, and the limits that the operator set for one workspace: null for the default, 0 for no limit. */
export type OwnLimits = {
  plan: Plan;
  eventsPerDay: bigint | null;
  bytesKept: bigint | null;
  attemptBytesKept: bigint | null;
};

/** The greatest limit that a number holds exactly. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The limits that apply to a workspace. */
export function limitsOf(
  { plan, eventsPerDay, bytesKept, attemptBytesKept }: OwnLimits,
  defaults: QuotaDefaults,
): Limits {
  return {
    eventsPerDay: limitOf(eventsPerDay, defaults.eventsPerDay[plan]),
    bytesKept: limitOf(bytesKept, defaults.bytesKept[plan]),
    attemptBytesKept: limitOf(attemptBytesKept, defaults.attemptBytesKept[plan]),
  };
}

function limitOf(own: bigint | null, byDefault: number): number | null {
  const limit = own === null ? byDefault : Number(own);
  return limit === 0 ? null : limit;
}

const RULE = 'must be a whole number, or one for each plan, such as free:10000,pro:1000000; 0 means no limit';

/** Parses `1000` or `free:1000,pro:50000`. A plan that is not named has no limit. Throws an Error with the rule. */
export function parsePlanLimits(text: string): PlanLimits {
  const limits: PlanLimits = { free: 0, pro: 0, enterprise: 0 };
  if (!text.includes(':')) {
    const limit = parseLimit(text);
    return { free: limit, pro: limit, enterprise: limit };
  }
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [name = '', value = '', ...rest] = part.split(':').map((piece) => piece.trim());
    const plan = PLANS.find((known) => known === name);
    if (plan === undefined || named.has(name) || rest.length > 0) throw new Error(RULE);
    named.add(name);
    limits[plan] = parseLimit(value);
  }
  return limits;
}

/** Parses a whole number from 0 to `MOST`. Throws an Error with the rule. */
function parseLimit(text: string): number {
  const limit = Number(text);
  if (text.trim() === '' || !Number.isInteger(limit) || limit < 0 || limit > MOST) throw new Error(RULE);
  return limit;
}
