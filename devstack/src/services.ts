import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Program } from './child.ts';
import type { Credentials } from './credentials.ts';
import { Failure } from './failure.ts';
import { freePort } from './free-port.ts';
import type { InstanceProcess } from './instance-file.ts';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import type { Supervisor } from './supervisor.ts';
import { waitUntil } from './wait-until.ts';

export type ServiceOptions = {
  /** The caller's environment; its settings of the services are passed on. */
  environment: NodeJS.ProcessEnv;
  credentials: Credentials;
  ownerUrl: string;
  runtimeUrl: string;
  redisUrl: string;
  port: number;
  baseUrl: string;
  egressAllowCidrs: string;
  caBundle: string;
  dispatchers: number;
};

/** The addresses of the service processes. */
export type Services = { metricsUrl: string; urls: Map<string, Omit<InstanceProcess, 'name' | 'pid'>> };

// A dispatcher drains for up to 25 s and then closes its connections; the stores need the rest of the 30 s.
const HURRY_AFTER_MS = 27_300;
const READY_WITHIN_MS = 60_000;

type Service = { program: Program; readyUrl: string; metricsUrl: string; adminUrl?: string };

/** Starts the API and the dispatchers, and resolves when all are ready. They are stopped together. */
export async function startServices(run: Run, supervisor: Supervisor, options: ServiceOptions): Promise<Services> {
  const services = [await describeApi(options)];
  for (let number = 1; number <= options.dispatchers; number += 1) {
    services.push(await describeDispatcher(options, number));
  }
  const kept = services.map(({ program }) => supervisor.keep(program));
  run.onStop({
    name: 'services',
    hurryAfterMs: HURRY_AFTER_MS,
    stop: async (hurry) => void (await Promise.all(kept.map((one) => one.stop(hurry)))),
  });
  for (const service of services) await awaitReady(run, service);
  const urls = services.map(({ program, metricsUrl, adminUrl }): [string, Omit<InstanceProcess, 'name' | 'pid'>] => [
    program.name,
    adminUrl === undefined ? { metricsUrl } : { metricsUrl, adminUrl },
  ]);
  return { metricsUrl: services[0]?.metricsUrl ?? '', urls: new Map(urls) };
}

async function describeApi(options: ServiceOptions): Promise<Service> {
  const { credentials } = options;
  const metricsPort = await givenOrFree(options.environment.METRICS_PORT);
  return {
    program: describe('api', 'services/api/dist/main.js', {
      ...sharedEnvironment(options),
      METRICS_PORT: metricsPort,
      BOOTSTRAP_EMAIL: credentials.email,
      BOOTSTRAP_PASSWORD: credentials.password,
      BOOTSTRAP_MANAGEMENT_TOKEN: credentials.managementToken,
      BOOTSTRAP_API_KEY: credentials.apiKey,
    }),
    readyUrl: `http://127.0.0.1:${options.port}/readyz`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
  };
}

async function describeDispatcher(options: ServiceOptions, number: number): Promise<Service> {
  const { credentials } = options;
  const metricsPort = String(await freePort());
  const adminPort = await givenOrFree(number === 1 ? options.environment.ADMIN_PORT : undefined);
  return {
    program: describe(`dispatcher-${number}`, 'services/dispatcher/dist/main.js', {
      ...sharedEnvironment(options),
      DATABASE_OWNER_URL: options.ownerUrl,
      METRICS_PORT: metricsPort,
      ADMIN_PORT: adminPort,
      ADMIN_USER: credentials.adminUser,
      ADMIN_PASSWORD: credentials.adminPassword,
    }),
    readyUrl: `http://127.0.0.1:${metricsPort}/readyz`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
  };
}

function describe(name: string, entry: string, env: NodeJS.ProcessEnv): Program {
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', join(projectRoot, entry)],
    env,
    cwd: projectRoot,
    stopSignal: 'SIGTERM',
    hurrySignal: 'SIGKILL',
  };
}

function sharedEnvironment(options: ServiceOptions): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    ...options.environment,
    DATABASE_URL: options.runtimeUrl,
    // The API never acts as the owner.
    DATABASE_OWNER_URL: '',
    DATABASE_DIRECT_URL: '',
    REDIS_URL: options.redisUrl,
    ...queuePrefix(options),
    // Only this machine, unless the caller allows more.
    LISTEN_ADDRESS: options.environment.LISTEN_ADDRESS ?? '127.0.0.1',
    PORT: String(options.port),
    BASE_URL: options.baseUrl,
    SEALING_KEYS: options.credentials.sealingKeys,
    CURSOR_KEYS: options.credentials.cursorKeys,
    EGRESS_ALLOW_CIDRS: options.egressAllowCidrs,
    NODE_EXTRA_CA_CERTS: options.caBundle,
  };
}

/** Instances that share a given Redis must not take each other's jobs, unless they share the database as well. */
function queuePrefix({ environment, credentials }: ServiceOptions): NodeJS.ProcessEnv {
  if (environment.REDIS_URL === undefined || environment.QUEUE_PREFIX !== undefined) return {};
  const { host, pathname } = new URL(environment.DATABASE_URL ?? `home://${credentials.homeId}/`);
  const database = createHash('sha256').update(`${host}${pathname}`).digest('hex');
  return { QUEUE_PREFIX: `posthorn-${database.slice(0, 8)}` };
}

// An invalid port is passed on unchanged; the service reports it.
async function givenOrFree(port: string | undefined): Promise<string> {
  return port === undefined || port === '0' ? String(await freePort()) : port;
}

async function awaitReady(run: Run, service: Service): Promise<void> {
  const ready = await waitUntil(() => answersOk(service.readyUrl), {
    clock: run.clock,
    signal: run.signal,
    timeoutMs: READY_WITHIN_MS,
  });
  if (ready) return;
  throw new Failure(
    `${service.program.name} did not become ready: GET ${service.readyUrl} is not 200.`,
    `Look into logs/${service.program.name}.log in the home.`,
  );
}

async function answersOk(url: string): Promise<true | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
    await response.arrayBuffer();
    return response.ok ? true : undefined;
  } catch {
    return undefined; // Not listening yet.
  }
}
