import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { preparePython } from '@posthorn/testkit/python-environment';
import { type Figure, percentile } from '../figures.ts';
import { LEAD_IN_SECONDS, WARM_UP_SECONDS } from '../flat-out.ts';
import type { Ingest } from '../load.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import { type Sides, withSides } from '../sides.ts';

const PAIRS = 7;

export const clients: Scenario = {
  name: 'clients',
  what: 'events sent per second from one process with 64 in flight: each library beside the HTTP client of its language',
  run: (context) => withSides(context, { consumers: false }, (sides) => measure(context, sides)),
};

/** A program that sends events: a process for each measured language. See senders/typescript.ts. */
type Language = { name: string; command: [program: string, ...args: string[]]; variables?: Record<string, string> };
type Measured = { sent: number; seconds: number; cpuSeconds: number };
type Pair = { library: Measured; bare: Measured };

async function measure(context: Context, { posthorn, stack }: Sides): Promise<Outcome> {
  const figures: Figure[] = [];
  for (const language of await installedLanguages(context, stack.folder)) {
    figures.push(...figuresOf(language.name, await measureLanguage(context, language, posthorn.ingest)));
  }
  return { figures };
}

async function measureLanguage({ seconds, say }: Context, language: Language, ingest: Ingest): Promise<Pair[]> {
  const [program, ...args] = language.command;
  const env = { ...process.env, ...variablesOf(ingest), ...language.variables };
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (name: 'library' | 'bare', forSeconds: number): Promise<Measured> => {
    child.stdin.write(`${name} ${forSeconds}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the sender in ${language.name} ended`);
    return JSON.parse(value);
  };
  try {
    say(`${language.name}: warm-up`);
    for (const name of ['library', 'bare'] as const) await send(name, WARM_UP_SECONDS);
    const pairs: Pair[] = [];
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      say(`${language.name}: pair ${pair} of ${PAIRS}`);
      // Each of the two goes first in turn, so that neither gains from its place.
      const order = pair % 2 === 0 ? (['library', 'bare'] as const) : (['bare', 'library'] as const);
      const measured: Partial<Pair> = {};
      for (const name of order) {
        await send(name, LEAD_IN_SECONDS);
        measured[name] = await send(name, seconds / PAIRS);
      }
      pairs.push(measured as Pair);
    }
    return pairs;
  } finally {
    child.kill();
    await ended;
  }
}

function figuresOf(name: string, pairs: readonly Pair[]): Figure[] {
  const median = (of: (pair: Pair) => number) => percentile(pairs.map(of), 50);
  const rate = ({ sent, seconds }: Measured) => sent / seconds;
  const microseconds = ({ sent, cpuSeconds }: Measured) => (1e6 * cpuSeconds) / sent;
  const beside = (of: (measured: Measured) => number) => ({
    value: median(({ library }) => of(library)),
    bare: median(({ bare }) => of(bare)),
  });
  return [
    { figure: `${name}: sent`, unit: '/s', ...beside(rate) },
    { figure: `${name}: CPU an event`, unit: 'µs', ...beside(microseconds) },
    {
      figure: `${name}: rate against bare`,
      unit: '×',
      value: median(({ library, bare }) => rate(library) / rate(bare)),
    },
  ];
}

/** The environment of a sender: the address, the API key, the event type and the body. */
function variablesOf({ baseUrls, paths, headers, body }: Ingest): Record<string, string> {
  return {
    BASE_URL: baseUrls[0] ?? '',
    API_KEY: headers.authorization?.replace('Bearer ', '') ?? '',
    EVENT_TYPE: decodeURIComponent(paths[0]?.split('/').at(-1) ?? ''),
    BODY: body,
  };
}

/** TypeScript, and the other languages whose tools are installed. */
async function installedLanguages({ say }: Context, folder: string): Promise<Language[]> {
  const found: Language[] = [{ name: 'TypeScript', command: [process.execPath, pathOf('../senders/typescript.js')] }];
  const prepared = await preparePython();
  if (prepared.kind === 'ready') {
    const variables = { PYTHONPATH: pathOf('../../../sdks/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
    found.push({ name: 'Python', command: [prepared.python, pathOf('../../src/senders/sender.py')], variables });
  } else {
    say(`without Python: ${prepared.what}`);
  }
  if (spawnSync('go', ['version']).status === 0) found.push({ name: 'Go', command: [buildGo(folder)] });
  else say('without Go: it is not installed');
  return found;
}

function buildGo(folder: string): string {
  const module = join(folder, 'sender');
  mkdirSync(module);
  writeFileSync(
    join(module, 'go.mod'),
    `module example.com/sender\n\ngo 1.24\n\nrequire github.com/posthorn/posthorn-go v0.0.0\n\n` +
      `replace github.com/posthorn/posthorn-go => ${pathOf('../../../sdks/go')}\n`,
  );
  const built = join(module, 'sender');
  const source = pathOf('../../src/senders/sender.go');
  execFileSync('go', ['build', `-modfile=${join(module, 'go.mod')}`, '-o', built, source], { cwd: module });
  return built;
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
