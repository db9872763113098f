import {
  application,
  applicationsPage,
  createApplicationBody,
  listApplicationEndpointsQuery,
  listApplicationsQuery,
  updateApplicationBody,
} from '@posthorn/contract/applications';
import { createApplicationEndpointBody, createdEndpoint, endpoint } from '@posthorn/contract/endpoints';
import { z } from 'zod';
import { UPSERT_ENDPOINT, upsertEndpoint } from '../apply/upsert-endpoint.ts';
import { createEndpoint } from '../endpoints/endpoints.ts';
import { listEndpoints } from '../endpoints/list-endpoints.ts';
import { route } from '../operation/route.ts';
import {
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  updateApplication,
  upsertApplication,
} from './applications.ts';

const reads = { tag: 'Applications', paid: true, scopes: ['read'], role: 'viewer', status: 200 } as const;
const writes = { tag: 'Applications', paid: true, scopes: ['write'], role: 'member' } as const;

export const applicationRoutes = [
  route({
    ...reads,
    operationId: 'listApplications',
    method: 'get',
    path: '/applications',
    summary: 'List applications',
    description:
      'Newest first, or with `sort=trouble` those with the most failing endpoints first. `include=health` adds how the endpoints of each are.',
    errors: ['invalid_cursor', 'not_found'],
    isLargeRead: ({ search, sort, include }) => search !== undefined || sort !== undefined || include !== undefined,
    query: listApplicationsQuery,
    response: applicationsPage,
    run: (ctx, { query }) => listApplications(ctx, query),
  }),
  route({
    ...writes,
    operationId: 'createApplication',
    method: 'post',
    path: '/applications',
    summary: 'Create an application',
    description:
      'An `externalId` is unique in the workspace; `ext:<externalId>` is accepted wherever an application’s id is.',
    status: 201,
    errors: ['external_id_taken'],
    body: createApplicationBody,
    response: application,
    run: (ctx, { body }) => createApplication(ctx, body),
  }),
  route({
    ...reads,
    operationId: 'getApplication',
    method: 'get',
    path: '/applications/{applicationId}',
    summary: 'Get an application',
    description: 'By its id, or by `ext:` and its externalId.',
    errors: ['not_found'],
    response: application,
    run: (ctx, { params }) => getApplication(ctx, params.applicationId),
  }),
  route({
    ...writes,
    operationId: 'upsertApplication',
    method: 'put',
    path: '/applications/{applicationId}',
    summary: 'Create or replace an application',
    description:
      'By `ext:` and an externalId. An optional field that is absent gets its default. The answer is 201 where the application is new.',
    status: 200,
    upserts: true,
    body: createApplicationBody,
    response: application,
    run: (ctx, { params, body }) => upsertApplication(ctx, params.applicationId, body),
  }),
  route({
    ...writes,
    operationId: 'updateApplication',
    method: 'patch',
    path: '/applications/{applicationId}',
    summary: 'Update an application',
    description: '`metadata` is replaced completely.',
    status: 200,
    errors: ['not_found', 'external_id_taken'],
    body: updateApplicationBody,
    response: application,
    run: (ctx, { params, body }) => updateApplication(ctx, params.applicationId, body),
  }),
  route({
    ...writes,
    operationId: 'deleteApplication',
    method: 'delete',
    path: '/applications/{applicationId}',
    summary: 'Delete an application',
    description: 'Also ends its endpoints and portal sessions.',
    status: 204,
    errors: ['not_found'],
    run: (ctx, { params }) => deleteApplication(ctx, params.applicationId),
  }),
  route({
    ...reads,
    operationId: 'listApplicationEndpoints',
    method: 'get',
    path: '/applications/{applicationId}/endpoints',
    summary: "List an application's endpoints",
    description: 'Oldest first. With `limit` or `cursor` only one page; the `Link` header leads to the next.',
    links: true,
    errors: ['not_found', 'invalid_cursor'],
    query: listApplicationEndpointsQuery,
    response: z.array(endpoint),
    run: (ctx, { params, query }) =>
      listEndpoints(ctx, { ...query, application_id: params.applicationId }, 'endpoints of an application'),
  }),
  route({
    ...writes,
    operationId: 'createApplicationEndpoint',
    method: 'post',
    inEnvironment: true,
    path: '/applications/{applicationId}/endpoints',
    summary: 'Create an endpoint of an application',
    description: 'In the default environment unless another is named. An application has at most 500 endpoints.',
    status: 201,
    errors: ['not_found', 'external_id_taken', 'limit_reached'],
    body: createApplicationEndpointBody,
    response: createdEndpoint,
    secrets: ['secret', 'pullKey'],
    run: (ctx, { params, body }) => createEndpoint(ctx, body, params.applicationId),
  }),
  route({
    ...writes,
    operationId: 'upsertApplicationEndpoint',
    method: 'put',
    inEnvironment: true,
    path: '/applications/{applicationId}/endpoints/{endpointId}',
    summary: 'Create or replace an endpoint of an application',
    description: UPSERT_ENDPOINT,
    status: 200,
    upserts: true,
    errors: ['not_found', 'external_id_taken', 'limit_reached'],
    body: createApplicationEndpointBody,
    response: createdEndpoint,
    secrets: ['secret', 'pullKey'],
    // The path names it.
    immutable: ['applicationId'],
    run: (ctx, { params, body }) =>
      upsertEndpoint(ctx, { reference: params.endpointId, field: 'endpointId' }, body, params.applicationId),
  }),
];
