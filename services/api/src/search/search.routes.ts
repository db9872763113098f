import { searchKeyRotation } from '@posthorn/contract/event-types';
import { findBody, foundByText } from '@posthorn/contract/events';
import { dryRun, operation, searchIndexBody } from '@posthorn/contract/operations';
import { route } from '../operation/route.ts';
import { findByText } from './find-by-text.ts';
import { indexEvents } from './index-events.ts';
import { rotateSearchKey } from './search-key.ts';

export const searchRoutes = [
  route({
    operationId: 'indexEvents',
    method: 'post',
    path: '/search-index',
    tag: 'Event types',
    summary: 'Index older events',
    description:
      'Starts an operation that reads the payloads of older events of the type, so that they are found by the search keys that it has now. Repeating it changes nothing. With `dryRun` it only counts the events.',
    scopes: ['write'],
    role: 'member',
    status: 202,
    errors: ['not_found', 'limit_reached'],
    body: searchIndexBody,
    response: operation,
    dryRun,
    run: (ctx, { body }) => indexEvents(ctx, body),
  }),
  route({
    operationId: 'rotateSearchKey',
    method: 'post',
    path: '/search-key/rotate',
    tag: 'Event types',
    summary: 'Rotate the search key of the workspace',
    description:
      'Events that are accepted from now on are stored with tokens of a new key. Searches look with both keys until the last event under the former one has left the retention, and until then there is no further rotation. A token may do this while its creator is an owner, or when posthorn-admin or the bootstrap created it.',
    scopes: ['write'],
    role: 'owner',
    status: 200,
    errors: ['not_found', 'limit_reached'],
    response: searchKeyRotation,
    run: (ctx) => rotateSearchKey(ctx),
  }),
  route({
    operationId: 'searchNames',
    method: 'post',
    path: '/find',
    tag: 'Workspace',
    dashboardOnly: true,
    summary: 'Find customers and events',
    description:
      'What the search box of the dashboard looks for beside values of payloads: applications by a part of their name or externalId, and events of the environment by their idempotency key. A text that is typed there may be a value of a payload, so it is in the body.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['not_found'],
    isLargeRead: true,
    body: findBody,
    response: foundByText,
    run: (ctx, { body }) => findByText(ctx, body),
  }),
];
