import type { Capability, Plan, Role } from '@posthorn/contract/access';
import type { CursorKeys } from '@posthorn/crypto/cursor';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { Clock } from '@posthorn/runtime/clock';
import type { Actor, Change } from '../audit/change.ts';

/** What operations stand on, the same for every request. */
export type Services = {
  db: Db;
  sealingKeys: SealingKeys;
  cursorKeys: CursorKeys;
  clock: Clock;
  /** The address rules of an endpoint's URL, look-up included: the normalised URL, or why it is refused. */
  vetUrl: (url: string) => Promise<UrlVerdict>;
  /** Rings for deliveries that are due now; never fails and is never waited for. */
  ring: (tickets: DeliveryTicket[]) => void;
  settings: {
    defaultPlan: Plan;
    retentionDays: number;
    baseUrl: string;
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
  /** The most that a portal session made by the caller may do. */
  grantable: readonly Capability[];
  /** The only way to write: the change and its audit entry in one transaction. */
  change: Change;
};
