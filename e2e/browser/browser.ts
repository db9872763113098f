import { type Browser, chromium } from '@playwright/test';
import { seedSession } from '@posthorn/testkit/session';
import type { Stack } from '@posthorn/testkit/stack';

const path = process.env.TEST_CHROMIUM;

/** Browser tests run where `npm test` found a Chromium; elsewhere they are skipped, and it says so. */
export const hasBrowser = path !== undefined;

/** Chromium, without a window. */
export function launchBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ ...(path && { executablePath: path }), args: isRoot ? ['--no-sandbox'] : [] });
}

export type Login = { email: string; password: string };

/** A person with a password and that role in the stack's workspace. */
export async function addPerson(stack: Stack, role: 'owner' | 'member' | 'viewer'): Promise<Login> {
  const { workspaceId } = stack;
  const token = await seedSession(stack.db, { workspaceId, role: 'owner' });
  const login = { email: `${role}@example.com`, password: 'correct horse battery staple' };
  const answer = await fetch(`${stack.api.url}/api/workspaces/${workspaceId}/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...login, role }),
  });
  if (!answer.ok) throw new Error(`the member was not added: ${answer.status} ${await answer.text()}`);
  return login;
}
