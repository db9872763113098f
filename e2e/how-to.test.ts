import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hasKafka, KAFKA_USER, type KafkaBroker, startKafka } from '@posthorn/testkit/kafka';
import { hasMoto, type Moto, startMoto } from '@posthorn/testkit/moto';
import { hasNats, NATS_USERS, type NatsServer, startNats } from '@posthorn/testkit/nats';
import { hasPubSub, type PubSubServer, startPubSub } from '@posthorn/testkit/pubsub';
import { preparePython } from '@posthorn/testkit/python-environment';
import { hasRabbitMq, type RabbitMq, startRabbitMq } from '@posthorn/testkit/rabbitmq';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { startTokenServer, type TokenServer } from '@posthorn/testkit/token-server';
import { goModule } from './pages/go-module.ts';
import { projectRoot, readBlocks, runPage } from './pages/run-page.ts';

// Runs the ```bash blocks of docs/how-to/*.md, in one bash per page, from the root of the project. All pages use one
// workspace, in the order of docs/README.md, as a reader does. If an ```output block follows a ```bash block, the
// output must match it; `…` there stands for anything. The variables of `.posthorn/env` are set: BASE_URL,
// WORKSPACE_ID, ENVIRONMENT_ID, WORKSPACE_URL, MANAGEMENT_TOKEN, API_KEY and RECEIVER_URL, an https receiver that
// answers 200. TOKEN_URL is a token endpoint, and CA_FILE is the authority of both. The command `field` is defined as
// in docs/how-to/send-an-event.md, and `posthorn` is the command line. e2e/pages/run-program.mjs also runs programs in
// TypeScript, Python and Go, where the language is installed.

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const pages = [...read('docs/README.md').matchAll(/\]\(how-to\/([a-z0-9-]+\.md)\)$/gm)].map(([, name = '']) => name);
const guide = read('docs/how-to/send-an-event.md');
const [field = ''] = /^field\(\) .*$/m.exec(guide) ?? [];

const python = await preparePython();
const hasGo = spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
const programs = ['ts', ...(python.kind === 'ready' ? ['python'] : []), ...(hasGo ? ['go'] : [])];
if (python.kind === 'missing') test.skip(`the programs in Python: ${python.what}`, () => undefined);
/** Whether the broker of a page is installed. Other pages need none. */
const AWS = ['sqs.md', 'sns.md', 'kinesis.md', 'eventbridge.md', 's3.md'];
const brokers: Record<string, boolean> = {
  ...{
    'rabbitmq.md': hasRabbitMq(),
    'kafka.md': hasKafka(),
    'sources.md': hasKafka(),
    'nats.md': hasNats(),
    'pubsub.md': hasPubSub(),
  },
  ...Object.fromEntries(AWS.map((page) => [page, hasMoto()])),
};
for (const [page, isInstalled] of Object.entries(brokers)) {
  if (!isInstalled) test.skip(`${page}: its broker is not installed`, () => undefined);
}
if (!hasGo) test.skip('the programs in Go: it is not installed', () => undefined);
/**
 * Pages that say which of their commands runs only once, and pages that wait for seconds and would make this file slow.
 */
const PASTED_ONCE = new Set([
  ...['eventbridge.md', 'kafka.md', 'kinesis.md', 'nats.md', 'pubsub.md', 's3.md', 'sources.md'],
  ...['live.md', 'test-an-endpoint.md'],
]);
// `set -a` exports the ids that commands have set, so that programs find them.
const posthorn = `posthorn() { '${process.execPath}' '${join(projectRoot, 'packages/cli/bundle/main.js')}' "$@"; }`;
const before = `set -a\n${field}\n${posthorn}\nprogram() { '${process.execPath}' e2e/pages/run-program.mjs "$1"; }`;

let receiver: Receiver;
let stack: Stack;
let tokens: TokenServer;
let configuration: string;
let broker: RabbitMq | undefined;
let kafka: KafkaBroker | undefined;
let nats: NatsServer | undefined;
let moto: Moto | undefined;
let pubsub: PubSubServer | undefined;
beforeAll(async () => {
  configuration = mkdtempSync(join(tmpdir(), 'posthorn-how-to-'));
  receiver = await startReceiver();
  writeFileSync(join(configuration, 'ca.pem'), receiver.caPem);
  tokens = await startTokenServer({ clientId: 'posthorn', secret: 'a client secret' });
  const certificate = await receiverCertificate('good');
  // These start at the same time, because each takes seconds.
  [broker, kafka, nats, moto, pubsub, stack] = await Promise.all([
    hasRabbitMq() ? startRabbitMq({ certificate }) : undefined,
    hasKafka() ? startKafka() : undefined,
    hasNats() ? startNats({ certificate }) : undefined,
    hasMoto() ? startMoto() : undefined,
    hasPubSub() ? startPubSub({ host: '127.0.0.1' }) : undefined,
    startStack({ settings: { RETRY_SCHEDULE: '1,1', EGRESS_ALLOW_PLAINTEXT: 'true', MCP_EVENTS: 'true' } }),
  ]);
}, 360_000);
afterAll(async () => {
  await broker?.stop();
  await kafka?.stop();
  await nats?.stop();
  await moto?.stop();
  await pubsub?.stop();
  await stack.stop();
  await tokens.close();
  await receiver.close();
  rmSync(configuration, { recursive: true });
}, 60_000);

test('docs/README.md lists every page of docs/how-to', () => {
  const files = readdirSync(join(projectRoot, 'docs/how-to')).filter((name) => name.endsWith('.md'));
  expect([...new Set(pages)].sort()).toEqual(files.sort());
});

test.each(pages.filter((name) => brokers[name] !== false))(
  'the commands of docs/how-to/%s succeed when they are pasted in order, and once more',
  async (name) => {
    const file = `docs/how-to/${name}`;
    expect(readBlocks(file)).not.toEqual([]);
    const variables = {
      ...variablesOf(stack),
      XDG_CONFIG_HOME: configuration,
      TOKEN_URL: tokens.url,
      CA_FILE: join(configuration, 'ca.pem'),
      ...variablesOfPrograms(stack),
      ...(broker === undefined ? {} : variablesOfBroker(broker)),
      ...(kafka === undefined ? {} : variablesOfKafka(kafka)),
      ...(nats === undefined ? {} : variablesOfNats(nats)),
      ...(moto === undefined ? {} : variablesOfAws(moto)),
      ...(pubsub === undefined ? {} : variablesOfPubSub(pubsub)),
      RECEIVER_URL: new URL(`/${name}`, receiver.url).href,
    };
    const run = await runPage(file, variables, { before, programs });
    const { code, differences } = run;
    if (code === 0 && !PASTED_ONCE.has(name)) {
      // The second time, other resources exist, so the output may differ. Nobody pastes programs into a shell.
      const again = await runPage(file, variables, { before });
      const failed = again.code === 0 ? '' : again.errors.slice(-2_000);
      expect({ page: name, again: again.code, failed }).toEqual({ page: name, again: 0, failed: '' });
    }
    // If a page fails, the message has the errors of its commands.
    const errors = code === 0 ? '' : run.errors.slice(-2_000);
    expect({ page: name, code, differences, errors }).toEqual({ page: name, code: 0, differences: [], errors: '' });
  },
  200_000,
);

test('the commands for Docker Compose set the variables of the first workspace', () => {
  const { PATH = '' } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-how-to-'));
  try {
    const { managementToken, apiKey } = stack;
    writeFileSync(join(folder, '.env'), `BOOTSTRAP_MANAGEMENT_TOKEN=${managementToken}\nBOOTSTRAP_API_KEY=${apiKey}\n`);
    const admin = join(projectRoot, 'services/api/dist/admin.js');
    // This function stands for Docker. The entrypoint of the image starts this file with the arguments after `admin`.
    const docker = `docker() { '${process.execPath}' '${admin}' "\${@: -1}"; }`;
    const commands = ['With Docker Compose', 'With Docker Compose and on Kubernetes'].map(commandsBelow);
    const script = [docker, ...commands, 'env -0'].join('\n');
    const run = spawnSync('bash', ['-eauo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH, DATABASE_URL: stack.databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    const set = Object.fromEntries(run.stdout.split('\0').map((line) => line.split(/=(.*)/s)));
    const { BASE_URL, WORKSPACE_URL, ...expected } = variablesOf(stack);
    expect({ ...set, errors: run.stderr }).toMatchObject({
      ...expected,
      BASE_URL: 'http://localhost:3000',
      WORKSPACE_URL: `http://localhost:3000/management/v1/workspaces/${stack.workspaceId}`,
      errors: '',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The variables that `.posthorn/env` sets, without RECEIVER_URL. */
function variablesOf({ api, workspaceId, environmentId, managementToken, apiKey }: Stack) {
  return {
    BASE_URL: api.url,
    WORKSPACE_ID: workspaceId,
    ENVIRONMENT_ID: environmentId,
    WORKSPACE_URL: `${api.url}/management/v1/workspaces/${workspaceId}`,
    MANAGEMENT_TOKEN: managementToken,
    API_KEY: apiKey,
  };
}

/** The variables that a program and its runner need. */
function variablesOfPrograms({ api, managementToken, apiKey }: Stack): Record<string, string> {
  return {
    POSTHORN_BASE_URL: api.url,
    POSTHORN_TOKEN: managementToken,
    POSTHORN_API_KEY: apiKey,
    PROGRAM_GO_MODULE: goModule,
    PROGRAM_PYTHON: python.kind === 'ready' ? python.python : '',
    PYTHONPATH: join(projectRoot, 'sdks/python/src'),
  };
}

function variablesOfBroker({ tlsPort, username, password }: RabbitMq): Record<string, string> {
  const [RABBITMQ_PORT, RABBITMQ_USER, RABBITMQ_PASSWORD] = [String(tlsPort), username, password];
  return { RABBITMQ_HOST: 'localhost', RABBITMQ_PORT, RABBITMQ_USER, RABBITMQ_PASSWORD };
}

function variablesOfKafka({ secure }: KafkaBroker): Record<string, string> {
  const { username: KAFKA_USER_NAME, password: KAFKA_PASSWORD } = KAFKA_USER;
  return { KAFKA_BROKER: secure, KAFKA_USER: KAFKA_USER_NAME, KAFKA_PASSWORD };
}

function variablesOfNats({ address }: NatsServer): Record<string, string> {
  const { user: NATS_USER, password: NATS_PASSWORD } = NATS_USERS.admin;
  return { NATS_SERVER: address, NATS_USER, NATS_PASSWORD };
}

function variablesOfAws({ url }: Moto): Record<string, string> {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
  return { ...keys, AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: url };
}

function variablesOfPubSub({ open, accountJson }: PubSubServer): Record<string, string> {
  const KEY_FILE = join(configuration, 'key.json');
  writeFileSync(KEY_FILE, accountJson);
  return { PROJECT_ID: 'acme-prod', KEY_FILE, PUBSUB_EMULATOR_HOST: open };
}

/** The first block of commands below a heading of docs/how-to/send-an-event.md. */
function commandsBelow(heading: string): string {
  const [, commands] = new RegExp(`^### ${heading}$.*?^\`\`\`sh\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
  if (commands === undefined) throw new Error(`no commands below ${heading}`);
  return commands;
}
