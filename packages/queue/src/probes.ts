import type { ProbeTask } from './jobs.ts';

/** Asks a dispatcher to test or examine an endpoint now, and waits for its reply. */
export type Probes = {
  /**
   * Admits a probe within the limits of its endpoint, its workspace, the workspace's owner and its portal, which all
   * API processes share. Rejects while its server is away.
   */
  admit(asked: AdmissionRequest): Promise<Admission>;
  /** Enqueues an admitted probe, and waits for its end. Rejects if it cannot be enqueued. */
  ask(probe: AdmittedProbe, task: ProbeTask, limits: ProbeLimits): Promise<ProbeOutcome>;
  /** At a stop: ends each wait now, so that it can still be answered. A probe that is asked later does not begin. */
  endWaits(): void;
  /** Whether the waits were ended. */
  hasEnded(): boolean;
  close(): Promise<void>;
};

export type AdmissionRequest = {
  kind: ProbeTask['kind'];
  endpointId: string;
  workspaceId: string;
  /** The account that created the workspace, or the workspace itself. */
  ownerId: string;
  /** The most probes of this kind at once for the endpoint. */
  mostOfEndpoint: number;
  /** The most probes of all kinds together at once for the workspace. For a challenge, the most challenges. */
  mostOfWorkspace: number;
  /** The most probes of all kinds together at once for all workspaces of the owner. */
  mostOfOwner: number;
  /**
   * Set if an application's portal asks: the most probes of all kinds at once for that portal, and for all portals.
   * Challenges of the application's agents are counted separately.
   */
  portal?: { applicationId: string; most: number; mostOfAll: number } | undefined;
  /** A probe that is never released no longer counts after this time. */
  forgottenAfterMs: number;
  /** The shortest time between the beginnings of two probes of this kind for the endpoint; 0 for none. */
  pauseMs: number;
};

export type AdmittedProbe = {
  /** The number of the owner's probes, including this one. A higher number gives the job a lower priority. */
  ofOwner: number;
  /** Resolves once the probe no longer counts. It never rejects. */
  release(): Promise<void>;
};

export type Admission =
  | ({ kind: 'admitted' } & AdmittedProbe)
  | { kind: 'refused'; by: RefusedBy; retryAfterMs: number };

export type ProbeLimits = {
  /** How long the probe may wait for a dispatcher. */
  beginsWithinMs: number;
  /** How long the probe may take in total, from now on. */
  endsWithinMs: number;
  /** The present time on Postgres' clock. */
  now: Date;
};

export type ProbeOutcome =
  /**
   * The dispatcher has ended the probe. `reply` is its result, if it has one. The caller checks the form of the reply.
   */
  | { kind: 'replied'; reply: unknown }
  /**
   * No dispatcher reported a beginning in time. The probe will not begin, unless it has begun and the report was lost.
   */
  | { kind: 'not_begun' }
  /** The probe has begun but did not end in time: its dispatcher died, or the reply was lost. */
  | { kind: 'no_reply' };

/** The limit that refused a probe. */
export type RefusedBy = 'pause' | 'endpoint' | 'workspace' | 'owner' | 'portal' | 'portals';
