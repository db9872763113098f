import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, percentile } from '../figures.ts';
import type { Context, Scenario } from '../scenario.ts';

/** The programs of the languages print `[[verified, hashed], …]`, per second. */
export const verify: Scenario = {
  name: 'verify',
  what: 'webhooks of 1 KiB verified per second in Java and Rust, beside a bare HMAC',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-verify-'));
    try {
      return {
        figures: [
          ...measure(context, 'Java', 'mvn', runJava, folder),
          ...measure(context, 'Rust', 'cargo', runRust, folder),
        ],
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

type Run = (seconds: number, folder: string) => string;

function measure({ seconds, say }: Context, language: string, tool: string, run: Run, folder: string): Figure[] {
  if (spawnSync(tool, ['--version'], { stdio: 'ignore' }).status !== 0) {
    say(`without ${language}: ${tool} is not installed`);
    return [];
  }
  say(language);
  const pairs = JSON.parse(run(seconds, folder)) as [verified: number, hashed: number][];
  const median = (of: (pair: [number, number]) => number) => percentile(pairs.map(of), 50);
  const rates = { value: median(([verified]) => verified), bare: median(([, hashed]) => hashed) };
  return [
    { figure: `${language}: verified`, unit: '/s', ...rates },
    {
      figure: `${language}: rate against a bare HMAC`,
      unit: '×',
      value: median(([verified, hashed]) => verified / hashed),
    },
  ];
}

function runJava(seconds: number, folder: string): string {
  const classpath = join(folder, 'classpath');
  const library = pathOf('../../../sdks/java');
  const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${classpath}`];
  execFileSync('mvn', ['-B', '-ntp', '-q', '-f', library, ...goals], { stdio: ['ignore', 'ignore', 'inherit'] });
  const source = pathOf('../../src/senders/VerifySpeed.java');
  const command = `javac -cp "$1:$(cat "$2")" -d "$3" "$4" && exec java -cp "$3:$1:$(cat "$2")" VerifySpeed "$5"`;
  const args = [join(library, 'target/classes'), classpath, folder, source, String(seconds)];
  return execFileSync('sh', ['-c', command, 'sh', ...args], { encoding: 'utf8' });
}

function runRust(seconds: number, folder: string): string {
  const args = ['run', '-q', '--release', '--locked', '--example', 'speed', '--', String(seconds)];
  const env = { ...process.env, CARGO_TARGET_DIR: folder };
  return execFileSync('cargo', args, { cwd: pathOf('../../../sdks/receivers/rust'), env, encoding: 'utf8' });
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
