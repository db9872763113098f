import {
  connectOidcBody,
  finishedOidc,
  finishOidcBody,
  loggedOutOidc,
  signedInByLink,
  signInLinkBody,
  startedOidc,
  startOidcBody,
} from '@posthorn/contract/oidc';
import { confirmedBody } from '@posthorn/contract/second-factor';
import { openRoute, sessionRoute } from '../account-route.ts';
import { startOidc, startOidcConnection } from './begin-sign-in.ts';
import { removeOidcConnection } from './connection.ts';
import { logoutOidc } from './end-provider-session.ts';
import { finishOidc } from './finish-sign-in.ts';
import { useSignInLink } from './sign-in-link.ts';

const CONFIRMED = '`currentPassword` is needed when you signed in more than 10 minutes ago.';

export const oidcRoutes = [
  openRoute({
    operationId: 'startOidc',
    method: 'post',
    path: '/auth/oidc/start',
    tag: 'Account',
    summary: 'Begin to sign in with the provider',
    description:
      'For a browser: the answer sets a cookie that binds the sign-in to it, and has the address of the provider’s page. It works for ten minutes and once.',
    status: 200,
    errors: ['not_found', 'rate_limited', 'unavailable'],
    body: startOidcBody,
    response: startedOidc,
    run: startOidc,
  }),
  sessionRoute({
    operationId: 'startOidcConnection',
    method: 'post',
    path: '/auth/oidc/connect',
    tag: 'Account',
    summary: 'Begin to connect your account with the provider',
    description: `The same, and the person of the provider is connected with your account. ${CONFIRMED}`,
    status: 200,
    errors: ['not_found', 'forbidden', 'unauthorized', 'rate_limited', 'unavailable'],
    body: connectOidcBody,
    response: startedOidc,
    run: startOidcConnection,
  }),
  sessionRoute({
    operationId: 'removeOidcConnection',
    method: 'post',
    path: '/auth/oidc/disconnect',
    tag: 'Account',
    summary: 'Disconnect your account from the provider',
    description: `Your other sessions that began with the provider end. \`forbidden\` when you have no other way to sign in. ${CONFIRMED}`,
    status: 204,
    errors: ['not_found', 'forbidden', 'unauthorized', 'rate_limited'],
    body: confirmedBody,
    run: removeOidcConnection,
  }),
  openRoute({
    operationId: 'finishOidc',
    method: 'post',
    path: '/auth/oidc/finish',
    tag: 'Account',
    summary: 'Finish to sign in with the provider',
    description:
      'With the query that the provider gave to the page, in the browser that began. `forbidden` when the provider has not verified the address, or when there is no account for the person.',
    status: 200,
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited', 'unavailable'],
    body: finishOidcBody,
    response: finishedOidc,
    run: finishOidc,
  }),
  sessionRoute({
    operationId: 'logoutOidc',
    method: 'post',
    path: '/auth/oidc/logout',
    tag: 'Account',
    summary: 'Log out, also from the provider',
    description: 'The session ends at once. The answer says where the provider ends its own.',
    status: 200,
    errors: [],
    response: loggedOutOidc,
    run: logoutOidc,
  }),
  openRoute({
    operationId: 'finishSignInLink',
    method: 'post',
    path: '/auth/sign-in-link',
    tag: 'Account',
    summary: 'Sign in with a link of the operator',
    description: 'With the token of `posthorn-admin sign-in-link`. A wrong one counts as a failed login.',
    status: 200,
    errors: ['unauthorized', 'rate_limited'],
    body: signInLinkBody,
    response: signedInByLink,
    run: useSignInLink,
  }),
];
