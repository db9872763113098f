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
      'Starts an operation that reads the payloads of older events of the event type, so that they can be found by its current search keys. Repeating it is safe. With `dryRun`, only counts the events.',
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
    summary: 'Rotate the search key',
    description:
      'New events are stored with tokens of a new key. Searches use both keys until the last event with the old key is past the retention period; until then, the key cannot be rotated again. A token may rotate the key while its creator is an owner, or if it was created by posthorn-admin or the bootstrap.',
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
    summary: 'Find applications and events',
    description:
      'For the search box of the dashboard. Finds applications by a part of their name or externalId, and events of the environment by their idempotency key. The text may be a value of a payload, so it is sent in the body. Values of payloads are searched separately.',
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
