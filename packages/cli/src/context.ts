import { Posthorn } from '@posthorn/client';
import { type Configuration, type Profile, plainAddress, readConfigurationIfNeeded } from './configuration.ts';
import { CommandError, EXIT, Usage } from './failure.ts';
import { createOutput, type Format, type Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The options that every command has. */
export type GlobalOptions = {
  profile?: string;
  workspace?: string;
  environment?: string;
  /** `text` is another name for `table`. Only `check` has `junit`. */
  output?: Format | 'text' | 'junit';
  quiet?: boolean;
};

/**
 * The server and credential that a command uses: from the options, else the environment variables, else the profile.
 */
export type Place = {
  profileName: string;
  baseUrl: string | undefined;
  token: string | undefined;
  apiKey: string | undefined;
  workspaceId: string | undefined;
  /** An id or a slug. */
  environment: string | undefined;
};

/** The services and options that a command works with. */
export type Context = {
  terminal: Terminal;
  output: Output;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  options: GlobalOptions;
  configuration: Configuration;
  place: Place;
  /** A client for the place. Throws if the place has no address or no credential. */
  client: () => Posthorn;
  /** The id of the environment that was named; undefined if none was. */
  environmentId: () => Promise<string | undefined>;
  /** The id of the environment that was named, or else of the default one. */
  requireEnvironmentId: () => Promise<string>;
};

/** Reads the configuration, and decides which server a command uses and how it prints. Makes no request. */
export async function createContext(terminal: Terminal, options: GlobalOptions, signal: AbortSignal): Promise<Context> {
  const configuration = await readConfigurationIfNeeded(terminal, options.profile);
  const place = findPlace(configuration, { terminal, options });
  const format = formatOf(options.output) ?? (terminal.stdout.isTTY ? 'table' : 'json');
  let client: Posthorn | undefined;
  const getClient = () => {
    client ??= createClient(place);
    return client;
  };
  return {
    terminal,
    output: createOutput(terminal, { format, quiet: options.quiet === true }),
    signal,
    options,
    configuration,
    place,
    client: getClient,
    environmentId: async () =>
      place.environment === undefined ? undefined : findEnvironment(getClient(), place.environment, signal),
    requireEnvironmentId: () => findEnvironment(getClient(), place.environment, signal),
  };
}

function formatOf(output: GlobalOptions['output']): Format | undefined {
  if (output === 'junit') return 'json';
  return output === 'text' ? 'table' : output;
}

function findPlace(configuration: Configuration, call: Pick<Context, 'terminal' | 'options'>): Place {
  const {
    options,
    terminal: { env },
  } = call;
  const profileName = options.profile || env.POSTHORN_PROFILE || configuration.current;
  const profile: Profile = configuration.profiles[profileName] ?? {};
  const baseUrl = env.POSTHORN_BASE_URL ? plainAddress(env.POSTHORN_BASE_URL) : profile.base_url;
  // Another server must not get the credentials of the profile.
  const own = baseUrl === profile.base_url ? profile : {};
  const environment = namedEnvironment(call) ?? own.environment;
  // The key of the profile has an environment of its own, which may be another one than is named, or than the token's.
  const isElsewhere = env.POSTHORN_TOKEN || environment || options.workspace || env.POSTHORN_WORKSPACE_ID;
  return {
    profileName,
    baseUrl,
    token: env.POSTHORN_TOKEN || own.token,
    apiKey: env.POSTHORN_API_KEY || (isElsewhere ? undefined : own.api_key),
    workspaceId: options.workspace || env.POSTHORN_WORKSPACE_ID || (env.POSTHORN_TOKEN ? undefined : own.workspace),
    environment,
  };
}

/** The environment that an option or a variable names. The profile's environment does not count. */
export function namedEnvironment({ options, terminal }: Pick<Context, 'options' | 'terminal'>): string | undefined {
  return options.environment || terminal.env.POSTHORN_ENVIRONMENT || undefined;
}

/**
 * A client for a place. Set `timeoutMs` for slow requests, and `fetch` to change requests before they are sent. Throws
 * if the place has no address or no credential.
 */
export function createClient(
  { profileName, baseUrl, token, apiKey, workspaceId }: Omit<Place, 'environment'>,
  options: { timeoutMs?: number; fetch?: typeof fetch } = {},
): Posthorn {
  if (token === undefined && apiKey === undefined) {
    throw new CommandError({
      exitCode: EXIT.unauthorized,
      code: 'not_logged_in',
      message: `The profile ${profileName} has no credential`,
      next: 'posthorn login, or set POSTHORN_BASE_URL and POSTHORN_TOKEN',
    });
  }
  if (baseUrl === undefined) throw new Usage('There is no address: set POSTHORN_BASE_URL, or posthorn login');
  return new Posthorn({ baseUrl, token, apiKey, workspaceId, ...options });
}

async function findEnvironment(client: Posthorn, wanted: string | undefined, signal: AbortSignal): Promise<string> {
  if (wanted?.startsWith('env_')) return wanted;
  const environments = await client.environments.list({ signal }).toArray({ limit: 100 });
  if (wanted === undefined) {
    // A token that is bound to environments may not reach the default one.
    const used = environments.length === 1 ? environments[0] : environments.find(({ isDefault }) => isDefault);
    if (used !== undefined) return used.id;
    throw new Usage(`Name the environment: --environment ${environments.map(({ slug }) => slug).join(' or ')}`);
  }
  const found = environments.find(({ slug }) => slug === wanted);
  if (found !== undefined) return found.id;
  throw noEnvironment(wanted, environments);
}

/** The ids of environments that are named by slug or id, in this order. Throws `not_found` for the first unknown one. */
export async function findEnvironments(
  { client, signal }: Pick<Context, 'client' | 'signal'>,
  wanted: readonly string[],
): Promise<string[]> {
  const environments = await client().environments.list({ signal }).toArray({ limit: 100 });
  return wanted.map((one) => {
    const found = environments.find(({ id, slug }) => id === one || slug === one);
    if (found === undefined) throw noEnvironment(one, environments);
    return found.id;
  });
}

function noEnvironment(wanted: string, environments: readonly { slug: string }[]): CommandError {
  return new CommandError({
    exitCode: EXIT.notFound,
    code: 'not_found',
    message: `There is no environment ${wanted}`,
    next: `use one of: ${environments.map(({ slug }) => slug).join(', ')}`,
  });
}
