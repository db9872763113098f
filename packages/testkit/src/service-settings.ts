import { randomBytes } from 'node:crypto';

/** The settings that all processes of a stack share: new keys, and permission to send to this machine's addresses. */
export function serviceSettings(given: {
  databaseUrl: string;
  redisUrl: string;
  prefix: string;
  /** A file with an authority that the processes also trust. */
  caFile?: string;
}): Record<string, string> {
  return {
    DATABASE_URL: given.databaseUrl,
    REDIS_URL: given.redisUrl,
    QUEUE_PREFIX: given.prefix,
    SEALING_KEYS: `test:${randomBytes(32).toString('base64')}`,
    CURSOR_KEYS: `test:${randomBytes(32).toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'info',
    ...(given.caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: given.caFile }),
  };
}
