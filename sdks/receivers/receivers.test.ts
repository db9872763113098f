import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

// Tests each kit with the programs of its language, on every case of sdks/conformance/signature.json. A kit whose
// language is not installed (install.sh) is skipped by name. Rust fetches its packages, so it runs only with CLIENTS=…,
// as in CI.

const folder = fileURLToPath(new URL('.', import.meta.url));
const made = mkdtempSync(join(tmpdir(), 'posthorn-kits-'));
afterAll(() => rmSync(made, { recursive: true }));

const exe = join(made, 'vectors.exe');
const vectors = fileURLToPath(new URL('../conformance/signature.json', import.meta.url));
const kits = [
  { language: 'Ruby', probe: 'ruby', file: 'ruby/lib/posthorn_webhooks.rb', command: 'ruby -w ruby/test/vectors.rb' },
  { language: 'PHP', probe: 'php', file: 'php/src/Webhooks.php', command: 'php php/test/vectors.php' },
  {
    language: 'C#',
    probe: 'mcs',
    file: 'csharp/src/Webhooks.cs',
    command: `mcs -langversion:7 -r:System.Web.Extensions -out:${exe} csharp/src/Webhooks.cs csharp/test/Vectors.cs &&
      mono ${exe} ${vectors}`,
  },
  {
    language: 'Elixir',
    probe: 'elixir',
    file: 'elixir/lib/posthorn_webhooks.ex',
    command: 'node elixir/test/vectors.mjs | LANG=C.UTF-8 elixir elixir/test/vectors.exs',
  },
  {
    language: 'Rust',
    probe: 'cargo',
    file: 'rust/src/lib.rs',
    command: `cd rust && cargo fmt --check && cargo test -q --locked --features ed25519 && cargo test -q --locked`,
    fetches: true,
  },
];

test.each(kits)('the kit for $language has at most 300 lines', ({ file }) => {
  expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(300);
});

for (const { language, probe, command, fetches } of kits) {
  const isThere = spawnSync(probe, ['--version'], { stdio: 'ignore' }).status === 0;
  if (!isThere || (fetches && process.env.CLIENTS === undefined)) {
    test.skip(`the kit for ${language}: ${probe} is not installed, or CLIENTS is not set`, () => undefined);
    continue;
  }
  test(`the kit for ${language} verifies and signs as the libraries do`, async () => {
    const env = { ...process.env, CARGO_TARGET_DIR: join(homedir(), '.cache/posthorn/kit-rust') };
    const ran = promisify(execFile)('sh', ['-c', command], { cwd: folder, env, timeout: 280_000 });
    const { stdout } = await ran.catch((error) => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    });
    expect(stdout).toMatch(language === 'Rust' ? /2 passed; 0 failed/ : /^[1-9]\d+ passed, 0 failed$/m);
  }, 300_000);
}
