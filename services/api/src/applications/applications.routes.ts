import {
  application,
  applicationsPage,
  createApplicationBody,
  listApplicationEndpointsQuery,
  listApplicationsQuery,
  updateApplicationBody,
} from '@posthorn/contract/applications';
import {
  createApplicationEndpointBody,
  createdEndpoint,
  endpoint,
  upsertApplicationEndpointBody,
} from '@posthorn/contract/endpoints';
import { z } from 'zod';
import { presentUpserted, UPSERT_ENDPOINT, upsertEndpoint } from '../apply/upsert-endpoint.ts';
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
      'Returns applications newest first. With `sort=trouble`, applications with the most failing endpoints come first. `include=health` adds the health of the endpoints of each application.',
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
      'An `externalId` is unique in the workspace. `ext:<externalId>` is accepted wherever the id of an application is.',
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
    description: 'Returns an application by its id, or by `ext:` and its externalId.',
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
      'Creates or replaces the application with this externalId, given as `ext:<externalId>`. Omitted optional fields are set to their defaults. The status is 201 if the application is new.',
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
    description: 'Updates the given fields. `metadata` is replaced as a whole.',
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
    description: 'Also deletes its endpoints and portal sessions.',
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
    description:
      'Returns endpoints oldest first. With `limit` or `cursor`, returns one page; the `Link` header points to the next.',
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
    description:
      'The endpoint is created in the default environment unless `environmentId` is set. An application has at most 500 endpoints.',
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
    body: upsertApplicationEndpointBody,
    response: createdEndpoint,
    secrets: ['secret', 'pullKey'],
    // The path names the application.
    immutable: ['applicationId'],
    present: async (ctx, params, body) => ({
      ...(await presentUpserted(ctx, params.endpointId, body)),
      applicationId: (await getApplication(ctx, params.applicationId)).id,
    }),
    run: (ctx, { params, body }) =>
      upsertEndpoint(ctx, { reference: params.endpointId, field: 'endpointId' }, body, params.applicationId),
  }),
];
