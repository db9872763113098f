import {
  deviceCodeBody,
  deviceLogin,
  pollDeviceLoginBody,
  polledDeviceLogin,
  startDeviceLoginBody,
  startedDeviceLogin,
} from '@posthorn/contract/device-logins';
import { openRoute, sessionRoute } from '../account-route.ts';
import { approveDeviceLogin, findDeviceLogin, refuseDeviceLogin } from './answer-device-login.ts';
import { pollDeviceLogin } from './poll-device-login.ts';
import { startDeviceLogin } from './start-device-login.ts';

export const deviceLoginRoutes = [
  openRoute({
    operationId: 'startDeviceLogin',
    method: 'post',
    path: '/auth/device-logins',
    tag: 'Account',
    summary: 'Start a device login',
    description:
      'For command lines, as in RFC 8628. The device shows the code and the URL of a page, where a logged-in person compares the code and confirms. The codes are valid for ten minutes. At most 10 devices of one network can wait at a time.',
    status: 201,
    errors: ['rate_limited'],
    body: startDeviceLoginBody,
    response: startedDeviceLogin,
    run: startDeviceLogin,
  }),
  openRoute({
    operationId: 'receiveDeviceSession',
    method: 'post',
    path: '/auth/device-logins/poll',
    tag: 'Account',
    summary: 'Poll a device login',
    description:
      'The device polls every `intervalSeconds`. The first response after the confirmation contains the session, which lasts 30 days. The code cannot be used again.',
    status: 200,
    errors: ['rate_limited'],
    body: pollDeviceLoginBody,
    response: polledDeviceLogin,
    run: pollDeviceLogin,
  }),
  sessionRoute({
    operationId: 'verifyDeviceCode',
    method: 'post',
    path: '/auth/device-logins/verify',
    tag: 'Account',
    summary: 'Look up a device login',
    description:
      'Returns the device that shows this code. Wrong codes have the same limits as wrong passwords, with separate counts.',
    status: 200,
    errors: ['not_found', 'rate_limited'],
    body: deviceCodeBody,
    response: deviceLogin,
    run: findDeviceLogin,
  }),
  sessionRoute({
    operationId: 'approveDeviceLogin',
    method: 'post',
    path: '/auth/device-logins/approve',
    tag: 'Account',
    summary: 'Approve a device login',
    description: 'Requires a browser session. A code can be approved or refused once.',
    status: 204,
    errors: ['not_found', 'forbidden', 'rate_limited'],
    body: deviceCodeBody,
    run: approveDeviceLogin,
  }),
  sessionRoute({
    operationId: 'refuseDeviceLogin',
    method: 'post',
    path: '/auth/device-logins/refuse',
    tag: 'Account',
    summary: 'Refuse a device login',
    description: 'The device is told that it was refused. A code can be approved or refused once.',
    status: 204,
    errors: ['not_found', 'rate_limited'],
    body: deviceCodeBody,
    run: refuseDeviceLogin,
  }),
];
