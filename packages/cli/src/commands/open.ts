import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Posthorn } from '@posthorn/client';
import { parseUrl } from '@posthorn/runtime/parse-url';
import type { Row } from '../command.ts';
import type { Context, Place } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { oneLine } from '../safe-text.ts';

export const open: readonly Row[] = [
  {
    usage: 'open [id]',
    summary: 'Open the dashboard, or its page of an id; without a terminal, print the address',
    options: { '--print': 'only print the address' },
    examples: ['posthorn open "$ENDPOINT_ID" --print', 'posthorn open'],
    async run(context, call) {
      const url = await findPage(context, call.args[0]);
      const prints = call.values.print === true || !context.output.isTerminal;
      if (prints || !(await openBrowser(url))) context.output.text(oneLine(url));
    },
  },
];

async function findPage(context: Context, id: string | undefined): Promise<string> {
  const { client, place, signal } = context;
  const posthorn = client();
  const workspaceId = place.workspaceId ?? (await posthorn.me.get({ signal })).workspace.id;
  const workspace = addressOf(place, workspaceId);
  if (id === undefined) return `${workspace}/${await context.requireEnvironmentId()}/overview`;
  const read = PAGES[id.split('_')[0] ?? ''];
  if (read === undefined) {
    const message = `There is no page of ${id}`;
    const next =
      'name an endpoint (ep_…), event (msg_…), delivery (dlv_…), customer (app_…), operation (op_…), event type (evt_…), environment (env_…), API key (key_…) or alert rule (alr_…)';
    throw new CommandError({ exitCode: EXIT.notFound, code: 'not_found', message, next });
  }
  const page = await read(posthorn, id, signal);
  if (page === undefined) return `${workspace}/~/${encodeURIComponent(id)}`;
  return `${workspace}/${page.environmentId ?? (await context.requireEnvironmentId())}/${page.path}`;
}

/** The address of a workspace in the dashboard. */
export function addressOf({ baseUrl = '' }: Place, workspaceId: string): string {
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/w/${encodeURIComponent(workspaceId)}`;
}

/** A page in an environment. `environmentId` is set if the page belongs to another environment than the current one. */
type Page = { path: string; environmentId?: string };

/**
 * Looks an id up, so that the command reports an id that does not exist. Returns undefined if the dashboard finds the
 * page by the id alone, or else the path of the page in its environment.
 */
const PAGES: Record<string, (client: Posthorn, id: string, signal: AbortSignal) => Promise<Page | undefined>> = {
  async ep(client, id, signal) {
    await client.endpoints.get(id, { signal });
    return undefined;
  },
  async msg(client, id, signal) {
    await client.events.get(id, { signal });
    return undefined;
  },
  async dlv(client, id, signal) {
    await client.deliveries.get(id, { signal });
    return undefined;
  },
  async app(client, id, signal) {
    await client.applications.get(id, { signal });
    return { path: `customers/${encodeURIComponent(id)}` };
  },
  async op(client, id, signal) {
    await client.operations.get(id, { signal });
    return { path: 'operations' };
  },
  async evt(client, id, signal) {
    const { name } = await client.eventTypes.get(id, { signal });
    return { path: `event-types?search=${encodeURIComponent(name)}` };
  },
  async env(client, id, signal) {
    for await (const one of client.environments.list({ signal })) {
      if (one.id === id) return { path: 'overview', environmentId: id };
    }
    throw missing(id);
  },
  async key(client, id, signal) {
    for await (const environment of client.environments.list({ signal })) {
      for await (const one of client.apiKeys.list(environment.id, { signal })) {
        if (one.id === id) return { path: 'access', environmentId: environment.id };
      }
    }
    throw missing(id);
  },
  async alr(client, id, signal) {
    await client.alertRules.get(id, { signal });
    return { path: 'alerts' };
  },
};

function missing(id: string): CommandError {
  const next = 'check the id, and the workspace: posthorn whoami shows yours';
  return new CommandError({ exitCode: EXIT.notFound, code: 'not_found', message: `${id} was not found`, next });
}

/**
 * Opens a URL in the browser. False if the system has no program for that or it did not start. No shell ever reads the
 * URL. A server may have chosen it, and the same program would also open a file or start another program.
 */
export async function openBrowser(url: string): Promise<boolean> {
  const address = parseUrl(url);
  if (address === undefined || !['http:', 'https:'].includes(address.protocol)) return false;
  const [program, ...args] = { darwin: ['open'], win32: ['explorer.exe'] }[platform() as string] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program ?? 'xdg-open', [...args, address.href], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
