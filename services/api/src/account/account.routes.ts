import { loginAnswer, loginBody, meAnswer, ownWorkspace, setPasswordBody } from '@posthorn/contract/accounts';
import { createWorkspaceBody } from '@posthorn/contract/workspaces';
import { z } from 'zod';
import { openRoute, sessionRoute } from './account-route.ts';
import { getMe, login, logout } from './login.ts';
import { setPassword } from './set-password.ts';
import { createWorkspace, listOwnWorkspaces } from './workspaces.ts';

export const accountRoutes = [
  openRoute({
    operationId: 'login',
    method: 'post',
    path: '/auth/login',
    tag: 'Account',
    summary: 'Log in',
    description:
      'The session token is also set as an HttpOnly cookie. After 10 failed logins of one account from one address in 15 minutes, or 100 from one address in an hour, logins are refused for a while.',
    status: 200,
    errors: ['unauthorized', 'rate_limited'],
    body: loginBody,
    response: loginAnswer,
    run: login,
  }),
  sessionRoute({
    operationId: 'logout',
    method: 'post',
    path: '/auth/logout',
    tag: 'Account',
    summary: 'Log out',
    description: 'The session ends at once.',
    status: 204,
    errors: [],
    run: logout,
  }),
  sessionRoute({
    operationId: 'getMe',
    method: 'get',
    path: '/auth/me',
    tag: 'Account',
    summary: 'Get the logged-in user',
    description: 'The user of the session, and when it ends unless it is used again.',
    status: 200,
    errors: [],
    response: meAnswer,
    run: getMe,
  }),
  openRoute({
    operationId: 'setPassword',
    method: 'post',
    path: '/auth/set-password',
    tag: 'Account',
    summary: 'Set a first password',
    description: 'With the token that adding the member gave: good once, within 7 days.',
    status: 204,
    errors: ['unauthorized'],
    body: setPasswordBody,
    run: setPassword,
  }),
  sessionRoute({
    operationId: 'listWorkspaces',
    method: 'get',
    path: '/workspaces',
    tag: 'Workspaces',
    summary: 'List your workspaces',
    description: 'Those that you are a member of, oldest first, each with your role.',
    status: 200,
    errors: [],
    response: z.array(ownWorkspace),
    run: listOwnWorkspaces,
  }),
  sessionRoute({
    operationId: 'createWorkspace',
    method: 'post',
    path: '/workspaces',
    tag: 'Workspaces',
    summary: 'Create a workspace',
    description: 'It begins with a production environment, and you are its owner.',
    status: 201,
    errors: ['slug_taken'],
    body: createWorkspaceBody,
    response: ownWorkspace,
    run: createWorkspace,
  }),
];
