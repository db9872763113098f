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
    summary: 'List the types of endpoints',
    description:
      'The values that `type` of a new endpoint may have. For each: what to set up, what its `config` and credentials look like, and what `delivered` means. Draw forms from this list.',
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
