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

const CONFIRMED = '`currentPassword` is required if you signed in more than 10 minutes ago.';

export const oidcRoutes = [
  openRoute({
    operationId: 'startOidc',
    method: 'post',
    path: '/auth/oidc/start',
    tag: 'Account',
    summary: 'Start a sign-in with the provider',
    description:
      "For browsers: the response sets a cookie that binds the sign-in to the browser, and has the URL of the provider's page. The sign-in is valid for ten minutes and can be used once.",
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
    summary: 'Start to connect your account with the provider',
    description: `Starts a sign-in that connects your account with your user at the provider. ${CONFIRMED}`,
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
    description: `Your other sessions that started with the provider end. Returns \`forbidden\` if you have no other way to sign in. ${CONFIRMED}`,
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
    summary: 'Finish a sign-in with the provider',
    description:
      'Takes the query that the provider passed to the page, in the browser that started the sign-in. Returns `forbidden` if the provider has not verified the address, or if the person has no account.',
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
    summary: 'Log out, including at the provider',
    description:
      'The session ends immediately. The response has the URL where the session at the provider can be ended.',
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
    summary: 'Sign in with a link from the operator',
    description: 'Takes a token from `posthorn-admin sign-in-link`. A wrong token counts as a failed login.',
    status: 200,
    errors: ['unauthorized', 'rate_limited'],
    body: signInLinkBody,
    response: signedInByLink,
    run: useSignInLink,
  }),
];
