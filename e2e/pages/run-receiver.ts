import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { basename, join } from 'node:path';
import { createServer } from 'node:tls';
import { freePort } from '@posthorn/testkit/free-port';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';

import { waitFor } from '@posthorn/testkit/wait-for';
import ts from 'typescript-api';
import { goModule } from './go-module.ts';
import { projectRoot } from './run-page.ts';

export const receiversFolder = 'docs/receivers';

export type RunningReceiver = {
  /** `https://localhost:<port>/webhooks`, where Posthorn delivers to. TLS ends before the receiver. */
  url: string;
  /** The address of the receiver itself, without TLS. */
  plainUrl: string;
  /** The output so far. */
  output: () => string;
  stop: () => Promise<void>;
};

type Language = {
  name: string;
  /** The command that shows that the language is installed. */
  probe: [command: string, ...args: string[]];
  /** Builds the receiver in `folder`, which holds a copy of docs/receivers. */
  build?: [command: string, ...args: string[]];
  run: [command: string, ...args: string[]];
  /** Whether the receiver parses JSON. Java has no built-in parser. */
  parsesJson: boolean;
  /** The build downloads packages, so the receiver runs only with CLIENTS=…, as in CI. */
  fetches?: boolean;
};

/** Verifies with the Standard Webhooks library, which accepts only text. */
export const libraryReceiver: Language = {
  name: 'Express and library',
  probe: ['node', '-v'],
  run: ['node', 'express-library.js'],
  parsesJson: false,
};

/** Every receiver of the guide, with the command that runs it in a copy of docs/receivers. */
export const languages: Language[] = [
  { name: 'library', probe: ['node', '-v'], run: ['node', 'library.js'], parsesJson: true },
  { name: 'Express', probe: ['node', '-v'], run: ['node', 'express.js'], parsesJson: true },
  { name: 'Fastify', probe: ['node', '-v'], run: ['node', 'fastify.js'], parsesJson: true },
  { name: 'fetch-style', probe: ['node', '-v'], run: ['node', 'serve-fetch.js'], parsesJson: true },
  { name: 'Python', probe: ['python3', '--version'], run: ['python3', 'receiver.py'], parsesJson: true },
  {
    name: 'Go',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'receiver', 'receiver.go'],
    run: ['./receiver'],
    parsesJson: true,
  },
  {
    name: 'Go library',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'library', 'library.go'],
    run: ['./library'],
    parsesJson: true,
  },
  { name: 'Java', probe: ['javac', '-version'], run: ['java', 'Receiver.java'], parsesJson: false },
  {
    name: 'Ruby',
    probe: ['rackup', '--version'],
    run: ['sh', '-c', 'exec rackup --host 127.0.0.1 --port "$PORT" config.ru'],
    parsesJson: true,
  },
  {
    name: 'PHP',
    probe: ['php', '--version'],
    run: ['sh', '-c', 'exec php -S "127.0.0.1:$PORT" receiver.php'],
    parsesJson: true,
  },
  {
    name: 'Java library (Spring)',
    probe: ['mvn', '--version'],
    // Builds the library as the README installs it, and the class path of a program that uses it with Spring.
    build: [
      'sh',
      '-c',
      `mvn -B -ntp -q -f ${projectRoot}/sdks/java -Dmaven.test.skip -Dmaven.javadoc.skip "-Dbuilt=$PWD/built" install &&
        mvn -B -ntp -q -f spring.xml dependency:build-classpath -Dmdep.outputFile=classpath &&
        javac -parameters -cp "$(cat classpath)" -d spring SpringReceiver.java`,
    ],
    run: ['sh', '-c', 'exec java -cp "spring:$(cat classpath)" shop.SpringReceiver'],
    parsesJson: true,
    fetches: true,
  },
  {
    name: 'Ruby kit',
    probe: ['rackup', '--version'],
    run: ['sh', '-c', 'exec rackup --host 127.0.0.1 --port "$PORT" kit.ru'],
    parsesJson: true,
  },
  {
    name: 'PHP kit',
    probe: ['php', '--version'],
    run: ['sh', '-c', 'exec php -S "127.0.0.1:$PORT" kit.php'],
    parsesJson: true,
  },
  {
    name: 'Rust kit',
    probe: ['cargo', '--version'],
    // The libraries are compiled once, outside the tree.
    build: ['sh', '-c', 'CARGO_TARGET_DIR="$HOME/.cache/posthorn/receiver-rust" cargo build -q'],
    run: ['sh', '-c', 'exec "$HOME/.cache/posthorn/receiver-rust/debug/program"'],
    parsesJson: false,
    fetches: true,
  },
  {
    name: 'C# kit (Mono)',
    probe: ['mcs', '--version'],
    build: ['mcs', '-langversion:7', '-out:kit.exe', 'Kit.cs', 'Webhooks.cs'],
    run: ['mono', 'kit.exe'],
    parsesJson: false,
  },
  { name: 'Elixir kit', probe: ['elixir', '--version'], run: ['elixir', 'kit.exs'], parsesJson: false },
];

export function isInstalled({ probe: [command, ...args], fetches }: Language): boolean {
  if (fetches === true && process.env.CLIENTS === undefined) return false;
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Starts the receiver of a language behind TLS, with the secret. Throws with its output when it does not start. */
export async function runReceiver(language: Language, secret: string | undefined): Promise<RunningReceiver> {
  const folder = copyReceivers();
  const [builder, ...buildArgs] = language.build ?? ['true'];
  const built = spawnSync(builder, buildArgs, { cwd: folder, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${language.name} could not be built:\n${built.stderr}`);
  const port = await freePort();
  const [command, ...args] = language.run;
  const env = { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: secret, INBOX: folder };
  const child = spawn(command, args, { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const tls = await openTls(port);
  const stop = async () => {
    await tls.close();
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const isOver = () => hasEnded(child) || opens(port);
    await waitFor(isOver, { what: `${language.name} to listen`, timeoutMs: 30_000 });
    if (hasEnded(child)) throw new Error('it ended');
  } catch (error) {
    await stop();
    throw new Error(`${language.name} did not start:\n${output}`, { cause: error });
  }
  const path = '/webhooks';
  return {
    url: `https://localhost:${tls.port}${path}`,
    plainUrl: `http://127.0.0.1:${port}${path}`,
    output: () => output,
    stop,
  };
}

/**
 * Copies the receivers, with TypeScript compiled to JavaScript, to a folder inside the project, so that
 * packages are found.
 */
function copyReceivers(): string {
  mkdirSync(join(projectRoot, '.test-results'), { recursive: true });
  const folder = mkdtempSync(join(projectRoot, '.test-results/receivers-'));
  cpSync(join(projectRoot, receiversFolder), folder, { recursive: true });
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
  writeFileSync(join(folder, 'serve-fetch.js'), SERVE_FETCH);
  writeFileSync(join(folder, 'go.mod'), goModule);
  for (const kit of KITS) {
    cpSync(join(projectRoot, 'sdks/receivers', kit), join(folder, basename(kit)));
  }
  writeFileSync(join(folder, 'Cargo.toml'), CARGO);
  writeFileSync(join(folder, 'spring.xml'), SPRING);
  return folder;
}

/** The file of each kit without packages that a program copies. */
const KITS = [
  'ruby/lib/posthorn_webhooks.rb',
  'php/src/Webhooks.php',
  'csharp/src/Webhooks.cs',
  'elixir/lib/posthorn_webhooks.ex',
];

const CARGO = `
[package]
name = "program"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "program"
path = "kit.rs"

[dependencies]
posthorn-webhooks = { path = "${projectRoot}/sdks/receivers/rust" }
axum = "0.8"
tokio = { version = "1", features = ["macros", "net", "rt-multi-thread"] }

[workspace]
`;

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

const SPRING = `
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.posthorn</groupId>
      <artifactId>posthorn</artifactId>
      <version>${version}</version>
    </dependency>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-web</artifactId>
      <version>3.4.1</version>
    </dependency>
  </dependencies>
</project>
`;

/** The code with which a framework serves a fetch-style handler. */
const SERVE_FETCH = `
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { POST } from './fetch.js';

createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming;
  if (method !== 'POST') return outgoing.writeHead(405).end();
  const request = new Request('http://localhost' + url, { method, headers, body: Readable.toWeb(incoming), duplex: 'half' });
  const answer = await POST(request).catch(() => new Response(null, { status: 500 }));
  outgoing.writeHead(answer.status).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** Ends TLS on a free port and passes the bytes to the port of the receiver. */
async function openTls(target: number): Promise<{ port: number; close: () => Promise<void> }> {
  const { key, cert } = await receiverCertificate('good');
  const sockets = new Set<{ destroy: () => void }>();
  const server = createServer({ key, cert }, (secure) => {
    const plain = connect(target, '127.0.0.1');
    for (const socket of [secure, plain]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    secure.pipe(plain).pipe(secure);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded(child)) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
