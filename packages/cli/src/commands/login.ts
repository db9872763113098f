import { Posthorn } from '@posthorn/client';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { askAccount, type OwnWorkspace, type Person } from '../account.ts';
import { type Call, type Row, text } from '../command.ts';
import { type Profile, plainAddress, readConfiguration, writeConfiguration } from '../configuration.ts';
import { type Context, createClient, namedEnvironment } from '../context.ts';
import { CommandError, EXIT, Usage } from '../failure.ts';
import { endKey } from '../listen/listener.ts';
import { readStdin } from '../terminal.ts';

export const login: readonly Row[] = [
  {
    usage: 'login',
    summary: 'Log in with your browser or a token, and keep the credential in a profile',
    options: {
      '--base-url <url>': 'the address of Posthorn (or POSTHORN_BASE_URL)',
      '--name <name>': 'how the list of your sessions names this login; the name of the machine unless given',
      '--no-browser': 'only print the address',
      '--token <token>': 'a management token instead; - reads it from stdin, where no list of processes shows it',
      '--api-key <key>': 'an API key, for `events send`',
    },
    examples: [
      'echo "$POSTHORN_TOKEN" | posthorn login --token - --base-url "$POSTHORN_BASE_URL"',
      'posthorn login --base-url https://posthorn.example.com',
    ],
    run: runLogin,
  },
];

async function runLogin(context: Context, { values }: Call): Promise<void> {
  const address = text(values, 'baseUrl') ?? context.place.baseUrl;
  if (address === undefined) throw new Usage('--base-url is required');
  if (parseUrl(address) === undefined)
    throw new Usage('--base-url must be an address such as https://posthorn.example.com');
  const baseUrl = plainAddress(address);
  const given = text(values, 'token');
  const { token, workspaceId, note } =
    given === undefined ? await logInAsPerson(context, baseUrl, values) : await useToken(context, baseUrl, given);
  const profile: Profile = { base_url: baseUrl, token, workspace: context.options.workspace ?? workspaceId };
  const apiKey = text(values, 'apiKey');
  if (apiKey !== undefined) profile.api_key = apiKey;
  const environment = namedEnvironment(context);
  if (environment !== undefined) profile.environment = environment;
  await keep(context, profile);
  context.output.note(note);
}

async function useToken({ terminal, signal }: Context, baseUrl: string, given: string) {
  const token = given === '-' ? (await readStdin(terminal)).trim() : given;
  const { workspace, token: details } = await new Posthorn({ baseUrl, token }).me.get({ signal });
  return { token, workspaceId: workspace.id, note: `Logged in to ${workspace.name} with the token ${details.name}` };
}

/** Logs in with the person's own session: for the named workspace, or the profile's workspace, or the oldest one. */
async function logInAsPerson(context: Context, baseUrl: string, values: Call['values']) {
  const { logInByDevice } = await import('../device-login.ts');
  const opensBrowser = context.output.isTerminal && (values.browser as unknown) !== false;
  const { token, user, expiresAt } = await logInByDevice(context, {
    baseUrl,
    name: text(values, 'name'),
    opensBrowser,
  });
  const { signal, options, configuration, place, terminal } = context;
  const workspaces = await askAccount<OwnWorkspace[]>(baseUrl, {
    method: 'GET',
    path: '/workspaces',
    token,
    signal,
  });
  const wanted = options.workspace || terminal.env.POSTHORN_WORKSPACE_ID || undefined;
  const former = configuration.profiles[place.profileName]?.workspace;
  const known = workspaces.find(({ id }) => id === (wanted ?? former));
  const workspace = known ?? (wanted === undefined ? workspaces[0] : undefined);
  if (workspace === undefined) {
    await endSession(baseUrl, token, signal);
    throw new CommandError({
      exitCode: EXIT.notFound,
      code: 'not_found',
      message:
        wanted === undefined ? `${user.email} is a member of no workspace` : `${wanted} is not one of your workspaces`,
      next: wanted === undefined ? 'ask for an invitation' : `use one of: ${workspaces.map(({ id }) => id).join(', ')}`,
    });
  }
  const others = workspaces.length > 1 ? '. Use another one with --workspace or posthorn profile use' : '';
  const note = `Logged in to ${workspace.name} as ${user.email} until ${expiresAt.slice(0, 10)}${others}`;
  return { token, workspaceId: workspace.id, note };
}

/**
 * Replaces the credential of the profile. Keeps its listeners only if the address stays the same: another server must
 * not get them. Keeps its API key and environment only if the workspace stays the same, too. Reads the file again first,
 * because a login takes minutes and another command may have changed it.
 */
async function keep({ terminal, place, output }: Context, profile: Profile): Promise<void> {
  const configuration = await readConfiguration(terminal);
  const old = configuration.profiles[place.profileName];
  const kept: Profile = {};
  if (old?.base_url === profile.base_url) {
    if (old?.listeners !== undefined) kept.listeners = old.listeners;
    if (old?.workspace === profile.workspace) {
      if (old?.api_key !== undefined) kept.api_key = old.api_key;
      if (old?.environment !== undefined) kept.environment = old.environment;
    }
  }
  const next = { ...kept, ...profile };
  configuration.profiles[place.profileName] = next;
  await writeConfiguration(terminal, configuration);
  if (old?.api_key !== undefined && next.api_key === undefined) {
    output.note('The API key of the profile is of another address or workspace, and was removed');
  }
}

export const logout: readonly Row[] = [
  {
    usage: 'logout',
    summary: 'End the session of the profile and the keys of its listeners, and remove its credentials',
    examples: ['posthorn logout'],
    async run({ terminal, configuration, place, output, signal }) {
      const profile = configuration.profiles[place.profileName];
      if (profile !== undefined) {
        const { base_url: baseUrl, token, workspace, listeners = {} } = profile;
        delete profile.token;
        delete profile.api_key;
        delete profile.listeners;
        // Removed first: a server that does not answer must not keep the credentials here.
        await writeConfiguration(terminal, configuration);
        const kept = Object.values(listeners);
        const reached = kept.filter((one) => one.base_url === baseUrl);
        let ended = 0;
        let why = '';
        if (token !== undefined && reached.length > 0) {
          const { profileName } = place;
          const client = createClient({ profileName, baseUrl, token, apiKey: undefined, workspaceId: workspace });
          try {
            for (const one of reached) ended += (await endKey(client, one, signal)) ? 1 : 0;
          } catch (error) {
            why = `: ${(error as Error).message}`;
          }
        }
        if (ended < kept.length) {
          output.note(
            `Keys of listeners that may still work: ${kept.length - ended}${why}. See posthorn pull-keys list`,
          );
        }
        if (baseUrl !== undefined && token !== undefined && isSession(token)) await endSession(baseUrl, token, signal);
      }
      output.note(`Logged out of the profile ${place.profileName}`);
    },
  },
];

function isSession(token: string): boolean {
  return token.startsWith('phs_');
}

/** If the session has already ended, there is nothing to do. */
async function endSession(baseUrl: string, token: string, signal: AbortSignal): Promise<void> {
  await askAccount(baseUrl, { method: 'POST', path: '/auth/logout', token, signal }).catch((error: unknown) => {
    if (!(error instanceof CommandError && error.failure.exitCode === EXIT.unauthorized)) throw error;
  });
}

export const whoami: readonly Row[] = [
  {
    usage: 'whoami',
    summary: 'Show the credential, its workspace and its rights',
    examples: ['posthorn whoami'],
    async run(context) {
      const { place, output } = context;
      const { token, baseUrl } = place;
      const who =
        token !== undefined && baseUrl !== undefined && isSession(token)
          ? await describePerson(context, { baseUrl, token })
          : await describeToken(context);
      const { environment = null, profileName } = place;
      await output.item({ ...who, environment, baseUrl, profile: profileName });
    },
  },
];

async function describeToken({ client, place, signal }: Context) {
  const { workspace, token } = await client().me.get({ signal });
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes.join(', '),
    expiresAt: token.expiresAt,
    workspaceId: place.workspaceId ?? workspace.id,
    workspace: workspace.name,
  };
}

async function describePerson({ place, signal }: Context, { baseUrl, token }: { baseUrl: string; token: string }) {
  const ask = { method: 'GET', token, signal } as const;
  const { user, expiresAt } = await askAccount<{ user: Person; expiresAt: string }>(baseUrl, {
    ...ask,
    path: '/auth/me',
  });
  const workspaces = await askAccount<OwnWorkspace[]>(baseUrl, { ...ask, path: '/workspaces' });
  const workspace = workspaces.find(({ id }) => id === place.workspaceId);
  return {
    id: user.id,
    name: user.email,
    role: workspace?.role ?? null,
    expiresAt,
    workspaceId: place.workspaceId ?? null,
    workspace: workspace?.name ?? null,
  };
}
