import { fromId, toId } from '@posthorn/contract/ids';
import { digestToken, newToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request } from 'express';
import { hasSecondFactor } from '../account/second-factor/has-second-factor.ts';
import { ApiError, notFound } from '../transport/error.ts';
import { notValid, requireBearer, requireToken } from './credential.ts';
import type { IsKnown } from './credential-lookup.ts';
import type { Authenticate, Entrance } from './principal.ts';
import type { SessionCookie } from './session-cookie.ts';

export type UserRecord = { id: string; email: string; name: string; createdAt: Date };
export type LiveSession = {
  id: string;
  kind: SessionKind;
  isByProvider: boolean;
  user: UserRecord;
  createdAt: Date;
  expiresAt: Date;
};
export type SessionKind = 'browser' | 'device';

/** A browser's session ends after this long without a request. */
const SLIDE_MS = 12 * 3_600_000;
/** A session ends after 7 days, however much it is used. */
export const SESSION_ENDS_AFTER_MS = 7 * 86_400_000;
/** A command line's session ends this long after its login, used or not. */
const DEVICE_SESSION_MS = 30 * 86_400_000;
/** The sliding end is written at most this often, so that most requests only read. */
const SLIDE_EVERY_MS = 60_000;

export type SessionAuth = {
  /**
   * The session of a Bearer `phs_…` or of the cookie; throws `unauthorized`. With `slides`, the default, the end of a
   * browser's session is moved to 12 h from now.
   */
  requireSession: (request: Request, spend: Entrance['spend'], slides?: boolean) => Promise<LiveSession>;
  /**
   * Authenticates the dashboard. A workspace without the user as a member is `not_found`, like one that does not exist.
   */
  authenticate: Authenticate;
};

export function createSessionAuth(deps: {
  db: Db;
  clock: Clock;
  cookie: SessionCookie;
  isKnown: IsKnown;
}): SessionAuth {
  const { db, clock, cookie } = deps;
  const requireSession: SessionAuth['requireSession'] = async (request, spend, slides = true) => {
    const token = sessionTokenOf(request, cookie);
    if (!(await deps.isKnown(token))) throw notValid('session');
    const record = await db.session.findUnique({
      where: { digest: digestToken(token.token) },
      include: { user: { select: { id: true, email: true, name: true, createdAt: true } } },
    });
    const now = clock.now();
    if (record === null || record.expiresAt <= now || record.endsAt <= now) throw notValid('session');
    spend(record.id);
    if (!slides || record.kind === 'device') return record;
    const expiresAt = slid(now, record.endsAt);
    if (expiresAt.getTime() - record.expiresAt.getTime() < SLIDE_EVERY_MS) return record;
    await db.session.updateMany({ where: { id: record.id }, data: { expiresAt } });
    return { ...record, expiresAt };
  };

  const authenticate: Authenticate = async (request, { workspaceId, spend, isAgain }) => {
    const { user, isByProvider } = await requireSession(request, spend, !isAgain);
    const uuid = fromId('ws', workspaceId ?? '');
    const member =
      uuid === undefined
        ? null
        : await db.member.findUnique({
            where: { workspaceId_userId: { workspaceId: uuid, userId: user.id } },
            include: { workspace: true },
          });
    if (member === null) throw notFound('Workspace');
    // A session by the sign-in provider needs no second factor here: the provider may ask for its own one.
    if (member.workspace.requireSecondFactor && !isByProvider && !(await hasSecondFactor(db, user.id))) {
      throw secondFactorRequired();
    }
    return { workspace: member.workspace, actor: userActor(user), grant: { kind: 'role', role: member.role } };
  };

  return { requireSession, authenticate };
}

function secondFactorRequired(): ApiError {
  const message = 'This workspace requires a second factor: set one up on your account page, then try again';
  return new ApiError('second_factor_required', message);
}

/** The columns of a new session of a browser except its id and user, and the token that is shown once. */
export function newSession(now: Date) {
  const token = newToken('session');
  const endsAt = new Date(now.getTime() + SESSION_ENDS_AFTER_MS);
  return { token, columns: { digest: digestToken(token), createdAt: now, expiresAt: slid(now, endsAt), endsAt } };
}

/** The columns of a new session of a device except its id and user, and the token that is shown once. */
export function newDeviceSession(now: Date, name: string) {
  const token = newToken('session');
  const endsAt = new Date(now.getTime() + DEVICE_SESSION_MS);
  const kind = 'device' as const;
  return { token, columns: { digest: digestToken(token), kind, name, createdAt: now, expiresAt: endsAt, endsAt } };
}

/** A person as an actor in the audit log. */
export function userActor(user: Pick<UserRecord, 'id' | 'email'>) {
  return { type: 'user', id: toId('usr', user.id), label: user.email } as const;
}

/** The header overrides the cookie: a broken credential is refused, never skipped. */
function sessionTokenOf(request: Request, cookie: SessionCookie) {
  const token = request.get('authorization') === undefined ? cookie.read(request) : undefined;
  if (token === undefined) return requireBearer(request, 'session');
  cookie.refuseForeignPage(request);
  return requireToken(token, 'session');
}

function slid(now: Date, endsAt: Date): Date {
  return new Date(Math.min(now.getTime() + SLIDE_MS, endsAt.getTime()));
}
