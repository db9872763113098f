// `npm run sdks:reference -- [typescript] [python] [go] [java]`: writes the reference of the libraries to sdks/dist, with the
// tools of their languages. typedoc and pdoc are fetched from their registries once. A warning of a tool is a failure.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const out = join(folder, 'dist');
const builders = { typescript: buildTypeScript, python: buildPython, go: buildGo, java: buildJava };

const chosen = process.argv.slice(2);
for (const language of chosen.length > 0 ? chosen : Object.keys(builders)) {
  rmSync(join(out, language), { recursive: true, force: true });
  builders[language](join(out, language));
  process.stdout.write(`sdks/dist/${language}\n`);
}

function buildTypeScript(to) {
  const library = join(folder, 'typescript');
  const receive = readdirSync(join(library, 'src/receive')).map((name) => `receive/${name}`);
  const entries = [
    'index.ts',
    'webhooks.ts',
    'outbox/index.ts',
    ...receive.filter((name) => !/\/receive\./.test(name)),
  ];
  const options = ['--tsconfig', 'tsconfig.json', '--name', '@posthorn/client', '--out', to, '--treatWarningsAsErrors'];
  run(
    'npx',
    // typedoc needs the JavaScript API of TypeScript 5. Links to sources would need a git remote.
    [
      '-y',
      '-p',
      'typedoc@0.28.20',
      '-p',
      'typescript@5.9.3',
      'typedoc',
      ...options,
      '--disableSources',
      '--excludeProtected',
      '--intentionallyNotExported',
      'Transport',
    ],
    { cwd: library, entries: entries.map((name) => `src/${name}`) },
  );
}

/** Uses the Python that the variable PYTHON names, which has the dependencies of the library's tests. */
function buildPython(to) {
  const python = process.env.PYTHON ?? 'python3';
  const tool = join(homedir(), '.cache/posthorn/pdoc-15.0.4');
  if (!existsSync(join(tool, 'pdoc')))
    run(python, ['-m', 'pip', 'install', '-q', '--target', tool, 'pdoc==15.0.4'], {});
  // `posthorn_client` already includes its models.
  const modules = ['webhooks', 'outbox', 'flask', 'fastapi', 'django'];
  // pdoc cannot find the source of a TypedDict that inherits, and warns.
  const strict = ['-W', 'error', '-W', 'ignore:Cannot determine where'];
  run(python, [...strict, '-m', 'pdoc', '-o', to], {
    entries: ['posthorn_client', ...modules.map((name) => `posthorn_client.${name}`)],
    env: { PYTHONPATH: `${join(folder, 'python/src')}:${tool}`, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

function buildGo(to) {
  mkdirSync(to, { recursive: true });
  for (const [name, directory] of Object.entries({ posthorn: '.', webhooks: './webhooks' })) {
    const text = run('go', ['doc', '-all', directory], { cwd: join(folder, 'go') });
    writeFileSync(join(to, `${name}.txt`), text);
  }
}

/** Builds everything that a release publishes: the jars of the classes, the sources and the reference. */
function buildJava(to) {
  // In a run of seconds, the JVM's second compiler costs more than it saves.
  const quick = '-DadditionalJOption=-J-XX:TieredStopAtLevel=1';
  run('mvn', ['-q', '-B', '-ntp', '-f', join(folder, 'java'), 'clean', 'package', '-DskipTests', quick], {});
  cpSync(join(folder, 'java/target/reports/apidocs'), to, { recursive: true });
}

/** Runs a command, and returns what it prints. */
function run(program, args, { cwd = folder, entries = [], env = {} }) {
  const options = { cwd, encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] };
  return execFileSync(program, [...args, ...entries], options);
}
