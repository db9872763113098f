import { z } from 'zod';
import { REQUEST_ID } from './errors.ts';
import { json, type Writers, type WrittenOperation } from './operation.ts';
import { sdkName } from './sdk-name.ts';

/** The endpoints for load balancers (docs/interface.md, Health). */
export function describeHealth({ schemas }: Writers): WrittenOperation[] {
  const content = json(schemas.write(readiness, 'output'));
  const alive = json(schemas.write(liveness, 'output'));
  return [
    {
      path: '/healthz',
      method: 'get',
      tag: 'Health',
      operation: {
        operationId: 'getHealth',
        'x-sdk': sdkName('getHealth', 'Health'),
        tags: ['Health'],
        summary: 'Check liveness',
        description: 'Returns whether the process is alive. Dependencies are not checked.',
        security: [],
        responses: { '200': { description: 'The process is alive.', headers: REQUEST_ID, content: alive } },
      },
    },
    {
      path: '/readyz',
      method: 'get',
      tag: 'Health',
      operation: {
        operationId: 'getReadiness',
        'x-sdk': sdkName('getReadiness', 'Health'),
        tags: ['Health'],
        summary: 'Check readiness',
        description:
          'Returns whether the service can do its work. Without Redis, it still accepts events and is `degraded`. Without Postgres, it is `unavailable`.',
        security: [],
        responses: {
          '200': { description: 'The service is `ready` or `degraded`.', headers: REQUEST_ID, content },
          '503': { description: 'The service is `unavailable`.', headers: REQUEST_ID, content },
        },
      },
    },
  ];
}

const dependency = z.enum(['up', 'down']);
const readiness = z
  .object({
    status: z.enum(['ready', 'degraded', 'unavailable']),
    dependencies: z.object({
      postgres: dependency,
      redis: z
        .enum(['up', 'down', 'unused'])
        .describe('The state of Redis. `unused` if this process has its queues in Postgres.'),
    }),
    queue: z
      .enum(['redis', 'postgres', 'mixed'])
      .describe(
        'The store that holds the queues. `mixed` while some processes have their queues in Redis, and others in Postgres.',
      ),
  })
  .meta({ id: 'Readiness' });
const liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });
