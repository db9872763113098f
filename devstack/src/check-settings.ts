import { join } from 'node:path';
import { runCommand } from './command.ts';
import { credentialsFile } from './credentials.ts';
import { Failure } from './failure.ts';
import { projectRoot } from './project-root.ts';
import type { Run } from './run.ts';
import { apiEnvironment, dispatcherEnvironment, type EnvironmentOptions } from './service-environment.ts';

const TIMEOUT_MS = 30_000;
/** Stand in for the embedded stores, which are not running yet. */
const ANY_POSTGRES = 'postgresql://127.0.0.1/posthorn';
const ANY_REDIS = 'redis://127.0.0.1';

type CheckOptions = Pick<EnvironmentOptions, 'environment' | 'credentials' | 'port'> & {
  home: string;
  egressAllowCidrs: string;
};

/**
 * Lets the services check the settings that they will get, before any of these is stored and before anything is
 * started. Invalid ones are one Failure (exit code 2) with every fault and the name of its setting.
 */
export async function checkSettings(run: Run, { home, ...options }: CheckOptions): Promise<void> {
  const { environment } = options;
  const databaseUrl = environment.DATABASE_URL ?? ANY_POSTGRES;
  const given = {
    ...options,
    runtimeUrl: databaseUrl,
    ownerUrl: environment.DATABASE_OWNER_URL ?? environment.DATABASE_DIRECT_URL ?? databaseUrl,
    redisUrl: environment.REDIS_URL ?? ANY_REDIS,
    baseUrl: environment.BASE_URL ?? `http://127.0.0.1:${options.port}`,
    caBundle: '',
  };
  const metrics = environment.METRICS_PORT ?? '0';
  const outputs = await Promise.all([
    check(run, 'api', apiEnvironment(given, { metricsPort: metrics, queueBoardUrl: undefined })),
    check(run, 'dispatcher', dispatcherEnvironment(given, { metrics, admin: environment.ADMIN_PORT ?? '0' })),
  ]);
  const [summary, ...faults] = new Set(outputs.flatMap((output) => output.split('\n')).filter((line) => line !== ''));
  if (summary === undefined) return;
  const namesKept = ['SEALING_KEYS', 'CURSOR_KEYS', 'ADMIN_PASSWORD'].some(
    (name) => environment[name] === undefined && faults.some((fault) => fault.trim().startsWith(name)),
  );
  throw new Failure(
    [summary, ...faults].join('\n'),
    namesKept
      ? `Not every one of them is set here: correct those in ${credentialsFile(home)}, which is unchanged.`
      : 'Correct or unset them. Nothing was stored and nothing was started.',
    2,
  );
}

async function check(run: Run, service: string, env: NodeJS.ProcessEnv): Promise<string> {
  const script = join(projectRoot, `services/${service}/dist/check-settings.js`);
  const { ok, output } = await runCommand(process.execPath, [script], {
    signal: run.signal,
    timeoutMs: TIMEOUT_MS,
    env,
  });
  return ok ? '' : output;
}
