import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Posthorn } from '@posthorn/client';
import type { Row } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';

export const open: readonly Row[] = [
  {
    usage: 'open [id]',
    summary: 'Open the dashboard, or its page of an id; without a terminal, print the address',
    options: { '--print': 'only print the address' },
    examples: ['posthorn open "$ENDPOINT_ID" --print', 'posthorn open'],
    async run(context, call) {
      const url = await findPage(context, call.args[0]);
      const prints = call.values.print === true || !context.output.isTerminal;
      if (prints || !(await openBrowser(url))) context.output.text(url);
    },
  },
];

async function findPage(context: Context, id: string | undefined): Promise<string> {
  const { client, place, signal } = context;
  const posthorn = client();
  const workspaceId = place.workspaceId ?? (await posthorn.me.get({ signal })).workspace.id;
  const workspace = `${place.baseUrl}/w/${encodeURIComponent(workspaceId)}`;
  if (id === undefined) return `${workspace}/${await context.requireEnvironmentId()}/overview`;
  const read = PAGES[id.split('_')[0] ?? ''];
  if (read === undefined) {
    const message = `There is no page of ${id}`;
    const next = 'name an endpoint (ep_…), event (msg_…), delivery (dlv_…), customer (app_…) or operation (op_…)';
    throw new CommandError({ exitCode: EXIT.notFound, code: 'not_found', message, next });
  }
  const path = await read(posthorn, id, signal);
  if (path === undefined) return `${workspace}/~/${encodeURIComponent(id)}`;
  return `${workspace}/${await context.requireEnvironmentId()}/${path}`;
}

/**
 * Asks for what an id means, so that one which does not exist is said here. Undefined where the dashboard finds the page by
 * the id alone, else the path of the page in an environment.
 */
const PAGES: Record<string, (client: Posthorn, id: string, signal: AbortSignal) => Promise<string | undefined>> = {
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
    return `customers/${encodeURIComponent(id)}`;
  },
  async op(client, id, signal) {
    await client.operations.get(id, { signal });
    return 'operations';
  },
};

/** Whether the system has a program that opens a browser, and it was started. The URL is never read by a shell. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = { darwin: ['open'], win32: ['explorer.exe'] }[platform() as string] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
