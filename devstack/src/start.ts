import { join } from 'node:path';
import { migrate } from '@posthorn/db/migrate';
import { ownerDatabaseUrl } from '@posthorn/runtime/env';
import { hasWorkspace } from './bootstrapped.ts';
import { writeCaBundle } from './ca-bundle.ts';
import { keepServerCertificate } from './certificates.ts';
import { choosePort } from './choose-port.ts';
import { closingBox } from './closing-box.ts';
import type { Credentials } from './credentials.ts';
import { openDemoReceiver } from './demo-receiver.ts';
import { environmentFile, removeEnvironmentFile, writeEnvironmentFile } from './environment-file.ts';
import { Failure } from './failure.ts';
import { claimFixedPorts, type PickPort, pickFreePort } from './fixed-ports.ts';
import { type Instance, removeInstanceFile, writeInstanceFile } from './instance-file.ts';
import { localUrl, pagesUrl } from './local-url.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { chooseCredentials, openCredentials } from './open-credentials.ts';
import { openHome } from './open-home.ts';
import { startPages } from './pages.ts';
import { makeDatabase } from './postgres.ts';
import { findLeftoverFolders } from './postgres-place.ts';
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

/** Set by `npm run dev`. */
const DEVELOP = process.argv.includes('--develop');
const ONE = process.argv.includes('--one');
const SCALED = process.argv.includes('--scaled');
const LEFTOVERS_NAMED = 5;
const LOOPBACK = '127.0.0.0/8,::1/128';

process.exit(await runToEnd(start));

/** Starts everything, reports that it is ready, and runs until it is stopped. */
async function start(run: Run): Promise<number> {
  const beganMs = run.clock.monotonicMs();
  const { home, environment, dispatchers, ...settings } = readLauncherSettings(process.env);
  const supervisor = await openHome(run, home);
  removeEnvironmentFile(home);
  const port = await choosePort(settings.port);
  const egressAllowCidrs = environment.EGRESS_ALLOW_CIDRS ?? LOOPBACK;
  const credentials = await openCredentials(run, { home, environment, port, egressAllowCidrs });
  const pickPort = settings.port === 0 ? pickFreePort : await claimFixedPorts(run, givenPorts(port, environment));
  const opening = { home, credentials: credentials.kept, environment, pickPort };
  const { ownerUrl, runtimeUrl, redisUrl } = await openStores(run, supervisor, opening);
  const isFounded = await hasWorkspace(ownerUrl);

  const certificate = await keepServerCertificate(home, run.clock);
  const receiver = await openDemoReceiver(run, home, certificate);
  const address = localUrl(environment, port);
  const baseUrl = environment.BASE_URL ?? address;
  const caBundle = writeCaBundle(home, certificate.authority, environment.NODE_EXTRA_CA_CERTS);
  const mailbox = environment.SMTP_URL === undefined ? await startMailbox(run, pickPort) : undefined;
  // Without a Redis, one process is the simplest shape. `npm run dev` keeps its two.
  const isOne = ONE || (redisUrl === undefined && !DEVELOP);
  const connections = { ownerUrl, runtimeUrl, redisUrl, port, baseUrl, egressAllowCidrs, caBundle };
  const offered = {
    environment: withMailbox(environment, mailbox),
    credentials: credentials.used,
    dispatchers,
    pickPort,
    develop: DEVELOP,
    isOne,
  };
  const services = await startServices(run, supervisor, { ...connections, ...offered });
  const together = isOne ? 'API and a dispatcher in one process' : 'API';
  const others = isOne ? Math.max(0, dispatchers - 1) : dispatchers;
  say('services', `${together} on ${address}, ${others} ${isOne ? 'more ' : ''}dispatcher${others === 1 ? '' : 's'}`);

  const { workspaceId, environmentId, ...valid } = await chooseCredentials(run, ownerUrl, credentials, isFounded);
  const demo = await showDemo(
    { ...valid, workspaceId, environmentId, address, receiver, run },
    { dispatchers, egressAllowCidrs },
  );
  const dashboardUrl = await pagesUrl({ environment, port });
  const instance = (): Instance => ({
    baseUrl,
    dashboardUrl,
    ...(mailbox && { mailboxUrl: mailbox.url }),
    metricsUrl: services.metricsUrl,
    databaseUrl: ownerUrl,
    redisUrl,
    workspaceId,
    environmentId,
    managementToken: valid.managementToken,
    apiKey: valid.apiKey,
    login: { email: valid.email, password: valid.password },
    admin: { user: valid.adminUser, password: valid.adminPassword },
    processes: supervisor.processes().map((process) => ({ ...process, ...services.urls.get(process.name) })),
  });
  publish(run, supervisor, home, instance);
  nameLeftovers();
  sayBlock(closingBox(instance(), demo, { home, environmentFile: environmentFile(home) }));
  say('start', `took ${((run.clock.monotonicMs() - beganMs) / 1000).toFixed(1)} s`);
  receiver.onReceipt(createReceiptLines(run.clock));

  if (DEVELOP) startPages(run, supervisor, address);

  await aborted(run.signal);
  throw run.signal.reason;
}

/** Makes Posthorn send its mails to the mailbox, unless the user has a mail server. */
function withMailbox(environment: NodeJS.ProcessEnv, mailbox: Mailbox | undefined): NodeJS.ProcessEnv {
  if (mailbox === undefined) return environment;
  return { ...environment, SMTP_URL: mailbox.smtpUrl };
}

type Opening = { home: string; credentials: Credentials; environment: NodeJS.ProcessEnv; pickPort: PickPort };

async function openStores(run: Run, supervisor: Supervisor, opening: Opening) {
  const { home, credentials, environment, pickPort } = opening;
  const { postgresUrl, redisUrl } = await startStores(run, supervisor, {
    home,
    homeId: credentials.homeId,
    postgresPassword: credentials.postgresPassword,
    givenPostgresUrl: environment.DATABASE_URL,
    givenRedisUrl: environment.REDIS_URL,
    givenRedisLogin: { redisCa: environment.REDIS_CA, sentinelPassword: environment.REDIS_SENTINEL_PASSWORD },
    redis: ONE ? 'none' : SCALED ? 'needed' : 'if_at_hand',
    throwaway: false,
    pickPort,
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

/** Reports to tools and shells that the instance is ready, and then keeps the list of processes up to date. */
function publish(run: Run, supervisor: Supervisor, home: string, instance: () => Instance): void {
  run.onStop({
    name: 'instance file',
    hurryAfterMs: 0,
    stop: async () => {
      removeInstanceFile(home);
      removeEnvironmentFile(home);
    },
  });
  writeEnvironmentFile(home, instance());
  writeInstanceFile(home, instance());
  supervisor.onRestart(() => writeInstanceFile(home, instance()));
}

/** Names the databases of deleted homes: a database outside of its home stays when a user deletes the home. */
function nameLeftovers(): void {
  if (process.getuid?.() !== 0) return;
  for (const { folder, home } of findLeftoverFolders().slice(0, LEFTOVERS_NAMED)) {
    say('postgres', `${folder} holds the data of ${home}, which no longer exists. To remove it: rm -r ${folder}`);
  }
}

function givenPorts(port: number, { METRICS_PORT, ADMIN_PORT }: NodeJS.ProcessEnv): number[] {
  return [port, Number(METRICS_PORT), Number(ADMIN_PORT)];
}
