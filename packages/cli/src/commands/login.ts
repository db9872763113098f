import { Posthorn } from '@posthorn/client';
import { type Call, type Row, text } from '../command.ts';
import { type Profile, writeConfiguration } from '../configuration.ts';
import type { Context } from '../context.ts';
import { Usage } from '../failure.ts';
import { readStdin } from '../terminal.ts';

export const login: readonly Row[] = [
  {
    usage: 'login',
    summary: 'Log in, and keep the credential in a profile',
    options: {
      '--base-url <url>': 'the address of Posthorn (or POSTHORN_BASE_URL)',
      '--token <token>': 'a management token; - reads it from stdin, where no list of processes shows it',
      '--api-key <key>': 'an API key, for `events send`',
    },
    examples: ['echo "$POSTHORN_TOKEN" | posthorn login --token - --base-url "$POSTHORN_BASE_URL"'],
    run: runLogin,
  },
];

async function runLogin(context: Context, { values }: Call): Promise<void> {
  const { terminal, place, options, signal } = context;
  const baseUrl = text(values, 'baseUrl') ?? place.baseUrl;
  if (baseUrl === undefined) throw new Usage('--base-url is required');
  const given = text(values, 'token');
  if (given === undefined) throw new Usage('--token is required');
  const token = given === '-' ? (await readStdin(terminal)).trim() : given;
  const { workspace, token: details } = await new Posthorn({ baseUrl, token }).me.get({ signal });
  const profile: Profile = { base_url: baseUrl, token, workspace: options.workspace ?? workspace.id };
  const apiKey = text(values, 'apiKey') ?? context.place.apiKey;
  if (apiKey !== undefined) profile.api_key = apiKey;
  if (options.environment !== undefined) profile.environment = options.environment;
  await keep(context, profile);
  context.output.note(`Logged in to ${workspace.name} with the token ${details.name}`);
}

/** Replaces the credential of the profile, and keeps its listeners where the address stays. */
async function keep({ terminal, configuration, place }: Context, profile: Profile): Promise<void> {
  const old = configuration.profiles[place.profileName];
  const kept: Profile = old?.base_url === profile.base_url && old?.listeners ? { listeners: old.listeners } : {};
  configuration.profiles[place.profileName] = { ...profile, ...kept };
  await writeConfiguration(terminal, configuration);
}

export const logout: readonly Row[] = [
  {
    usage: 'logout',
    summary: 'Remove the credential from the profile',
    examples: ['posthorn logout'],
    async run({ terminal, configuration, place, output }) {
      const profile = configuration.profiles[place.profileName];
      if (profile !== undefined) {
        delete profile.token;
        delete profile.api_key;
        await writeConfiguration(terminal, configuration);
      }
      output.note(`Logged out of the profile ${place.profileName}`);
    },
  },
];

export const whoami: readonly Row[] = [
  {
    usage: 'whoami',
    summary: 'Show the credential, its workspace and its rights',
    examples: ['posthorn whoami'],
    async run({ client, place, output, signal }) {
      const { workspace, token } = await client().me.get({ signal });
      await output.item({
        id: token.id,
        name: token.name,
        scopes: token.scopes.join(', '),
        expiresAt: token.expiresAt,
        workspaceId: place.workspaceId ?? workspace.id,
        workspace: workspace.name,
        environment: place.environment ?? null,
        baseUrl: place.baseUrl,
        profile: place.profileName,
      });
    },
  },
];
