import { appendFileSync } from 'node:fs';
import { freePort } from '@posthorn/testkit/free-port';
import { awaitReady, type ServiceName, type ServiceProcess, startService } from '@posthorn/testkit/service-process';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { createStatementWatch, type StatementWatch } from './statement-watch.ts';

/** One process of the stack, behind its own gates. It restarts whenever it dies. Each run of the process is a life. */
export type Member = {
  /** The name, such as `api-1` or `dispatcher-3`. */
  name: string;
  service: ServiceName;
  /** Stays the same in every life. */
  url: string;
  /** The address of the metrics of a dispatcher, or of both services in one process. */
  metricsUrl: string;
  postgres: TcpGate;
  /** The gate before Postgres for the connection that carries messages between processes where there is no Redis. */
  bus: TcpGate;
  redis: TcpGate;
  statements: StatementWatch;
  /** The exit code of each ended life; null after a signal. */
  exits: (number | null)[];
  /** The log lines of level warn or error, with their times. */
  lines: { atMs: number; text: string }[];
  output: () => string;
  pid: () => number | undefined;
  /**
   * Ends this life, and resolves when it has ended. The next one begins half a second later, as under an orchestrator.
   */
  kill: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Ends the process until `start` is called. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Begins a life, and waits until it is ready. Settings, arguments for Node and the release can be given. */
  start: (given?: Life) => Promise<void>;
};

/** The settings of a life. `checkout` is the built checkout of a release. */
export type Life = { settings?: Record<string, string>; nodeArgs?: string[]; checkout?: string };

const NEXT_LIFE_AFTER_MS = 500;

export type MemberOptions = {
  name: string;
  service: ServiceName;
  settings: Record<string, string> & { DATABASE_URL: string; REDIS_URL: string };
  /** Whether the processes connect to the stores through the gates. */
  throughGates: boolean;
  /** The URLs of Redis servers that a gate cannot stand in front of, so the processes connect to them directly. */
  redisServers: Record<string, string> | undefined;
  /** The file for the process's output. */
  logFile: string;
  /** The built checkout of the release of the first life. Default: this one. */
  checkout?: string;
};

/** Creates a member without starting it. */
export async function createMember(options: MemberOptions): Promise<Member> {
  const { name, service, settings, throughGates, redisServers, logFile } = options;
  const statements = createStatementWatch();
  const postgres = await startTcpGate(settings.DATABASE_URL, { inspect: statements.inspect });
  const bus = await startTcpGate(settings.DATABASE_URL, { inspect: statements.inspect });
  const hasRedis = Boolean(settings.REDIS_URL);
  // Without Redis, nothing passes this gate.
  const redis = await startTcpGate(hasRedis ? settings.REDIS_URL : settings.DATABASE_URL);
  const stores = throughGates
    ? { DATABASE_URL: postgres.url, DATABASE_DIRECT_URL: bus.url, ...(hasRedis && { REDIS_URL: redis.url }) }
    : {};
  const port = await freePort();
  const metricsPort = service === 'all' ? await freePort() : port;
  const lines: Member['lines'] = [];
  const exits: Member['exits'] = [];
  let life: ServiceProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let nodeArgs: string[] = [];
  let own: Record<string, string> = {};
  let checkout = options.checkout;
  let wanted = false;

  const begin = (): ServiceProcess => {
    clearTimeout(timer);
    const begun = startService({
      service,
      port,
      nodeArgs,
      ...(checkout === undefined ? {} : { checkout }),
      settings: {
        ...(service === 'all' && { METRICS_PORT: `${metricsPort}` }),
        ...{ ...settings, ...stores, ...redisServers, ...own },
      },
      onOutput(chunk) {
        appendFileSync(logFile, chunk);
        keepLines(lines, chunk);
      },
    });
    life = begun;
    void begun.ended.then((code) => {
      exits.push(code);
      if (life === begun) life = undefined;
      if (wanted) timer = setTimeout(begin, NEXT_LIFE_AFTER_MS);
    });
    return begun;
  };
  const end = async (signal: NodeJS.Signals) => {
    // A member that is killed between two lives still begins its next one.
    if (!wanted) clearTimeout(timer);
    return (await life?.end(signal)) ?? null;
  };
  return {
    name,
    service,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    postgres,
    bus,
    redis,
    statements,
    exits,
    lines,
    output: () => life?.output() ?? '',
    pid: () => life?.pid,
    kill: (signal = 'SIGKILL') => end(signal),
    async stop(signal = 'SIGTERM') {
      wanted = false;
      return end(signal);
    },
    async start(next: Life = {}) {
      wanted = true;
      own = next.settings ?? own;
      nodeArgs = next.nodeArgs ?? nodeArgs;
      checkout = next.checkout ?? checkout;
      await awaitReady(life ?? begin());
    },
  };
}

function keepLines(lines: Member['lines'], chunk: string): void {
  for (const text of chunk.split('\n')) {
    if (/"level":"(warn|error)"/.test(text)) lines.push({ atMs: Date.now(), text });
  }
}
