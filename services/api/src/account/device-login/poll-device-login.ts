import type { pollDeviceLoginBody } from '@posthorn/contract/device-logins';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { newDeviceSession, type UserRecord } from '../../auth/session-token.ts';
import type { AccountContext } from '../account-route.ts';
import { insertSession } from '../sessions.ts';
import { presentUser } from '../sign-in.ts';
import { codeDigest } from './code-digest.ts';

/** A poll before its time makes the interval this much longer (RFC 8628, 3.5). */
const SLOW_DOWN_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 60;

/** The state of a device's login. The first poll after the approval gets the session and uses the code up. */
export async function pollDeviceLogin(ctx: AccountContext, { body }: { body: z.output<typeof pollDeviceLoginBody> }) {
  const { db, clock } = ctx;
  const now = clock.now();
  const digest = codeDigest(body.deviceCode);
  const login = await db.deviceLogin.findUnique({ where: { deviceCodeDigest: digest } });
  if (login === null || login.expiresAt <= now) return without('expired');
  if (login.refusedAt !== null) return without('refused');
  if (login.sessionId !== null) {
    const session = await inTransaction(db, (transaction) => useApproval(transaction, login.id, now));
    return session === undefined ? without('expired') : { ...without('approved'), session };
  }
  const polled = await db.$queryRaw<{ interval: number; isEarly: boolean }[]>`
    update device_login d set interval_seconds = before.interval,
      next_poll_at = ${now}::timestamptz + make_interval(secs => before.interval)
    from (select id, next_poll_at > ${now}::timestamptz as early,
      least(${LONGEST_INTERVAL_SECONDS}::int, interval_seconds
        + case when next_poll_at > ${now}::timestamptz then ${SLOW_DOWN_SECONDS}::int else 0 end) as interval
      from device_login where id = ${login.id}::uuid for update) before
    where d.id = before.id
    returning before.interval, before.early as "isEarly"`;
  const [poll] = polled;
  if (poll === undefined) return without('expired');
  return { ...without(poll.isEarly ? 'slow_down' : 'pending'), intervalSeconds: poll.interval };
}

function without<Status extends string>(status: Status) {
  return { status, intervalSeconds: 0, session: null };
}

/** Deletes the login and begins its session; undefined when another poll has done so, or the approving session has ended. */
async function useApproval(transaction: DbTransaction, id: string, now: Date) {
  // A password change ends the approving session, and this login. It waits for this lock, or this query sees it.
  const [user] = await transaction.$queryRaw<(UserRecord & { isByProvider: boolean })[]>`
    select s.is_by_provider as "isByProvider", u.id, u.email, u.name, u.created_at as "createdAt" from device_login d
    join session s on s.id = d.session_id join "user" u on u.id = s.user_id
    where d.id = ${id}::uuid for share of u`;
  if (user === undefined) return undefined;
  const [login] = await transaction.$queryRaw<{ name: string }[]>`
    delete from device_login d using session s
    where d.id = ${id}::uuid and s.id = d.session_id and s.expires_at > ${now}::timestamptz
    returning d.name`;
  if (login === undefined) return undefined;
  const { token, columns } = newDeviceSession(now, login.name);
  await insertSession(transaction, { userId: user.id, isByProvider: user.isByProvider, ...columns });
  return { token, expiresAt: columns.expiresAt.toISOString(), user: presentUser(user) };
}
