// A release names actions by their commit and images by their digest, because others can move their tags.
//   node deploy/release/pins.mjs           lists what is not pinned, and fails if there is any
//   node deploy/release/pins.mjs --write   pins every tag to what it means now. It asks GitHub and the registries
// `--github` and `--hub` name mirrors of github.com and of Docker Hub, `--root` another checkout.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const WORKFLOWS = '.github/workflows';
/**
 * The groups of ACTION are the text before the name, the name, the ref, and the tag of a pinned action. Those of IMAGE
 * are the text before the name, the name with its tag, and the digest.
 */
const ACTION = /^( *(?:- )?uses: )([\w.-]+\/[\w./-]+)@(\S+?)(?: # (\S+))?$/gm;
const IMAGE = /^( *image: |ARG NODE_IMAGE=|# syntax=)([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?$/gm;
const COMMIT = /^[0-9a-f]{40}$/;
/** The manifest types of an image. Those for several architectures come first: their digest holds on all of them. */
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The actions and images below a checkout that are not pinned, as `file: name`. */
export function unpinned(root) {
  return filesOf(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const actions = [...text.matchAll(ACTION)].filter(([, , , ref]) => !COMMIT.test(ref));
    const images = [...text.matchAll(IMAGE)].filter(([, , , digest]) => digest === undefined);
    return [...actions.map(([, , name, ref]) => `${name}@${ref}`), ...images.map(([, , name]) => name)].map(
      (name) => `${file}: ${name}`,
    );
  });
}

/** Pins every action and every image below a checkout. Nothing is written unless all of them were found. */
async function writePins(root, { github, hub }) {
  const texts = new Map();
  for (const file of filesOf(root)) {
    const before = readFileSync(join(root, file), 'utf8');
    const actions = await replaceAll(before, ACTION, async ([, start, name, ref, tag = ref]) => {
      return `${start}${name}@${commitOf(github, name, tag)} # ${tag}`;
    });
    const after = await replaceAll(actions, IMAGE, async ([, start, name]) => {
      return `${start}${name}@${await digestOf(hub, name)}`;
    });
    texts.set(file, after);
  }
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
}

function filesOf(root) {
  const workflows = readdirSync(join(root, WORKFLOWS)).map((name) => `${WORKFLOWS}/${name}`);
  return [...workflows, 'deploy/Dockerfile', 'docker-compose.yml', 'deploy/helm/posthorn/values.yaml'];
}

async function replaceAll(text, expression, replace) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(expression)) {
    parts.push(text.slice(end, match.index), await replace(match));
    end = match.index + match[0].length;
  }
  return parts.join('') + text.slice(end);
}

/** The commit of a tag or a branch. An annotated tag has two lines, and the second (`^{}`) has its commit. */
function commitOf(github, action, name) {
  const [owner, repository] = action.split('/');
  const places = [`refs/tags/${name}^{}`, `refs/tags/${name}`, `refs/heads/${name}`];
  const told = execFileSync('git', ['ls-remote', `${github}/${owner}/${repository}`, ...places], { encoding: 'utf8' });
  const commits = new Map(told.split('\n').map((line) => line.split('\t').reverse()));
  const commit = places.map((place) => commits.get(place)).find((found) => found !== undefined);
  if (commit === undefined) throw new Error(`${action} has no tag or branch ${name}`);
  return commit;
}

/** The digest of an image's tag: the hash of its manifest's bytes, as the registry sends them. */
async function digestOf(hub, image) {
  const [, host, path, tag] = /^(?:([\w-]+(?:\.[\w-]+)+)\/)?(.+):(.+)$/.exec(image);
  const repository = host === undefined && !path.includes('/') ? `library/${path}` : path;
  const url = `${host === undefined ? hub : `https://${host}`}/v2/${repository}/manifests/${tag}`;
  const ask = (headers) => fetch(url, { headers: { accept: MANIFESTS, ...headers } });
  let answer = await ask({});
  if (answer.status === 401) answer = await ask({ authorization: `Bearer ${await tokenFor(answer)}` });
  if (!answer.ok) throw new Error(`${image}: ${url} answers ${answer.status}`);
  const digest = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
  return `sha256:${digest}`;
}

/** Gets an anonymous token from the address that the registry names. */
async function tokenFor(answer) {
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const { realm, ...query } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  if (realm === undefined) throw new Error(`${answer.url} asks for a login: ${challenge}`);
  const { token, access_token: accessToken } = await (await fetch(`${realm}?${new URLSearchParams(query)}`)).json();
  return token ?? accessToken;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      write: { type: 'boolean', default: false },
      root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
      github: { type: 'string', default: 'https://github.com' },
      hub: { type: 'string', default: 'https://registry-1.docker.io' },
    },
  });
  if (values.write) await writePins(values.root, values);
  const left = unpinned(values.root);
  for (const one of left) process.stderr.write(`not pinned: ${one}\n`);
  if (left.length > 0) process.exitCode = 1;
}
