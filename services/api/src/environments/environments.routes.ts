import { createEnvironmentBody, environment } from '@posthorn/contract/environments';
import { z } from 'zod';
import { route } from '../http/route.ts';
import { createEnvironment, listEnvironments } from './environments.ts';

export const environmentRoutes = [
  route({
    operationId: 'listEnvironments',
    method: 'get',
    path: '/environments',
    tag: 'Environments',
    summary: 'List environments',
    description: 'All environments of the workspace: the default first, then oldest first.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: z.array(environment),
    run: (ctx) => listEnvironments(ctx),
  }),
  route({
    operationId: 'createEnvironment',
    method: 'post',
    path: '/environments',
    tag: 'Environments',
    summary: 'Create an environment',
    description: 'At most 10 a workspace. Nothing is published in a new environment.',
    scopes: ['write'],
    role: 'admin',
    status: 201,
    errors: ['slug_taken', 'environment_limit_reached'],
    body: createEnvironmentBody,
    response: environment,
    run: (ctx, { body }) => createEnvironment(ctx, body),
  }),
];
