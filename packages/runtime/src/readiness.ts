export type Readiness = {
  httpStatus: 200 | 503;
  body: {
    status: 'ready' | 'degraded' | 'unavailable';
    dependencies: { postgres: 'up' | 'down'; redis: 'up' | 'down' };
  };
};

/**
 * The answer of `/readyz` (docs/interface.md, Health). Without Redis the service works with delays. Without Postgres it
 * does not work.
 */
export function readiness(up: { postgres: boolean; redis: boolean }): Readiness {
  const dependencies = { postgres: up.postgres ? 'up' : 'down', redis: up.redis ? 'up' : 'down' } as const;
  if (!up.postgres) return { httpStatus: 503, body: { status: 'unavailable', dependencies } };
  return { httpStatus: 200, body: { status: up.redis ? 'ready' : 'degraded', dependencies } };
}
