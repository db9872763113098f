/**
 * The part of its workspace that a caller reaches: a portal one application in one environment, a bound token some
 * environments, every other caller everything. It is also a Prisma condition on endpoints.
 */
export type Bounds = { applicationId?: string; environmentId?: string | { in: string[] } };

/** The keys of the environments that the caller reaches; undefined for all. */
export function reachedEnvironments({ environmentId }: Bounds): string[] | undefined {
  return typeof environmentId === 'string' ? [environmentId] : environmentId?.in;
}

/** The application and the environment of a portal; undefined for every other caller. */
export function portalOf({ applicationId, environmentId }: Bounds) {
  return applicationId === undefined || typeof environmentId !== 'string'
    ? undefined
    : { applicationId, environmentId };
}
