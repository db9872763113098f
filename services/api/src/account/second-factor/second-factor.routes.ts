import { sessionAnswer } from '@posthorn/contract/accounts';
import {
  authenticatorSetup,
  confirmAuthenticatorBody,
  confirmedBody,
  confirmedSecondFactor,
  finishLoginBody,
  newRecoveryCodes,
  secondFactor,
} from '@posthorn/contract/second-factor';
import { openRoute, sessionRoute } from '../account-route.ts';
import { finishLogin } from './challenge.ts';
import {
  confirmAuthenticator,
  getSecondFactor,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
} from './own-second-factor.ts';

const CONFIRMED = '`currentPassword` is needed when you signed in more than 10 minutes ago.';

export const secondFactorRoutes = [
  openRoute({
    operationId: 'finishLogin',
    method: 'post',
    path: '/auth/login/second-factor',
    tag: 'Account',
    summary: 'Finish a login with a second factor',
    description:
      'With the `challenge` of the login, and a code of the authenticator app or a recovery code. Each code is accepted once. A wrong code counts as a failed login, and the fifth ends the challenge: log in again.',
    status: 200,
    errors: ['unauthorized', 'not_found', 'rate_limited'],
    body: finishLoginBody,
    response: sessionAnswer,
    run: finishLogin,
  }),
  sessionRoute({
    operationId: 'getSecondFactor',
    method: 'get',
    path: '/auth/second-factor',
    tag: 'Account',
    summary: 'Get your second factor',
    description: 'What you have set up, and which of your workspaces require it.',
    status: 200,
    errors: [],
    response: secondFactor,
    run: getSecondFactor,
  }),
  sessionRoute({
    operationId: 'startAuthenticator',
    method: 'post',
    path: '/auth/second-factor/authenticator',
    tag: 'Account',
    summary: 'Begin the setup of an authenticator app',
    description: `The secret for the app, which you confirm with a code within an hour. An app that is in use stays so until then. ${CONFIRMED}`,
    status: 201,
    errors: ['unauthorized', 'rate_limited'],
    body: confirmedBody,
    response: authenticatorSetup,
    run: startAuthenticator,
  }),
  sessionRoute({
    operationId: 'confirmAuthenticator',
    method: 'post',
    path: '/auth/second-factor/authenticator/confirm',
    tag: 'Account',
    summary: 'Confirm an authenticator app',
    description:
      'From then on each login needs a code. The first second factor ends your other sessions, and the answer has ten recovery codes, which are shown only here.',
    status: 200,
    errors: ['not_found'],
    body: confirmAuthenticatorBody,
    response: confirmedSecondFactor,
    run: confirmAuthenticator,
  }),
  sessionRoute({
    operationId: 'removeAuthenticator',
    method: 'post',
    path: '/auth/second-factor/authenticator/remove',
    tag: 'Account',
    summary: 'Remove the authenticator app',
    description: `With the last second factor, the recovery codes go too. ${CONFIRMED}`,
    status: 204,
    errors: ['not_found', 'unauthorized', 'rate_limited'],
    body: confirmedBody,
    run: removeAuthenticator,
  }),
  sessionRoute({
    operationId: 'renewRecoveryCodes',
    method: 'post',
    path: '/auth/second-factor/recovery-codes',
    tag: 'Account',
    summary: 'Get new recovery codes',
    description: `Ten codes, shown only here; the earlier ones become void. ${CONFIRMED}`,
    status: 201,
    errors: ['not_found', 'unauthorized', 'rate_limited'],
    body: confirmedBody,
    response: newRecoveryCodes,
    run: renewRecoveryCodes,
  }),
];
