import { REQUEST_ID } from './errors.ts';
import type { JsonObject } from './json-schema.ts';
import { json } from './operation.ts';

/** The endpoints for load balancers (docs/interface.md, Health). */
export function describeHealth(): { path: string; operation: JsonObject }[] {
  const readiness = json({
    type: 'object',
    properties: {
      status: { enum: ['ready', 'degraded', 'unavailable'] },
      dependencies: {
        type: 'object',
        properties: { postgres: { enum: ['up', 'down'] }, redis: { enum: ['up', 'down'] } },
        required: ['postgres', 'redis'],
      },
    },
    required: ['status', 'dependencies'],
  });
  const alive = json({ type: 'object', properties: { status: { const: 'alive' } }, required: ['status'] });
  return [
    {
      path: '/healthz',
      operation: {
        operationId: 'getHealth',
        tags: ['Health'],
        summary: 'Whether the process is alive',
        description: 'Does not check dependencies.',
        security: [],
        responses: { '200': { description: 'Alive.', headers: REQUEST_ID, content: alive } },
      },
    },
    {
      path: '/readyz',
      operation: {
        operationId: 'getReadiness',
        tags: ['Health'],
        summary: 'Whether the service can do its work',
        description: 'Without Redis it still accepts events: `degraded`. Without Postgres it is `unavailable`.',
        security: [],
        responses: {
          '200': { description: '`ready` or `degraded`.', headers: REQUEST_ID, content: readiness },
          '503': { description: '`unavailable`.', headers: REQUEST_ID, content: readiness },
        },
      },
    },
  ];
}
