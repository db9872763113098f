import { toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { kindOf, settingsOf } from '@posthorn/destinations/kinds';
import { type PullState, pullStates } from '@posthorn/ledger/pull-state';
import { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { storedPatterns } from '../subscriptions/patterns.ts';
import { type EndpointHealth, healthOf } from './endpoint-health.ts';
import { currentPublicKey, currentSecret } from './secrets.ts';

/** The relations that an endpoint's answer needs, for one query. */
export const endpointParts = { secrets: true, health: true } as const;

export type EndpointRow = {
  id: string;
  environmentId: string;
  applicationId: string | null;
  promotedFrom: string | null;
  externalId: string | null;
  /** The patterns of event types; null for none. */
  eventTypePatterns: unknown;
  url: string;
  isPulled: boolean;
  description: string;
  type: string;
  config: unknown;
  /** The sealed values, by the names of the headers. */
  secretHeaders: unknown;
  /** The sealed values, by the names of the credentials. */
  credentials: unknown;
  metadata: unknown;
  authUsername: string | null;
  isActive: boolean;
  disabledAt: Date | null;
  disabledReason: string | null;
  createdAt: Date;
  updatedAt: Date;
  secrets: { id: string; sealed: Uint8Array; publicKey: Uint8Array | null; expiresAt: Date | null }[];
  health: EndpointHealth | null;
};

export function presentEndpoint(ctx: WorkspaceContext, row: EndpointRow, pull: PullState | undefined) {
  return {
    id: toId('ep', row.id),
    environmentId: toId('env', row.environmentId),
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    promotedFrom: row.promotedFrom === null ? null : toId('ep', row.promotedFrom),
    externalId: row.externalId,
    url: row.url,
    target: targetOf(row),
    secret: ctx.sees.secrets ? currentSecret(ctx.sealingKeys, row.secrets) : null,
    publicKey: currentPublicKey(row),
    description: row.description,
    authUsername: row.authUsername,
    hasAuth: row.authUsername !== null,
    isActive: row.isActive,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: disabledReason.parse(row.disabledReason),
    health: healthOf(row.health, ctx.clock.now()),
    pull: row.isPulled ? presentPull(pull) : null,
    type: row.type,
    config: jsonObject.parse(row.config),
    eventTypePatterns: storedPatterns(row),
    credentialNames: Object.keys(jsonObject.parse(row.credentials)),
    secretHeaderNames: Object.keys(jsonObject.parse(row.secretHeaders)),
    metadata: jsonObject.parse(row.metadata),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The endpoint as its reader sees it, with the deliveries that wait for its consumers. */
export async function readPresented(ctx: WorkspaceContext, db: Db | DbTransaction, row: EndpointRow) {
  return presentEndpoint(ctx, row, (await readPullStates(db, [row])).get(row.id));
}

function presentPull(state: PullState | undefined) {
  return {
    waiting: state?.waiting ?? 0,
    oldestAgeSeconds: state?.oldestAgeSeconds ?? null,
    lastLeaseAt: state?.lastLeaseAt?.toISOString() ?? null,
  };
}

/** The deliveries that wait for consumers at each pull endpoint. */
export function readPullStates(
  db: Pick<Db | DbTransaction, '$queryRaw'>,
  rows: readonly Pick<EndpointRow, 'id' | 'isPulled'>[],
): Promise<Map<string, PullState>> {
  return pullStates(
    db,
    rows.flatMap(({ id, isPulled }) => (isPulled ? [id] : [])),
  );
}

/** A type that this version does not know is shown by its URL. */
function targetOf({ type, url, config }: EndpointRow): string {
  const kind = kindOf(type);
  return kind === undefined ? url : kind.target({ url, settings: settingsOf(kind, config) });
}

const disabledReason = z.enum(['manual', 'failing', 'gone', 'receiver']).nullable();
const jsonObject = z.record(z.string(), z.unknown());
