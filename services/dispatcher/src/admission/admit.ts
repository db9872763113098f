import { randomUUID } from 'node:crypto';
import type { DeliverJob } from '@posthorn/queue/deliver-job';
import type { Throttle } from '@posthorn/queue/throttle';
import type { TargetLimits } from '../deliver/endpoint-cache.ts';
import type { AttemptOutcome } from './endpoint-load.ts';
import type { Admission, RefusalReason } from './slots.ts';

/** What a delivery passes before it is claimed: this process's places, then what its endpoint's owner allows. */
export type Gate = {
  /** Throws while Redis is away and must be asked. */
  enter(job: DeliverJob): Promise<Entered | PutOffUntil>;
};

export type Entered = {
  kind: 'entered';
  /** To be asked once the claim has told the endpoint's version: limits that were not known before hold now. */
  confirm(limits: TargetLimits): Promise<PutOffUntil | undefined>;
  leave(outcome?: AttemptOutcome): void;
};

export type PutOffUntil = {
  kind: 'put_off';
  reason: RefusalReason | 'max_concurrency' | 'rate_limit';
  delaySeconds: number;
  /** The time that was set aside for it. */
  reservedAtMs?: number;
};

export type GateDeps = {
  admission: Admission;
  throttle: Throttle;
  /** What is known of an endpoint's limits at no cost, and no older than a second where there are any. */
  limitsOf: (endpointId: string) => Promise<TargetLimits | undefined>;
  random: () => number;
  defaultTimeoutSeconds: number;
};

/** A place outlives its attempt's timeout by this, should its holder die. */
const PLACE_MARGIN_SECONDS = 10;
/** When no time within the horizon is left in an endpoint's rate: 5 to 10 minutes. */
const FAR_SECONDS = 300;

export function createGate(deps: GateDeps): Gate {
  return {
    async enter(job) {
      const known = await deps.limitsOf(job.endpointId);
      const turn = { ...job, maxConcurrency: known?.maxConcurrency ?? null };
      const entry = await deps.admission.enter(turn);
      if (entry.kind === 'refused') return { ...entry, kind: 'put_off', ...keptTime(job) };
      const own = ownLimits(deps, job);
      const leave = (outcome?: AttemptOutcome) => {
        own.leave();
        entry.leave(outcome);
      };
      try {
        const refused = known === undefined ? undefined : await own.apply(known);
        if (refused === undefined) {
          const confirm = async (limits: TargetLimits) =>
            limits.version === known?.version ? undefined : own.apply(limits);
          return { kind: 'entered', confirm, leave };
        }
        leave();
        return refused;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** A time that was set aside stays so: who comes back little late still has it, and Redis judges that. */
function keptTime({ reservedAtMs }: DeliverJob): { reservedAtMs?: number } {
  return reservedAtMs === undefined ? {} : { reservedAtMs };
}

/** The endpoint's own limits, shared by all dispatchers. A place is taken first: it can be given back, a time cannot. */
function ownLimits({ admission, throttle, random, defaultTimeoutSeconds }: GateDeps, job: DeliverJob) {
  const holder = randomUUID();
  const { endpointId } = job;
  let holdsPlace = false;
  let charged = false;
  const leave = () => {
    if (!holdsPlace) return;
    holdsPlace = false;
    throttle.leavePlace(endpointId, holder).catch(() => undefined); // It frees itself when its lease ends.
  };
  const apply = async (limits: TargetLimits): Promise<PutOffUntil | undefined> => {
    const { maxConcurrency, rateLimit } = limits;
    if (maxConcurrency !== null && !holdsPlace) {
      const leaseMs = 1_000 * ((limits.timeoutSeconds ?? defaultTimeoutSeconds) + PLACE_MARGIN_SECONDS);
      holdsPlace = await throttle.takePlace(endpointId, { holder, most: maxConcurrency, leaseMs });
      if (!holdsPlace) {
        const delaySeconds = admission.turnSeconds({ ...job, maxConcurrency });
        return { kind: 'put_off', reason: 'max_concurrency', delaySeconds, ...keptTime(job) };
      }
    }
    if (rateLimit === null || charged) return undefined;
    const reservation = await throttle.reserve(endpointId, rateLimit, job.reservedAtMs);
    charged = reservation.kind === 'now';
    if (charged) return undefined;
    leave();
    return reservation.kind === 'later'
      ? {
          kind: 'put_off',
          reason: 'rate_limit',
          delaySeconds: reservation.waitMs / 1_000,
          reservedAtMs: reservation.reservedAtMs,
        }
      : { kind: 'put_off', reason: 'rate_limit', delaySeconds: FAR_SECONDS * (1 + random()) };
  };
  return { apply, leave };
}
