import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { askAccount, type Person } from './account.ts';
import { openBrowser } from './commands/open.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './failure.ts';
import { oneLine } from './safe-text.ts';

type Started = {
  deviceCode: string;
  userCode: string;
  verificationUrl: string;
  verificationUrlComplete: string;
  intervalSeconds: number;
};

type Session = { token: string; expiresAt: string; user: Person };

type Polled = {
  status: 'pending' | 'slow_down' | 'approved' | 'refused' | 'expired';
  intervalSeconds: number;
  session: Session | null;
};

/**
 * Logs in the person who confirms the code in the dashboard (RFC 8628), and returns the session. Prints the address and
 * the code, and opens the browser if `opensBrowser` is set.
 */
export async function logInByDevice(
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
  { baseUrl, name, opensBrowser }: { baseUrl: string; name: string | undefined; opensBrowser: boolean },
): Promise<Session> {
  const started = await askAccount<Started>(baseUrl, {
    method: 'POST',
    path: '/auth/device-logins',
    body: { name: name ?? (hostname() || 'A command line') },
    signal,
  });
  // On stderr, because the person must see it even when a program reads the output.
  terminal.stderr.write(`${oneLine(`Open ${started.verificationUrl} and confirm the code ${started.userCode}`)}\n`);
  if (opensBrowser) await openBrowser(started.verificationUrlComplete);
  let seconds = started.intervalSeconds;
  while (true) {
    await wait(seconds * 1_000, undefined, { signal });
    const { status, intervalSeconds, session } = await askAccount<Polled>(baseUrl, {
      method: 'POST',
      path: '/auth/device-logins/poll',
      body: { deviceCode: started.deviceCode },
      signal,
    });
    if (session !== null) return session;
    if (status !== 'pending' && status !== 'slow_down') throw ended(status);
    seconds = intervalSeconds;
  }
}

function ended(status: string): CommandError {
  return new CommandError({
    exitCode: EXIT.unauthorized,
    code: status === 'refused' ? 'login_refused' : 'login_expired',
    message: status === 'refused' ? 'The login was refused in the dashboard' : 'The code was not confirmed in time',
    next: 'posthorn login',
  });
}
