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
    summary: 'Begin the login of a device',
    description:
      'For a command line, after RFC 8628. The device shows the code and the address of the page; a logged-in person compares the code there and confirms. The codes work for ten minutes. At most 10 devices of one network wait at a time.',
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
    summary: 'Receive the session of a device',
    description:
      'The device asks every `intervalSeconds`. The first answer after the confirmation has the session, which lasts 30 days; the code is then used up.',
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
    summary: 'Look at the device of a code',
    description: 'Wrong codes are limited like wrong passwords, and counted apart from them.',
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
    summary: 'Log a device in as yourself',
    description: 'From a session of a browser only. A code is answered once.',
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
    summary: 'Refuse the login of a device',
    description: 'The device learns of it. A code can be answered once.',
    status: 204,
    errors: ['not_found', 'rate_limited'],
    body: deviceCodeBody,
    run: refuseDeviceLogin,
  }),
];
