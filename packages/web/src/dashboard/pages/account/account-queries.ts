import { api } from '../../../client/api.ts';

/** The user's active sessions, newest first. */
export const sessionsQuery = () => api.queryOptions('get', '/api/auth/sessions');

/** The user's second factor, and the workspaces that require one. */
export const secondFactorQuery = () => api.queryOptions('get', '/api/auth/second-factor');
