import { join } from 'node:path';
import { migrate } from '@posthorn/db/migrate';
import { ownerDatabaseUrl } from '@posthorn/runtime/env';
import { awaitBootstrapped } from './bootstrapped.ts';
import { writeCaBundle } from './ca-bundle.ts';
import { keepServerCertificate } from './certificates.ts';
import { closingBox } from './closing-box.ts';
import { type Credentials, keepCredentials } from './credentials.ts';
import { openDemoReceiver } from './demo-receiver.ts';
import { Failure } from './failure.ts';
import { freePort, isFree } from './free-port.ts';
import { type Instance, removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { openHome } from './open-home.ts';
import { makeDatabase } from './postgres.ts';
import { type DatabaseUrls, makeRoles } from './postgres-roles.ts';
import { projectRoot } from './project-root.ts';
import { createReceiptLines } from './receipt-lines.ts';
import { aborted, type Run, runToEnd } from './run.ts';
import { say, sayBlock } from './say.ts';
import { startServices } from './services.ts';
import { readLauncherSettings } from './settings.ts';
import { showDemo } from './show-demo.ts';
import { startStores } from './stores.ts';
import type { Supervisor } from './supervisor.ts';

const LOOPBACK = '127.0.0.0/8,::1/128';

process.exit(await runToEnd(start));

/** Starts everything, reports that it is ready, and runs until it is stopped. */
async function start(run: Run): Promise<number> {
  const beganMs = run.clock.monotonicMs();
  const { home, environment, dispatchers, ...settings } = readLauncherSettings(process.env);
  const supervisor = await openHome(run, home);
  const port = await choosePort(settings.port);
  const credentials = keepCredentials(home, environment);
  const { ownerUrl, runtimeUrl, redisUrl } = await openStores(run, supervisor, { home, credentials, environment });

  const certificate = await keepServerCertificate(home, run.clock);
  const receiver = await openDemoReceiver(run, home, certificate);
  const address = `http://127.0.0.1:${port}`;
  const baseUrl = environment.BASE_URL ?? address;
  const egressAllowCidrs = environment.EGRESS_ALLOW_CIDRS ?? LOOPBACK;
  const caBundle = writeCaBundle(home, certificate.authority, environment.NODE_EXTRA_CA_CERTS);
  const connections = { ownerUrl, runtimeUrl, redisUrl, port, baseUrl, egressAllowCidrs, caBundle };
  const services = await startServices(run, supervisor, { ...connections, environment, credentials, dispatchers });
  say('services', `API on ${address}, ${dispatchers} dispatcher${dispatchers === 1 ? '' : 's'}`);

  const places = await awaitBootstrapped(run, ownerUrl, credentials.managementToken);
  await showDemo({ ...credentials, ...places, address, receiver, run }, { dispatchers, egressAllowCidrs });
  publish(run, supervisor, home, () => ({
    baseUrl,
    dashboardUrl: baseUrl,
    metricsUrl: services.metricsUrl,
    databaseUrl: ownerUrl,
    redisUrl,
    ...places,
    managementToken: credentials.managementToken,
    apiKey: credentials.apiKey,
    login: { email: credentials.email, password: credentials.password },
    admin: { user: credentials.adminUser, password: credentials.adminPassword },
    processes: supervisor.processes().map((process) => ({ ...process, ...services.urls.get(process.name) })),
  }));
  say('start', `ready after ${((run.clock.monotonicMs() - beganMs) / 1000).toFixed(1)} s; logs are in ${home}/logs`);
  receiver.onReceipt(createReceiptLines(run.clock));

  await aborted(run.signal);
  throw run.signal.reason;
}

type Opening = { home: string; credentials: Credentials; environment: NodeJS.ProcessEnv };

async function openStores(run: Run, supervisor: Supervisor, { home, credentials, environment }: Opening) {
  const { postgresUrl, redisUrl } = await startStores(run, supervisor, {
    home,
    homeId: credentials.homeId,
    postgresPassword: credentials.postgresPassword,
    givenPostgresUrl: environment.DATABASE_URL,
    givenRedisUrl: environment.REDIS_URL,
    throwaway: false,
  });
  const { ownerUrl, runtimeUrl } = givenDatabase(environment) ?? (await makeOwnDatabase(postgresUrl, credentials));
  try {
    const migrationsDirectory = join(projectRoot, 'prisma/migrations');
    const applied = await migrate({ databaseUrl: ownerUrl, migrationsDirectory, runtimeUrl });
    if (applied.length > 0) say('database', `${applied.length} migration${applied.length === 1 ? '' : 's'} applied`);
  } catch (error) {
    if (run.signal.aborted) throw error;
    throw new Failure(
      `The database could not be migrated: ${error instanceof Error ? error.message : error}`,
      'Correct the reported fault, or start with an empty database: another POSTHORN_HOME, or another DATABASE_URL.',
    );
  }
  return { ownerUrl, runtimeUrl, redisUrl };
}

function givenDatabase({ DATABASE_URL, ...others }: NodeJS.ProcessEnv): DatabaseUrls | undefined {
  if (DATABASE_URL === undefined) return undefined;
  return { ownerUrl: ownerDatabaseUrl({ DATABASE_URL, ...others }), runtimeUrl: DATABASE_URL };
}

async function makeOwnDatabase(postgresUrl: string, credentials: Credentials): Promise<DatabaseUrls> {
  return makeRoles(await makeDatabase(postgresUrl, 'posthorn'), credentials);
}

/** Reports to the user and to tools that the instance is ready, and then keeps the list of processes up to date. */
function publish(run: Run, supervisor: Supervisor, home: string, instance: () => Instance): void {
  run.onStop({ name: 'instance file', hurryAfterMs: 0, stop: async () => removeInstanceFile(home) });
  writeInstanceFile(home, instance());
  supervisor.onRestart(() => writeInstanceFile(home, instance()));
  sayBlock(closingBox(instance()));
}

async function choosePort(wanted: number): Promise<number> {
  if (wanted === 0) return await freePort();
  if (await isFree(wanted)) return wanted;
  throw new Failure(
    `Port ${wanted} is in use, or this user may not listen on it.`,
    `Choose another: PORT=${wanted + 1} npm start`,
  );
}
