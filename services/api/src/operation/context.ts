import type { Capability, Plan, Role } from '@posthorn/contract/access';
import type { UrlRule } from '@posthorn/contract/errors';
import type { CursorKeys } from '@posthorn/crypto/cursor';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { Ingest } from '@posthorn/ingest/ingest-input';
import type { QuotaDefaults } from '@posthorn/ingest/quota-limits';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Probes } from '@posthorn/queue/probes';
import type { Clock } from '@posthorn/runtime/clock';
import type { Claimant } from '@posthorn/runtime/gate';
import type { OpenSearchKey } from '@posthorn/search/tokens';
import type { Gatherer } from '@posthorn/stats/gather';
import type { Transformer } from '@posthorn/transform/open-transformer';
import type { Actor, Change, ChangeTogether } from '../audit/change.ts';
import type { ChangesPerDay } from '../audit/changes-per-day.ts';
import type { Bounds } from '../auth/bounds.ts';
import type { CreatableTypes } from '../endpoint-types/creatable-types.ts';
import type { LiveHub } from '../live/hub.ts';
import type { Timing } from '../timing.ts';
import type { ReadFrom, ReadLists } from './read-lists.ts';

/** The dependencies of all operations, the same for every request. */
export type Services = {
  db: Db;
  /** For large reads: their statements end after 5 s, and they have connections of their own. */
  listDb: Db;
  /** Runs reads that may be as old as the lag of a replica; undefined without a replica. */
  readLists: ReadLists | undefined;
  sealingKeys: SealingKeys;
  openSearchKey: OpenSearchKey;
  cursorKeys: CursorKeys;
  clock: Clock;
  /** How long operations wait. */
  timing: Timing;
  /** Checks an endpoint's URL by the egress rules, DNS included: the normalised URL, or the reason of a refusal. */
  vetUrl: (url: string) => Promise<UrlVerdict>;
  /** Asks a dispatcher to make a request to an endpoint now: the API itself never makes one. */
  probes: Probes;
  /** Runs and checks the code of transformations. */
  transformer: Transformer;
  /** Enqueues deliveries that are due now. It never throws, and no request waits for it. */
  enqueue: (deliveries: DeliverRequest[]) => void;
  /** Accepts an event, as the ingestion interface does. */
  ingest: Ingest;
  /** Counts for the workspace's statistics, in memory. */
  stats: Pick<Gatherer, 'countIngested' | 'countEnded' | 'countAttempt' | 'countAttemptBytes'>;
  /** Tells waiting consumers of these endpoints that there may be something to fetch. It never throws. */
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  /** Opens live streams, and publishes changes to them. Publishing never throws, and is never awaited. */
  live: Pick<LiveHub, 'open'> & Pick<LivePublisher, 'deliveryChanged' | 'eventAccepted'>;
  settings: {
    defaultPlan: Plan;
    retentionDays: number;
    baseUrl: string;
    queueBoardUrl: string | null;
    /** Whether there is a mail server. Without one, links are shown to be passed on. */
    sendsMail: boolean;
    /** Whether people sign in with a password. If not, accounts have none. */
    passwordLogin: boolean;
    /** The name of the sign-in provider; null where there is none. */
    signInProvider: string | null;
    /** 0 means no limit. */
    maxEndpointsPerWorkspace: number;
    endpointTypes: CreatableTypes;
    /** The limits for agents; undefined where they may not subscribe. 0 means no limit. */
    agents: { maxSubscriptions: number; challengesPerHost: number } | undefined;
    /** The defaults for endpoints whose config does not set them. */
    endpointDefaults: { timeoutSeconds: number; retrySchedule: number[] };
    /** Whether brokers and stores may be reached without TLS. */
    allowPlaintext: boolean;
    /** The workspaces that one user may own; 0 means no limit. */
    maxWorkspacesPerUser: number;
    /** Who creates workspaces. */
    workspaceCreation: 'members' | 'operators';
    /** Who creates accounts with a password. */
    accountCreation: 'admins' | 'operators';
    /** The most changes on a UTC day. */
    changesPerDay: ChangesPerDay;
    /** The largest payload of an event. */
    maxPayloadBytes: number;
    /** The quotas of workspaces that have none of their own. */
    quotas: QuotaDefaults;
  };
};

export type UrlVerdict = { kind: 'ok'; url: string } | { kind: 'refused'; rule: UrlRule; message: string };

export type WorkspaceRecord = {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
  portalOrigins: string[];
  portalEventTerm: string;
  requireSecondFactor: boolean;
  eventsPerDay: bigint | null;
  bytesKept: bigint | null;
  attemptBytesKept: bigint | null;
  payloadRetentionHours: number | null;
  retentionHours: number | null;
  /** The account that created it; null when the installation did. */
  createdBy: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The context of an operation on a workspace: the caller, the workspace and the caller's rights. */
export type WorkspaceContext = Services & {
  workspace: WorkspaceRecord;
  actor: Actor;
  /** The caller as the gates of this process count it. */
  claimant: Claimant;
  /** The database that `listDb` reads; undefined where no replica may answer. */
  readsFrom?: ReadFrom;
  /** Set for a session: the user's role in this workspace. */
  role: Role | null;
  /** The part of the workspace that the caller reaches. Every look-up includes it. */
  bounds: Bounds;
  /** Which sensitive parts of resources the caller may see. */
  sees: { secrets: boolean; payloads: boolean; deliveries: boolean };
  /** Whether the caller may change the code of transformations. */
  mayTransform: boolean;
  /**
   * Puts the cursor of the next page into the answer's `Link` header (RFC 8288). Null means that this page is the last
   * one, and makes no link. The page belongs to the requested list, or to the one at `list`, a path relative to the
   * request.
   */
  linkNext: (cursor: string | null, list?: string) => void;
  /** The capabilities that the caller may give to a portal session. */
  grantable: readonly Capability[];
  /** Runs a large read that is a part of an operation: the reads of a dry run. */
  inListTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /**
   * Reads a page with counts, schemas, examples or attempts by `listDb`, one page of a workspace at a time. The turn is
   * not held while the page is answered, so that a slow reader delays no other list.
   */
  inPageTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs the test of a filter, one of a workspace at a time. */
  inFilterTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** The way to write: the change and its audit entry in one transaction. */
  change: Change;
  /** The way to write for several operations that are one change. */
  changeTogether: ChangeTogether;
};
