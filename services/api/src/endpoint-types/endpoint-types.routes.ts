import { endpointType } from '@posthorn/contract/endpoints';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { listEndpointTypes } from './endpoint-types.ts';

export const endpointTypeRoutes = [
  route({
    operationId: 'listEndpointTypes',
    method: 'get',
    path: '/endpoint-types',
    tag: 'Endpoints',
    summary: 'List endpoint types',
    description:
      'Returns the possible values of `type` for a new endpoint. Each has the setup instructions, the schemas of its `config` and credentials, and the meaning of `delivered`. Use this list to build forms.',
    scopes: ['read'],
    role: 'viewer',
    capability: 'endpoints:read',
    status: 200,
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(endpointType),
    run: async (ctx, { query }) => listEndpointTypes(ctx, query),
  }),
];
