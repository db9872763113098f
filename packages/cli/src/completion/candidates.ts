import type { Row, Word } from '../command.ts';
import { type Context, createContext, type GlobalOptions } from '../context.ts';

/** How long the server may take. A person who waits longer has typed the word by then. */
const WITHIN_MS = 2_000;
const MOST = 100;

/** The global options, and what those with a value name. */
const GLOBAL_OPTIONS: Readonly<Record<string, string | undefined>> = {
  '--profile': 'profile',
  '--workspace': 'workspace',
  '--environment': 'environment',
  '--output': 'format',
  '--quiet': undefined,
  '--help': undefined,
};

/** The candidates for the last word: commands, options, and names and ids in the workspace. */
export async function candidates(
  context: Context,
  words: readonly Word[],
  typed: readonly string[],
): Promise<string[]> {
  const { plain, options, open } = withoutGlobalOptions(typed);
  const place = async () => createContext(context.terminal, options, context.signal);
  if (open !== undefined) return namesOf(await place(), open).catch(() => []);
  const [noun, ...rest] = plain;
  const current = plain.at(-1) ?? '';
  if (noun === undefined || rest.length === 0) {
    return current.startsWith('-') ? Object.keys(GLOBAL_OPTIONS) : words.map(({ name }) => name);
  }
  const rows = (await words.find(({ name }) => name === noun)?.load()) ?? [];
  const own = rows.find(({ usage }) => wordOf(usage) === noun);
  if (own === undefined && rest.length === 1) return rows.map(({ usage }) => wordOf(usage));
  const row = own ?? rows.find(({ usage }) => wordOf(usage) === rest[0]);
  if (row === undefined) return [];
  if (current.startsWith('-'))
    return [...Object.keys(row.options ?? {}).flatMap(flagsOf), ...Object.keys(GLOBAL_OPTIONS)];
  const before = (own === undefined ? rest.slice(1) : rest).slice(0, -1);
  const kind = kindOf(noun, row, before);
  return kind === undefined ? [] : namesOf(await place(), kind).catch(() => []);
}

/** They may stand anywhere. `open` is what the last word names as the value of one. */
function withoutGlobalOptions(typed: readonly string[]) {
  const plain: string[] = [];
  const options: Record<string, string> = {};
  let open: string | undefined;
  for (const [at, word] of typed.entries()) {
    const isLast = at === typed.length - 1;
    const [flag = '', ...value] = word.split('=');
    if (open !== undefined) {
      if (isLast) return { plain, options: options as GlobalOptions, open: GLOBAL_OPTIONS[open] };
      options[open.slice(2)] = word;
      open = undefined;
    } else if (isLast || !Object.hasOwn(GLOBAL_OPTIONS, flag)) plain.push(word);
    else if (value.length > 0) options[flag.slice(2)] = value.join('=');
    else if (GLOBAL_OPTIONS[flag] !== undefined) open = flag;
  }
  return { plain, options: options as GlobalOptions, open: undefined };
}

function wordOf(usage: string): string {
  return usage.split(' ')[0] ?? '';
}

/** The flags of an option: `-f, --file <file>` has two. */
function flagsOf(flags: string): string[] {
  return flags.split(', ').map(wordOf);
}

/** The kind of object that an argument or an option's value names: the word in the help, such as `endpoint`. */
function kindOf(noun: string, { usage, options = {} }: Row, before: readonly string[]): string | undefined {
  const previous = before.at(-1) ?? '';
  const option = Object.keys(options).find((flags) => flagsOf(flags).includes(previous) && flags.includes('<'));
  if (option !== undefined) return KIND_OF_OPTION[flagsOf(option).at(-1) ?? ''];
  const isValue = (at: number) =>
    Object.keys(options).some((flags) => flags.includes('<') && flagsOf(flags).includes(before[at - 1] ?? ''));
  const place = before.filter((word, at) => !word.startsWith('-') && !isValue(at)).length;
  const parameters = usage.split(' ').slice(1);
  const written = parameters[place] ?? parameters.find((one) => one.includes('...')) ?? '';
  const parameter = [...written].filter((letter) => !'<>[].'.includes(letter)).join('');
  return KIND_OF_ARGUMENT[`${noun} ${parameter}`] ?? KIND_OF_ARGUMENT[parameter];
}

const KIND_OF_OPTION: Readonly<Record<string, string>> = {
  '--publish-in': 'environment',
  '--endpoint': 'endpoint',
  '--application': 'application',
  '--type': 'type',
  '--types': 'type',
  '--event-types': 'type',
};

const KIND_OF_ARGUMENT: Readonly<Record<string, string>> = {
  'endpoints id': 'endpoint',
  'deliveries id': 'delivery',
  'events id': 'event',
  'events type': 'type',
  'applications id': 'application',
  'operations id': 'operation',
  'alert-rules id': 'alert rule',
  'api-keys id': 'API key',
  'event-types name': 'type',
  'completion shell': 'shell',
  endpoint: 'endpoint',
  type: 'type',
  types: 'type',
  slug: 'environment',
  from: 'environment',
  to: 'environment',
};

async function namesOf(context: Context, kind: string): Promise<string[]> {
  if (kind === 'format') return ['table', 'json', 'yaml'];
  if (kind === 'profile') return Object.keys(context.configuration.profiles);
  if (kind === 'shell') return ['bash', 'zsh', 'fish'];
  const posthorn = context.client();
  const options = { limit: MOST, signal: AbortSignal.any([context.signal, AbortSignal.timeout(WITHIN_MS)]) };
  switch (kind) {
    case 'environment':
      return (await posthorn.environments.list(options).toArray({ limit: MOST })).map(({ slug }) => slug);
    case 'type':
      return (await posthorn.eventTypes.list(options).toArray({ limit: MOST })).map(({ name }) => name);
    case 'application': {
      const found = await posthorn.applications.list(options).toArray({ limit: MOST });
      return found.map(({ id, externalId }) => (externalId === null ? id : `ext:${externalId}`));
    }
    case 'endpoint':
      return idsOf(await posthorn.endpoints.list(options).toArray({ limit: MOST }));
    case 'delivery':
      return idsOf(await posthorn.deliveries.list(options).toArray({ limit: MOST }));
    case 'event':
      return idsOf(await posthorn.events.list(options).toArray({ limit: MOST }));
    case 'operation':
      return idsOf(await posthorn.operations.list(options).toArray({ limit: MOST }));
    case 'alert rule':
      return idsOf(await posthorn.alertRules.list(options).toArray({ limit: MOST }));
    case 'API key':
      return idsOf(await posthorn.apiKeys.list(await context.requireEnvironmentId(), options).toArray({ limit: MOST }));
    default:
      return [];
  }
}

function idsOf(items: readonly { id: string }[]): string[] {
  return items.map(({ id }) => id);
}
