import { type Capability, capability, NAMED_CAPABILITIES } from '@posthorn/contract/access';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { type createPortalSessionBody, portalLocale } from '@posthorn/contract/portal-sessions';
import type { PageQuery } from '@posthorn/contract/primitives';
import { digestToken, newToken } from '@posthorn/crypto/token';
import { z } from 'zod';
import { holdApplication, requireApplication } from '../applications/require-application.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { refuseLocalAddress } from '../operation/local-addresses.ts';
import { ApiError, notFound } from '../transport/error.ts';

/**
 * Creates a session with which a customer can use the portal of one environment, by default the default one. It may do
 * at most what its creator may, which is also the default; more is `forbidden`.
 */
export async function createPortalSession(
  ctx: WorkspaceContext,
  applicationId: string,
  body: z.output<typeof createPortalSessionBody>,
) {
  const capabilities = capabilitiesFor(ctx, body.capabilities);
  refuseLocalAddress(ctx.settings.baseUrl, body.theme?.logoUrl ?? '', 'theme.logoUrl', 'must be an https URL');
  return ctx.change('portal_session.created', async (transaction) => {
    const application = await requireApplication(ctx, transaction, applicationId);
    await holdApplication(transaction, application.id);
    const environment = await requireEnvironment(ctx, transaction, body.environmentId);
    await holdEnvironment(transaction, environment.id);
    const now = ctx.clock.now();
    await transaction.portalSession.deleteMany({
      where: { applicationId: application.id, expiresAt: { lte: now } },
    });
    // End the oldest sessions, so that a producer that makes a session for each page view is never refused.
    await transaction.$executeRaw`
      delete from portal_session where id in (
        select id from portal_session where application_id = ${application.id}::uuid
        order by id desc offset ${LIMITS.portalSessionsPerApplication - 1}::int limit ${ENDED_AT_ONCE}::int)`;
    const token = newToken('portal');
    const row = await transaction.portalSession.create({
      data: {
        id: newUuid(ctx.clock.now()),
        applicationId: application.id,
        environmentId: environment.id,
        digest: digestToken(token),
        capabilities,
        ...(body.theme == null ? {} : { theme: { ...body.theme } }),
        ...(body.locale === undefined ? {} : { locale: body.locale }),
        returnUrl: body.returnUrl ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + body.expiresInSeconds * 1_000),
      },
    });
    const session = presentPortalSession(row);
    const changes = {
      applicationId: { from: null, to: session.applicationId },
      environmentId: { from: null, to: session.environmentId },
      capabilities: { from: null, to: session.capabilities },
      expiresAt: { from: null, to: session.expiresAt },
    };
    const url = `${ctx.settings.baseUrl}/portal/${session.id}#token=${token}`;
    return { result: { ...session, url, token }, entry: { resourceId: session.id, changes } };
  });
}

/** The most sessions that one creation ends. An earlier version may have left any number of them. */
const ENDED_AT_ONCE = 1_000;

function capabilitiesFor(
  { grantable }: WorkspaceContext,
  wanted: readonly Capability[] = grantable.filter((one) => !NAMED_CAPABILITIES.includes(one)),
): Capability[] {
  const over = wanted.filter((one) => !grantable.includes(one));
  if (over.length === 0) return [...wanted];
  throw new ApiError(
    'forbidden',
    `You can only grant capabilities that you have, and you do not have ${over.join(', ')}`,
  );
}

/** The sessions that have not expired, oldest first. */
export async function listPortalSessions(ctx: WorkspaceContext, applicationId: string, query: PageQuery) {
  const application = await requireApplication(ctx, ctx.db, applicationId);
  const where = {
    applicationId: application.id,
    expiresAt: { gt: ctx.clock.now() },
    environment: { deletedAt: null },
    ...environmentWithin(ctx),
  };
  return listRows(ctx, query, {
    name: ['portal sessions', application.id],
    read: ({ after, take }) =>
      ctx.db.portalSession.findMany({
        where: { ...where, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentPortalSession,
  });
}

export async function getPortalSession(ctx: WorkspaceContext, applicationId: string, id: string) {
  const application = await requireApplication(ctx, ctx.db, applicationId);
  const row = await ctx.db.portalSession.findFirst({ where: liveSession(ctx, application.id, id) });
  if (row === null) throw notFound('Portal session');
  return presentPortalSession(row);
}

/** Deletes a session: its token is refused from the next request on. */
export async function deletePortalSession(ctx: WorkspaceContext, applicationId: string, id: string) {
  return ctx.change('portal_session.deleted', async (transaction) => {
    const application = await requireApplication(ctx, transaction, applicationId);
    const { count } = await transaction.portalSession.deleteMany({ where: liveSession(ctx, application.id, id) });
    if (count === 0) throw notFound('Portal session');
    const changes = { applicationId: { from: toId('app', application.id), to: null } };
    return { result: undefined, entry: { resourceId: id, changes } };
  });
}

function liveSession(ctx: WorkspaceContext, applicationId: string, id: string) {
  const uuid = fromId('prt', id);
  if (uuid === undefined) throw notFound('Portal session');
  return {
    id: uuid,
    applicationId,
    expiresAt: { gt: ctx.clock.now() },
    environment: { deletedAt: null },
    ...environmentWithin(ctx),
  };
}

function environmentWithin({ bounds: { environmentId } }: WorkspaceContext) {
  return environmentId === undefined ? {} : { environmentId };
}

type PortalSessionRow = {
  id: string;
  applicationId: string;
  environmentId: string;
  capabilities: string[];
  theme: unknown;
  locale: string;
  returnUrl: string | null;
  createdAt: Date;
  expiresAt: Date;
};

export function presentPortalSession(row: PortalSessionRow) {
  return {
    id: toId('prt', row.id),
    applicationId: toId('app', row.applicationId),
    environmentId: toId('env', row.environmentId),
    capabilities: row.capabilities.map((name) => capability.parse(name)),
    theme: storedTheme.parse(row.theme),
    locale: portalLocale.parse(row.locale),
    returnUrl: row.returnUrl,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

const storedTheme = z
  .object({
    mode: z.enum(['light', 'dark', 'auto']).optional(),
    primaryColor: z.string().optional(),
    logoUrl: z.string().optional(),
    fontFamily: z.string().optional(),
    radius: z.int().optional(),
    css: z.string().optional(),
  })
  .nullable();
