import { open, readFile } from 'node:fs/promises';
import { systemClock } from '@posthorn/runtime/clock';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { type Call, type Row, required, text } from '../command.ts';
import type { Context } from '../context.ts';
import { withoutMark } from '../exact-json.ts';
import { EXIT, Usage } from '../failure.ts';
import { type Found, PEERS, type PeerName } from '../import/found.ts';
import { activateImported, importFound, type Line } from '../import/import-found.ts';
import { createPeerApi } from '../import/peer-api.ts';

export const importFrom: readonly Row[] = [
  {
    usage: 'import <service>',
    summary: 'Take endpoints, applications and event types over from svix, convoy, outpost or hook0',
    options: {
      '--plan': 'only show what would be created, and what cannot be carried',
      '--apply': 'create what is missing; endpoints are created inactive',
      '--activate': 'activate the imported endpoints that were active there',
      '--from-url <url>': 'the address of the other API',
      '--from-token <token>': 'its token (or SVIX_TOKEN, CONVOY_API_KEY, OUTPOST_API_KEY, HOOK0_TOKEN)',
      '--from-project <id>': 'the project of Convoy, or the application of Hook0',
      '--label <name>': 'the label of Hook0 that tells the customer',
      '--save <file>': 'also write what was read into a file, with secrets',
      '--file <file>': 'read such a file instead of the API',
    },
    examples: [
      'posthorn import svix --activate',
      'posthorn import svix --plan --from-url https://api.us.svix.com',
      'posthorn import convoy --apply --from-url https://us.getconvoy.cloud/api --from-project 01h…',
    ],
    run: runImport,
  },
];

const TOKENS: Record<PeerName, string> = {
  svix: 'SVIX_TOKEN',
  convoy: 'CONVOY_API_KEY',
  outpost: 'OUTPOST_API_KEY',
  hook0: 'HOOK0_TOKEN',
};

async function runImport(context: Context, call: Call): Promise<number> {
  const { values } = call;
  const name = required(call, 0);
  const peer = PEERS.find((one) => one === name);
  if (peer === undefined) throw new Usage(`${name} is not one of ${PEERS.join(', ')}`);
  const ways = [values.plan, values.apply, values.activate].filter((way) => way === true);
  if (ways.length !== 1) throw new Usage('Give one of --plan, --apply and --activate');
  const target = {
    posthorn: context.client(),
    environmentId: await context.requireEnvironmentId(),
    signal: context.signal,
    now: systemClock.now(),
  };
  if (values.activate === true) return report(context, activateImported(target, peer));
  const found = await read(context, call, peer);
  const save = text(values, 'save');
  if (save !== undefined) await saveForOwner(save, `${JSON.stringify(found, null, 2)}\n`);
  return report(context, importFound(target, found, values.apply === true));
}

async function read({ terminal, signal }: Context, { values }: Call, peer: PeerName): Promise<Found> {
  const file = text(values, 'file');
  if (file !== undefined) return readFound(file, peer);
  const url = text(values, 'fromUrl');
  const token = text(values, 'fromToken') ?? terminal.env[TOKENS[peer]];
  if (url === undefined || parseUrl(url) === undefined)
    throw new Usage('--from-url must be the address of the other API');
  if (token === undefined) throw new Usage(`--from-token or ${TOKENS[peer]} is required`);
  const api = createPeerApi(url, `Bearer ${token}`, signal);
  const project = text(values, 'fromProject');
  if ((peer === 'convoy' || peer === 'hook0') && project === undefined) throw new Usage('--from-project is required');
  switch (peer) {
    case 'svix':
      return (await import('../import/peers/svix.ts')).readSvix(api);
    case 'convoy':
      return (await import('../import/peers/convoy.ts')).readConvoy(api, project ?? '', systemClock.now());
    case 'outpost':
      return (await import('../import/peers/outpost.ts')).readOutpost(api);
    case 'hook0':
      return (await import('../import/peers/hook0.ts')).readHook0(api, project ?? '', text(values, 'label'));
  }
}

/** The file has secrets, so only its owner may read it, even if it existed before with other permissions. */
async function saveForOwner(file: string, content: string): Promise<void> {
  const opened = await open(file, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${file} cannot be written: ${error.code}`);
  });
  try {
    await opened.chmod(0o600);
    await opened.writeFile(content);
  } finally {
    await opened.close();
  }
}

/** Reads a file that `--save` wrote. You may have added secrets that the other API did not show. */
async function readFound(file: string, peer: PeerName): Promise<Found> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Usage(`${file} cannot be read: ${error.code}`);
  });
  let found: Found;
  try {
    found = JSON.parse(withoutMark(content));
  } catch (error) {
    throw new Usage(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (found.peer !== peer) throw new Usage(`${file} is not a file that posthorn import ${peer} --save wrote`);
  for (const list of ['eventTypes', 'applications', 'endpoints', 'left'] as const) {
    if (!Array.isArray(found[list])) throw new Usage(`${file}: ${list} must be an array`);
  }
  return found;
}

/** Prints each line as soon as it is done. If anything was left behind, the exit code says so. */
async function report({ output }: Context, lines: AsyncIterable<Line>): Promise<number> {
  const counts = new Map<Line['action'], number>();
  const counted = async function* () {
    for await (const line of lines) {
      counts.set(line.action, (counts.get(line.action) ?? 0) + 1);
      yield line;
    }
  };
  await output.follow(counted(), {
    action: ({ action }) => action,
    kind: ({ kind }) => kind,
    name: ({ name }) => name,
    note: ({ note }) => note,
  });
  output.note([...counts].map(([action, count]) => `${count} ${action}`).join(', ') || 'Nothing to do.');
  return counts.has('left') ? EXIT.refused : EXIT.ok;
}
