// Which Markdown files are pages of the site, at which address, and the order in which the navigation lists them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const START = 'docs/README.md';
/** Files of docs that the site also has, at the same path. */
const FILES = /^docs\/(images|benchmarks)\/.*\.(png|svg)$/;
/** Folders of programs that pages link to. The site has each program as a text: its path and `.txt`. */
export const PROGRAMS = ['docs/receivers', 'docs/producers'];

/** Every document that links reach from docs/README.md: `source` (its path), `address` below /docs, `title`. */
export function findDocuments() {
  const documents = new Map();
  const visit = (source) => {
    if (documents.has(source) || !existsSync(join(root, source))) return;
    const text = readFileSync(join(root, source), 'utf8');
    documents.set(source, { source, address: addressOf(source), title: titleOf(text) });
    const links = text.replace(/^```.*?^```$/gms, '').matchAll(/\]\(([^()\s#]+\.md)[^()\s]*\)/g);
    for (const [, link] of links) if (!/^[a-z]+:/.test(link)) visit(normalize(join(dirname(source), link)));
  };
  visit(START);
  return documents;
}

/**
 * The address of a document: `how-to/recover` for `docs/how-to/recover.md`, `start` for the README of the repository, and
 * `sdks/go` for `sdks/go/README.md`.
 */
function addressOf(source) {
  if (source === START) return 'index';
  if (source === 'README.md') return 'start';
  return source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')
    .replace(/^[A-Z]+$/, (name) => name.toLowerCase());
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? 'Posthorn';
}

/** The lists of docs/README.md, each under the heading or the line above it:
 * `{ title, pages: [{ title, document, parts }] }`. */
export function readNavigation(documents) {
  const groups = [];
  let title = '';
  for (const line of readFileSync(join(root, START), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line) ?? /^([A-Z][^.]*):$/.exec(line);
    if (heading !== null) title = heading[1];
    const item = /^- \[([^\]]+)\]\(([^()\s#]+\.md)\)/.exec(line);
    if (item === null || title === '') continue;
    const document = documents.get(normalize(join(dirname(START), item[2])));
    if (groups.at(-1)?.title !== title) groups.push({ title, pages: [] });
    groups.at(-1).pages.push({ title: item[1].replaceAll('`', ''), document, parts: partsOf(document, documents) });
  }
  return groups;
}

/** The pages below a page: those of docs/interface are parts of docs/interface.md, in the order of its links. */
function partsOf({ source, address }, documents) {
  const text = readFileSync(join(root, source), 'utf8');
  const links = [...text.matchAll(/\]\(([^()\s#]+\.md)\)/g)].map(([, link]) => normalize(join(dirname(source), link)));
  return [...new Set(links)]
    .map((target) => documents.get(target))
    .filter((document) => document?.address.startsWith(`${address}/`) === true);
}

/** The address of a link's target on the site. Undefined for a file that the site does not have, such as a source. */
export function resolveLink(documents, from, link) {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link;
  const [path = '', anchor] = link.split('#');
  const target = normalize(join(dirname(from), path));
  const document = documents.get(target);
  if (document !== undefined) return hrefOf(document) + (anchor === undefined ? '' : `#${anchor}`);
  if (FILES.test(target)) return `/${target}`;
  if (PROGRAMS.includes(dirname(target))) return `/${target}.txt`;
  if (target === 'docs/openapi.json') return '/openapi.json';
  if (target === 'docs/openapi-sdk.json') return '/openapi/sdk.json';
  return undefined;
}

/** The path of a page. */
export function hrefOf({ address }) {
  return address === 'index' ? '/docs' : `/docs/${address}`;
}
