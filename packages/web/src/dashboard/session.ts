import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { api } from '../client/api.ts';
import { isUnauthorized } from '../client/api-error.ts';
import type { User } from '../client/resources.ts';

export const meQuery = () => api.queryOptions('get', '/api/auth/me');

/** Returns the logged-in user. Without a session, redirects to the login page, which leads back to `href`. */
export async function requireUser(queryClient: QueryClient, href: string): Promise<User> {
  try {
    const { user } = await queryClient.ensureQueryData({ ...meQuery(), retry: false });
    return user;
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    throw redirect({ to: '/login', search: { returnTo: href } });
  }
}
