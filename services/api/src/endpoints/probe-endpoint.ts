import { LIMITS } from '@posthorn/contract/limits';
import type { ProbeTask } from '@posthorn/queue/jobs';
import type { Admission, AdmissionRequest, AdmittedProbe } from '@posthorn/queue/probes';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

type Kind = Pick<AdmissionRequest, 'kind' | 'mostOfEndpoint' | 'pauseMs'>;

const MOST_PROBES = {
  ofOwner: LIMITS.probesAtOncePerOwner,
  ofWorkspace: LIMITS.probesAtOncePerWorkspace,
  ofPortals: LIMITS.probesAtOnceOfPortals,
  ofPortal: LIMITS.probesAtOncePerPortal,
};
/** The most challenges at once. They leave room for tests and examinations, for which people wait. */
const MOST_CHALLENGES = {
  ofOwner: LIMITS.challengesAtOncePerOwner,
  ofWorkspace: LIMITS.challengesAtOncePerOwner,
  ofPortals: LIMITS.challengesAtOnceOfApplications,
  ofPortal: LIMITS.challengesAtOncePerApplication,
};

/** After this time a probe no longer counts, even if its process ended without releasing it. No probe takes so long. */
const FORGOTTEN_AFTER_MS = 90_000;

/**
 * Runs `work` within the limits of the endpoint, the workspace, its owner and the portal, over all processes; throws
 * `rate_limited` beyond them, and `unavailable` while the probes cannot be asked.
 */
export async function admitted<Result>(
  { probes, claimant, bounds: { applicationId } }: Pick<WorkspaceContext, 'probes' | 'claimant' | 'bounds'>,
  { endpointId, ...kind }: Kind & { endpointId: string },
  work: (probe: AdmittedProbe) => Promise<Result>,
): Promise<Result> {
  const most = kind.kind === 'challenge' ? MOST_CHALLENGES : MOST_PROBES;
  const admission = await probes
    .admit({
      ...kind,
      endpointId,
      workspaceId: claimant.workspaceId,
      ownerId: claimant.ownerId,
      mostOfWorkspace: most.ofWorkspace,
      mostOfOwner: most.ofOwner,
      portal:
        applicationId === undefined ? undefined : { applicationId, most: most.ofPortal, mostOfAll: most.ofPortals },
      forgottenAfterMs: FORGOTTEN_AFTER_MS,
    })
    .catch(() => {
      throw noDispatcher('No dispatcher can be reached');
    });
  if (admission.kind === 'refused') throw refusal(kind, admission);
  try {
    return await work(admission);
  } finally {
    await admission.release();
  }
}

type Refused = Extract<Admission, { kind: 'refused' }>;

function refusal({ mostOfEndpoint, pauseMs, kind }: Kind, refused: Omit<Refused, 'kind'>): ApiError {
  const seconds = Math.max(1, Math.ceil(refused.retryAfterMs / 1_000));
  const headers = { 'Retry-After': String(seconds) };
  if (kind === 'challenge')
    return new ApiError('rate_limited', 'Too many challenges to callbacks run at once', headers);
  const what = kind === 'doctor' ? 'examinations' : 'tests';
  const of = kind === 'source' ? 'A source may be tested' : 'An endpoint may be examined';
  const message = {
    endpoint: `At most ${mostOfEndpoint} ${what} of ${kind === 'source' ? 'a source' : 'an endpoint'} may run at once`,
    workspace: `At most ${LIMITS.probesAtOncePerWorkspace} tests and examinations of a workspace may run at once`,
    owner: `At most ${LIMITS.probesAtOncePerOwner} tests and examinations of the workspaces of one account may run at once`,
    portal: `At most ${LIMITS.probesAtOncePerPortal} tests and examinations of the portal of an application may run at once`,
    portals: `At most ${LIMITS.probesAtOnceOfPortals} tests and examinations of all portals of a workspace may run at once`,
    pause: `${of} once in ${pauseMs / 1_000} seconds`,
  }[refused.by];
  return new ApiError('rate_limited', message, headers);
}

/** Asks a dispatcher; throws `unavailable` while the probes cannot be asked. */
export function askDispatcher(
  { probes, clock, timing }: Pick<WorkspaceContext, 'probes' | 'clock' | 'timing'>,
  probe: AdmittedProbe,
  { endsWithinMs, ...task }: ProbeTask & { endsWithinMs: number },
) {
  return probes
    .ask(probe, task, { beginsWithinMs: timing.probeBeginsWithinMs, endsWithinMs, now: clock.now() })
    .catch(() => undefined);
}

export function noDispatcher(why: string): ApiError {
  return new ApiError('unavailable', `${why}; nothing was sent, try again later`, { 'Retry-After': '5' });
}
