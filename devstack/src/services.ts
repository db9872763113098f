import { join } from 'node:path';
import type { Program } from './child.ts';
import { Failure } from './failure.ts';
import type { PickPort } from './fixed-ports.ts';
import type { InstanceProcess } from './instance-file.ts';
import { localUrl } from './local-url.ts';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { apiEnvironment, dispatcherEnvironment, type EnvironmentOptions } from './service-environment.ts';
import type { Supervisor } from './supervisor.ts';
import { waitUntil } from './wait-until.ts';

export type ServiceOptions = EnvironmentOptions & {
  dispatchers: number;
  /** Chooses the wanted port, if it is free, else another. */
  pickPort: PickPort;
  /** The API and the first dispatcher are one process. */
  isOne?: boolean;
  /** For `npm run dev`: each service runs from its sources, and starts again when one of them changes. */
  develop?: boolean;
};

/** The addresses of the service processes. */
export type Services = { metricsUrl: string; urls: Map<string, Omit<InstanceProcess, 'name' | 'pid'>> };

// A dispatcher drains for up to 25 s and then closes its connections; the stores need the rest of the 30 s.
const HURRY_AFTER_MS = 27_300;
const READY_WITHIN_MS = 60_000;

/** The port of a dispatcher's queue board. Its metrics are on the next port. */
const FIRST_DISPATCHER_PORT = 9_465;
const API_METRICS_PORT = 9_464;

/** Node's arguments: it strips the types, and starts the program again when a file that it has loaded changes. */
const FROM_SOURCES = ['--conditions=@posthorn/source', '--watch', '--watch-preserve-output'];

type Service = { program: Program; readyUrl: string; metricsUrl: string; adminUrl?: string };

/** Starts the API and the dispatchers, and resolves when all are ready. They are stopped together. */
export async function startServices(run: Run, supervisor: Supervisor, options: ServiceOptions): Promise<Services> {
  const { isOne = false } = options;
  const first = isOne ? [await describeAll(options)] : [];
  const dispatchers: Service[] = [];
  for (let number = 1 + first.length; number <= options.dispatchers; number += 1) {
    dispatchers.push(await describeDispatcher(options, number));
  }
  const services = isOne
    ? [...first, ...dispatchers]
    : [await describeApi(options, dispatchers[0]?.adminUrl), ...dispatchers];
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

async function describeApi(options: ServiceOptions, queueBoardUrl: string | undefined): Promise<Service> {
  const metricsPort = await givenOrPicked(options, options.environment.METRICS_PORT, API_METRICS_PORT);
  return {
    program: describe(options, ['api', 'api'], apiEnvironment(options, { metricsPort, queueBoardUrl })),
    readyUrl: `${localUrl(options.environment, options.port)}/readyz`,
    metricsUrl: `${localUrl(options.environment, metricsPort)}/metrics`,
  };
}

async function describeAll(options: ServiceOptions): Promise<Service> {
  const { environment, port } = options;
  const metrics = await givenOrPicked(options, environment.METRICS_PORT, API_METRICS_PORT);
  const admin = await givenOrPicked(options, environment.ADMIN_PORT, FIRST_DISPATCHER_PORT);
  const adminUrl = localUrl(environment, admin);
  const ofApi = apiEnvironment(options, { metricsPort: metrics, queueBoardUrl: adminUrl });
  return {
    program: describe(options, ['all', 'all'], { ...ofApi, ...dispatcherEnvironment(options, { metrics, admin }) }),
    readyUrl: `${localUrl(environment, port)}/readyz`,
    metricsUrl: `${localUrl(environment, metrics)}/metrics`,
    adminUrl,
  };
}

async function describeDispatcher(options: ServiceOptions, number: number): Promise<Service> {
  const wanted = FIRST_DISPATCHER_PORT + 2 * (number - 1);
  const admin = await givenOrPicked(options, number === 1 ? options.environment.ADMIN_PORT : undefined, wanted);
  const metrics = String(await options.pickPort(wanted + 1));
  const environment = dispatcherEnvironment(options, { metrics, admin });
  return {
    program: describe(options, ['dispatcher', `dispatcher-${number}`], environment),
    readyUrl: `${localUrl(options.environment, metrics)}/readyz`,
    metricsUrl: `${localUrl(options.environment, metrics)}/metrics`,
    adminUrl: localUrl(options.environment, admin),
  };
}

function describe(
  { develop = false }: ServiceOptions,
  [service, name]: [string, string],
  env: NodeJS.ProcessEnv,
): Program {
  const folder = join(projectRoot, 'services', service);
  return {
    name,
    command: process.execPath,
    args: develop
      ? [...FROM_SOURCES, join(folder, 'src/main.ts')]
      : ['--enable-source-maps', join(folder, 'bundle/main.js')],
    env,
    cwd: projectRoot,
    stopSignal: 'SIGTERM',
    hurrySignal: 'SIGKILL',
  };
}

async function givenOrPicked({ pickPort }: ServiceOptions, port: string | undefined, wanted: number): Promise<string> {
  return port === undefined || port === '0' ? String(await pickPort(wanted)) : port;
}

async function awaitReady(run: Run, service: Service): Promise<void> {
  let problem = 'it does not answer';
  const check = async (): Promise<true | undefined> => {
    try {
      const response = await fetch(service.readyUrl, { signal: AbortSignal.timeout(3_000) });
      const body = await response.text();
      if (response.ok) return true;
      problem = `it answers ${response.status}: ${body.slice(0, 500)}`;
    } catch {
      // Not listening yet.
    }
    return undefined;
  };
  const { clock, signal } = run;
  if (await waitUntil(check, { clock, signal, timeoutMs: READY_WITHIN_MS })) return;
  throw new Failure(
    `${service.program.name} did not become ready within ${READY_WITHIN_MS / 1000} s: ${problem}.`,
    `Look into logs/${service.program.name}.log in the home.`,
  );
}
