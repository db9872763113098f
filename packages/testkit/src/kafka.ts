import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { type ReceiverCertificate, receiverCertificate } from './receiver-certificate.ts';
import { waitFor } from './wait-for.ts';
import { waitForServer } from './wait-for-server.ts';

const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
/** The folder into which e2e/brokers/install-kafka.sh installs Kafka. */
const LIBRARIES = join(TOOLS, 'kafka-4.1.0/lib');
/** Without the second compiler, Java starts faster and needs less memory. */
const JAVA = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(LIBRARIES, '*')];

/** A broker on the loopback address. */
export type KafkaBroker = {
  /** The address without TLS and login. Every client may do everything. */
  open: string;
  /** The address with TLS (certificate `good` of receiver-certificate.ts) and a login as `KAFKA_USER`. */
  secure: string;
  /** The address with TLS and client certificates of the same authority, such as `client`. */
  mutual: string;
  /** An address like `open`, for which the broker announces an address in another network. */
  elsewhere: string;
  /** Kills the broker, as in a crash. */
  kill: () => Promise<void>;
  /** Starts the broker again, with the same ports and data. */
  start: () => Promise<void>;
  /** From the next start on, the broker announces another port of this machine for `secure`. */
  announce: (port: number) => Promise<void>;
  /** Keeps the broker's files from growing, as a full disk does. Resolves when the broker has ended. */
  fillDisk: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The login of `secure`, by PLAIN and by SCRAM. */
export const KAFKA_USER = { username: 'events', password: 'canary-secret-word' };

/** True if Kafka is installed. Otherwise prints which tests are skipped. */
export function hasKafka(): boolean {
  if (existsSync(LIBRARIES)) return true;
  process.stderr.write('skipped  tests of Kafka destinations: sh e2e/brokers/install-kafka.sh installs it\n');
  return false;
}

/** What `makeTopics` uses of the client library's `Admin`. */
type Admin = {
  createTopics(options: NewTopics): Promise<unknown>;
  listOffsets(options: {
    topics: { name: string; partitions: { partitionIndex: number; timestamp: bigint }[] }[];
  }): Promise<unknown>;
};
type NewTopics = {
  topics: string[];
  partitions: number;
  replicas: number;
  configs?: { name: string; value: string }[];
};

/** Makes topics, and resolves once their leaders answer. Before that, a broker that has made a topic still refuses its messages. */
export async function makeTopics(admin: Admin, given: Omit<NewTopics, 'replicas'>): Promise<void> {
  await admin.createTopics({ ...given, replicas: 1 });
  const partitions = Array.from({ length: given.partitions }, (_, partitionIndex) => ({
    partitionIndex,
    timestamp: -1n,
  }));
  const topics = given.topics.map((name) => ({ name, partitions }));
  await waitFor(() => admin.listOffsets({ topics }), { what: 'the leaders of the topics', timeoutMs: 60_000 });
}

type Options = {
  /** The port that the broker announces for `secure`, if it is not its own. */
  announcedPort?: number;
  /** The broker's certificate. By default, one that a test run trusts. */
  certificate?: ReceiverCertificate;
};

export async function startKafka(options: Options = {}): Promise<KafkaBroker> {
  return startNode({ id: 1, controllers: [await freePort()] }, options);
}

const FAST_TAKE_OVER = { 'broker.session.timeout.ms': 3_000, 'broker.heartbeat.interval.ms': 500 };

/** Starts the brokers of one cluster. When one of three is down, the others lead its partitions after 3 s. */
export async function startKafkaCluster(count: number): Promise<KafkaBroker[]> {
  const controllers = await Promise.all(Array.from({ length: count }, () => freePort()));
  const starting = await Promise.allSettled(controllers.map((_, n) => startNode({ id: n + 1, controllers })));
  const brokers = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (brokers.length === count) return brokers;
  await Promise.all(brokers.map((broker) => broker.stop()));
  const [cause] = starting.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw new Error('the cluster does not start', { cause });
}

/** A broker that is also a controller. The nth broker has the nth port of `controllers`. */
type Node = { id: number; controllers: readonly number[] };

async function startNode(
  { id, controllers }: Node,
  { announcedPort, certificate }: Options = {},
): Promise<KafkaBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-kafka-'));
  const [open = 0, secure = 0, mutual = 0, elsewhere = 0] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  );
  const controller = controllers[id - 1] ?? 0;
  const config = join(folder, 'server.properties');
  const { key, cert } = certificate ?? (await receiverCertificate('good'));
  const { caPem } = await receiverCertificate('client');
  await writeFile(join(folder, 'server.pem'), `${key}\n${cert}`);
  await writeFile(join(folder, 'ca.pem'), caPem);
  const { username, password } = KAFKA_USER;
  const login = 'org.apache.kafka.common.security';
  const announce = (securePort: number) =>
    writeFile(
      config,
      Object.entries({
        'process.roles': 'broker,controller',
        'node.id': id,
        'controller.quorum.voters': controllers.map((port, n) => `${n + 1}@127.0.0.1:${port}`).join(','),
        ...(controllers.length === 1 ? {} : FAST_TAKE_OVER),
        listeners: `OPEN://127.0.0.1:${open},SECURE://127.0.0.1:${secure},MUTUAL://127.0.0.1:${mutual},ELSEWHERE://127.0.0.1:${elsewhere},CONTROLLER://127.0.0.1:${controller}`,
        'advertised.listeners': `OPEN://127.0.0.1:${open},SECURE://127.0.0.1:${securePort},MUTUAL://127.0.0.1:${mutual},ELSEWHERE://10.11.12.13:${elsewhere}`,
        'listener.security.protocol.map':
          'OPEN:PLAINTEXT,SECURE:SASL_SSL,MUTUAL:SSL,ELSEWHERE:PLAINTEXT,CONTROLLER:PLAINTEXT',
        'listener.name.mutual.ssl.client.auth': 'required',
        'listener.name.mutual.ssl.truststore.type': 'PEM',
        'listener.name.mutual.ssl.truststore.location': join(folder, 'ca.pem'),
        'controller.listener.names': 'CONTROLLER',
        'inter.broker.listener.name': 'OPEN',
        'log.dirs': join(folder, 'data'),
        'ssl.keystore.type': 'PEM',
        'ssl.keystore.location': join(folder, 'server.pem'),
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        'listener.name.secure.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required user_${username}="${password}";`,
        'listener.name.secure.scram-sha-256.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
        'listener.name.secure.scram-sha-512.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'super.users': 'User:ANONYMOUS',
        'allow.everyone.if.no.acl.found': true,
        'auto.create.topics.enable': false,
        'offsets.topic.replication.factor': controllers.length,
        'offsets.topic.num.partitions': 1,
        'group.initial.rebalance.delay.ms': 0,
        'log.cleaner.enable': false,
        'num.network.threads': 1,
        'num.io.threads': 2,
      })
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    );
  await announce(announcedPort ?? secure);
  const users = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
  await run('kafka.tools.StorageTool', ['format', '-t', 'abcdefghijklmnopqrstug', '-c', config, ...users]);
  let server: ChildProcess | undefined;

  const start = async () => {
    const child = spawn('java', [...JAVA, 'kafka.Kafka', config], { stdio: ['ignore', 'pipe', 'pipe'] });
    server = child;
    let log = '';
    const keep = (chunk: unknown) => (log = `${log}${String(chunk)}`.slice(-10_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    await waitForServer(child, 'Kafka', () => answers(open)).catch(async (error: unknown) => {
      await kill();
      throw new Error(`Kafka does not answer; it wrote:\n${log}`, { cause: error });
    });
  };
  const kill = async () => {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const fillDisk = async () => {
    const child = server;
    if (child?.pid === undefined) throw new Error('Kafka does not run');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await promisify(execFile)('prlimit', ['--pid', String(child.pid), '--fsize=1024:1024']);
    // The broker ends itself at the next message that it cannot write.
    await ended;
    server = undefined;
  };
  await start();
  return {
    announce,
    fillDisk,
    ...{
      open: `127.0.0.1:${open}`,
      secure: `127.0.0.1:${secure}`,
      mutual: `127.0.0.1:${mutual}`,
      elsewhere: `127.0.0.1:${elsewhere}`,
    },
    kill,
    start,
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function run(program: string, given: readonly string[]): Promise<void> {
  const child = spawn('java', [...JAVA, program, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
}

/** A request for the protocol versions, which any broker answers when it is ready. */
const VERSIONS = Buffer.from('0000000a00120000000000010000', 'hex');

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    const socket = connect(port, '127.0.0.1', () => socket.write(VERSIONS));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}
