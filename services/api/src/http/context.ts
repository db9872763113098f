import type { Capability, Plan, Role } from '@posthorn/contract/access';
import type { CursorKeys } from '@posthorn/crypto/cursor';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { Clock } from '@posthorn/runtime/clock';
import type { Actor, Change } from '../audit/change.ts';

/** What operations stand on, the same for every request. */
export type Services = {
  db: Db;
  /** For lists over history: its statements end after 5 s, and its connections are its own. */
  listDb: Db;
  sealingKeys: SealingKeys;
  cursorKeys: CursorKeys;
  clock: Clock;
  /** The address rules of an endpoint's URL, look-up included: the normalised URL, or why it is refused. */
  vetUrl: (url: string) => Promise<UrlVerdict>;
  /** Enqueues deliveries that are due now. It never fails, and no request waits for it. */
  enqueue: (deliveries: DeliverRequest[]) => void;
  settings: {
    defaultPlan: Plan;
    retentionDays: number;
    baseUrl: string;
    /** 0 is no limit. */
    maxEndpointsPerWorkspace: number;
    /** That one user owns; 0 is no limit. */
    maxWorkspacesPerUser: number;
  };
};

export type UrlVerdict = { kind: 'ok'; url: string } | { kind: 'refused'; message: string };

/** What an operation on a workspace is given: who acts, where, how far they may reach. */
export type WorkspaceContext = Services & {
  workspace: { id: string; name: string; slug: string; plan: Plan; createdAt: Date; updatedAt: Date };
  actor: Actor;
  /** Set for a session: the user's place in this workspace. */
  role: Role | null;
  /** A portal reaches one application in one environment; empty for everyone else. Part of every look-up. */
  bounds: { applicationId?: string; environmentId?: string };
  /** What the caller may see beside the resource itself. */
  sees: { secrets: boolean; payloads: boolean };
  /**
   * Names the next page in the answer's `Link` header (RFC 8288) by its cursor; null is the last page and names none. The
   * page is of the list that is asked for, or of `list` below it.
   */
  linkNext: (cursor: string | null, list?: string) => void;
  /** The most that a portal session made by the caller may do. */
  grantable: readonly Capability[];
  /** The only way to write: the change and its audit entry in one transaction. */
  change: Change;
};
