import { api } from '../../../client/api.ts';

/** The user's sessions that go on, newest first. */
export const sessionsQuery = () => api.queryOptions('get', '/api/auth/sessions');
