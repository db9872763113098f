import { createHash } from 'node:crypto';
import { parseUrl } from '@posthorn/runtime/parse-url';
import type { Credentials } from './credentials.ts';

export type EnvironmentOptions = {
  /** The caller's environment; its settings of the services are passed on. */
  environment: NodeJS.ProcessEnv;
  credentials: Credentials;
  ownerUrl: string;
  runtimeUrl: string;
  /** Undefined with Postgres alone. */
  redisUrl: string | undefined;
  port: number;
  baseUrl: string;
  egressAllowCidrs: string;
  caBundle: string;
};

/** The variables of the API. */
export function apiEnvironment(
  options: EnvironmentOptions,
  { metricsPort, queueBoardUrl }: { metricsPort: string; queueBoardUrl: string | undefined },
): NodeJS.ProcessEnv {
  const { credentials } = options;
  return {
    ...sharedEnvironment(options),
    METRICS_PORT: metricsPort,
    QUEUE_BOARD_URL: options.environment.QUEUE_BOARD_URL ?? queueBoardUrl,
    BOOTSTRAP_EMAIL: credentials.email,
    BOOTSTRAP_PASSWORD: credentials.password,
    BOOTSTRAP_MANAGEMENT_TOKEN: credentials.managementToken,
    BOOTSTRAP_API_KEY: credentials.apiKey,
  };
}

/** The variables of one dispatcher. */
export function dispatcherEnvironment(
  options: EnvironmentOptions,
  ports: { metrics: string; admin: string },
): NodeJS.ProcessEnv {
  const { credentials } = options;
  return {
    ...sharedEnvironment(options),
    DATABASE_OWNER_URL: options.ownerUrl,
    METRICS_PORT: ports.metrics,
    ADMIN_PORT: ports.admin,
    ADMIN_USER: credentials.adminUser,
    ADMIN_PASSWORD: credentials.adminPassword,
  };
}

function sharedEnvironment(options: EnvironmentOptions): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    ...options.environment,
    DATABASE_URL: options.runtimeUrl,
    // The API never acts as the owner.
    DATABASE_OWNER_URL: '',
    DATABASE_DIRECT_URL: options.environment.DATABASE_DIRECT_URL ?? '',
    REDIS_URL: options.redisUrl ?? '',
    ...queuePrefix(options),
    // Only this machine can connect, unless the caller allows more.
    LISTEN_ADDRESS: options.environment.LISTEN_ADDRESS ?? '127.0.0.1',
    PORT: String(options.port),
    BASE_URL: options.baseUrl,
    SEALING_KEYS: options.credentials.sealingKeys,
    CURSOR_KEYS: options.credentials.cursorKeys,
    EGRESS_ALLOW_CIDRS: options.egressAllowCidrs,
    NODE_EXTRA_CA_CERTS: options.caBundle,
  };
}

/**
 * The prefix of the queues. Instances that share a given Redis must not take each other's jobs, unless they also
 * share the database.
 */
function queuePrefix({ environment, credentials }: EnvironmentOptions): NodeJS.ProcessEnv {
  if (environment.REDIS_URL === undefined || environment.QUEUE_PREFIX !== undefined) return {};
  const given = environment.DATABASE_URL ?? '';
  // The URL of a socket may have a user and no host. The services report an invalid URL.
  const text =
    [given, given.replace('@/', '@localhost/')].find((one) => parseUrl(one)) ?? `home://${credentials.homeId}/`;
  const { host, pathname, searchParams } = new URL(text);
  const place = `${host}${pathname}${searchParams.get('host') ?? ''}`;
  const database = createHash('sha256').update(place).digest('hex');
  return { QUEUE_PREFIX: `posthorn-${database.slice(0, 8)}` };
}
