// `npm run docs:generate`: writes the parts of the documents that come from the code. With `--check` it writes nothing
// and fails when a file is out of date.
// - docs/reference/settings.md from the schemas of the settings
// - docs/reference/limits.md from services/api/src/limits.ts
// - docs/reference/errors.md from the contract
// - docs/reference/metrics.md from the metrics that the processes register
// - docs/reference/operations.md from docs/openapi.json
// - docs/reference/destinations.md from the descriptions of the kinds of endpoints
// - in .env.example, the text above each setting from the schemas of the settings. Lines in brackets are kept
// - the lists of docs/README.md from the headings of docs/how-to and docs/adr: the guides in the groups
//   of GUIDES below
// - docs/llms.txt, the index of the documents for language models, from their headings and first sentences
// - docs/workspace.schema.json, and its copy for the command line, from docs/openapi.json
// - the code blocks of README.md and docs/*.md behind a comment `<!-- file: <relative path> -->`, from these files
// - how the libraries and the command line are installed, in their READMEs, from deploy/release/public-names.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOf, PUBLIC_NAMES } from '../deploy/release/public-names.mjs';
import { workspaceSchema } from './workspace-schema.mjs';

const docs = dirname(fileURLToPath(import.meta.url));
const root = dirname(docs);
const check = process.argv.includes('--check');
const languages = { '.ru': 'ruby', '.py': 'python', '.mjs': 'js' };

const { settings: api } = await import('../services/api/dist/config.js');
const { settings: dispatcher } = await import('../services/dispatcher/dist/config.js');
const { KINDS, hasDestination } = await import('../packages/destinations/dist/kinds.js');
const { createMetrics: metricsOfApi } = await import('../services/api/dist/metrics.js');
const { createMetrics: metricsOfDispatcher } = await import('../services/dispatcher/dist/metrics.js');
const processMetrics = await import('../packages/runtime/dist/process-metrics.js');
const { LIMITS_OF_PROCESS } = await import('../services/api/dist/limits.js');
const { ERROR_HELP, ERROR_STATUS } = await import('../packages/contract/dist/errors.js');

/** The guides in groups, in the order in which a reader needs them. A new guide needs a place here. */
const GUIDES = {
  'First steps': ['send-an-event', 'receive-locally', 'listen', 'test-an-endpoint', 'customer-portal', 'import'],
  'Decide what is sent, and when': [
    ...[
      'payload-formats',
      'transformations',
      'filter-events',
      'find-events',
      'order-events',
      'schedule-events',
      'event-schemas',
      'types',
    ],
    ...['publish-a-catalogue', 'pull'],
  ],
  'Brokers and stores': [
    'sources',
    'kafka',
    'rabbitmq',
    'nats',
    'sqs',
    'sns',
    'kinesis',
    'eventbridge',
    'pubsub',
    's3',
  ],
  'When something fails': [
    ...['trace', 'examine-an-endpoint', 'recover', 'live', 'statistics', 'alerts', 'operational-events'],
  ],
  'Safety of endpoints': ['rotate-a-secret', 'oauth', 'private-certificates', 'fixed-addresses'],
  'Set-ups, people and machines': [
    ...['workspace-as-a-file', 'promote', 'billing', 'agents', 'agents-subscribe', 'sign-in-provider', 'kubernetes'],
  ],
};

const generated = {
  'reference/settings.md': settingsPage(),
  'reference/limits.md': limitsPage(),
  'reference/errors.md': errorsPage(),
  'reference/metrics.md': metricsPage(),
  'reference/operations.md': operationsPage(),
  'reference/destinations.md': destinationsPage(),
};
for (const name of readdirSync(docs).filter((one) => one.endsWith('.md'))) generated[name] = withFiles(name);
generated['README.md'] = withLists(generated['README.md']);
generated['../README.md'] = withFiles('../README.md');
for (const [key, { folder }] of Object.entries(PUBLIC_NAMES)) {
  // The bundle of the command line has the README of its source.
  if (folder !== undefined)
    Object.assign(generated, withInstall(key, `../${folder.replace(/\/bundle$/, '')}/README.md`));
}
generated['../.env.example'] = exampleOfSettings();
const schema = `${JSON.stringify(workspaceSchema(JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8'))), null, 2)}\n`;
generated['workspace.schema.json'] = schema;
generated['../packages/cli/src/workspace/workspace.schema.json'] = schema;

generated['llms.txt'] = indexForModels();

const stale = Object.entries(generated).filter(([name, text]) => readIfThere(join(docs, name)) !== text);
for (const [name, text] of check ? [] : stale) writeFileSync(join(docs, name), text);
for (const [name] of stale)
  process.stdout.write(`${relative(root, join(docs, name))} ${check ? 'is out of date' : 'written'}\n`);
if (check && stale.length > 0) process.exitCode = 1;

function settingsPage() {
  const rows = (schema, left) =>
    Object.entries(schema.shape)
      .filter(([name]) => !left.includes(name))
      .map(([name, setting]) => [`\`${name}\``, defaultOf(setting), valuesOf(setting), descriptionOf(name, setting)]);
  const shared = Object.keys(api.shape).filter((name) => name in dispatcher.shape);
  const alike = shared.filter(
    (name) => descriptionOf(name, api.shape[name]) === descriptionOf(name, dispatcher.shape[name]),
  );
  const others = Object.keys(api.shape).filter((name) => !alike.includes(name));
  const head = ['setting', 'default', 'values', 'meaning'];
  return `# Settings

<!-- Generated by \`npm run docs:generate\` from the schemas that read the settings. -->

Settings are environment variables. A process reads them once, when it starts. A process with a bad setting does not
start, and prints every fault with the name of its setting. An empty value counts as unset. Any setting can come from a
file: \`SEALING_KEYS_FILE=/run/secrets/sealing-keys\` stands for \`SEALING_KEYS\`.

[.env.example](../../.env.example) has the settings in the form of an environment file, with those of Docker Compose.

## Both services

${table(head, rows(api, others))}

## API

${table(head, rows(api, alike))}

## Dispatcher

${table(head, rows(dispatcher, alike))}

## Node's own

\`NODE_EXTRA_CA_CERTS\` names a PEM file of further certificate authorities that the certificates of receivers may come
from.
`;
}

function limitsPage() {
  const shown = (value) => {
    if (value === undefined) return '';
    return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : value.toLocaleString('en');
  };
  const rows = Object.values(LIMITS_OF_PROCESS).map(({ what, atOnce, most, waiting, waitingOfWorkspace, forMs }) => [
    what,
    shown(atOnce),
    shown(most?.owner),
    shown(most?.workspace),
    shown(waiting ?? 0),
    shown(waitingOfWorkspace),
    forMs === undefined ? '' : `${forMs / 1_000} s`,
  ]);
  return `# Limits of an API process

<!-- Generated by \`npm run docs:generate\` from services/api/src/limits.ts. -->

What one API process does at once, for all tenants together. The limits of the interface, such as counts and sizes, are
[elsewhere](../interface/limits.md#limits).

${table(['work', 'at once', 'of one owner', 'of one workspace', 'waits', 'of one workspace', 'at most'], rows)}

- The owner is the account that created a workspace. A workspace that the installation created is its own owner.
- Turns go to the owner who holds the least, then to its workspace, then to its portal that holds the least. A workspace's own work never
  waits behind its portals. All portals of a workspace together have at most half of its part. One portal has an eighth of what
  runs at once, and a quarter of what waits.
- When too much waits, the latest work of the owner with the most is refused. Work that waits longer than the last column is
  refused, too. The answer is \`rate_limited\` or \`unavailable\`, with \`Retry-After\`.
`;
}

/** A test compares the page with what running processes export. */
function metricsPage() {
  const [ofApi, ofDispatcher] = [metricsOfApi().registry, metricsOfDispatcher().registry];
  const {
    watchBus,
    watchClock,
    watchInstallation,
    watchPartitions,
    watchPools,
    watchStats,
    watchStores,
    watchTransformations,
  } = processMetrics;
  for (const registry of [ofApi, ofDispatcher]) {
    for (const watch of [watchClock, watchPartitions, watchStats, watchTransformations]) watch(registry);
    for (const watch of [watchPools, watchStores]) watch(registry, {});
    watchInstallation(registry);
    watchBus(registry);
  }
  const [api, dispatcher] = [ofApi, ofDispatcher].map((one) => one.getMetricsAsArray());
  const inBoth = (name) => api.some((one) => one.name === name) && dispatcher.some((one) => one.name === name);
  const rows = [...new Map([...api, ...dispatcher].map((one) => [one.name, one])).values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, labelNames, help }) => {
      const labels = labelNames.filter((label) => label !== 'le');
      const from = inBoth(name) ? 'both' : api.some((one) => one.name === name) ? 'API' : 'dispatcher';
      return [`\`${name}${labels.length > 0 ? `{${labels}}` : ''}\``, from, help];
    });
  return `# Metrics

<!-- Generated by \`npm run docs:generate\` from the metrics that the processes register. -->

What \`GET /metrics\` of a process shows on its \`METRICS_PORT\`, beside \`process_*\` and \`nodejs_*\` for the process itself.
[Watch](../operating/watch.md) says which figures call for action.

${table(['metric', 'service', 'what it is'], rows)}
`;
}

function errorsPage() {
  const rows = Object.entries(ERROR_STATUS).map(([code, status]) => {
    const { when, advice } = ERROR_HELP[code];
    return [`\`${code}\``, String(status), when.replaceAll('](', '](../'), advice];
  });
  return `# Errors

<!-- Generated by \`npm run docs:generate\` from packages/contract/src/errors.ts. -->

Every error has this shape. Programs decide by the code; the message is for people, and may change. The codes are part of
[the interface](../interface/errors.md#errors).

\`\`\`json
{ "error": { "code": "validation_error", "message": "url is required" } }
\`\`\`

Retry 429 and every 5xx, with pauses, and no other status. Ingestion with an \`Idempotency-Key\` can always be repeated
safely: see the [producer's guide](../producing.md#retry).

${table(['code', 'status', 'when', 'what to do'], rows)}
`;
}

function operationsPage() {
  const { paths } = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8'));
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );
  // The management interface, the dashboard and the portal offer an operation at paths that end in the same way.
  const areas = new Map();
  const needs = new Map();
  for (const { method, path, summary, tags, security = [] } of requests) {
    const request = `${method} ${shortOf(path)}`;
    const area = tags[0].replace(/^(Dashboard|Portal): /, '');
    if (!needs.has(request)) {
      needs.set(request, { managementToken: new Set(), sessionToken: new Set(), portalToken: new Set() });
      areas.set(area, [...(areas.get(area) ?? []), { request, summary }]);
    }
    for (const [kind, words] of security.flatMap((one) => Object.entries(one)))
      for (const word of words) needs.get(request)[kind]?.add(`\`${word}\``);
  }
  const cellsOf = ({ request, summary }) => {
    const { managementToken, sessionToken, portalToken } = needs.get(request);
    return [
      summary,
      `\`${request}\``,
      ...[managementToken, sessionToken, portalToken].map((words) => [...words].join(', ')),
    ];
  };
  const columns = ['operation', 'request', 'scope', 'role', 'capability'];
  const tables = [...areas].map(([area, rows]) => `## ${area}\n\n${table(columns, rows.map(cellsOf))}\n`);
  return `# Operations of the interface

<!-- Generated by \`npm run docs:generate\` from docs/openapi.json. -->

Every operation, and what its caller needs: a scope of the management token, a role in the dashboard, a capability of the portal session.
Each is explained in [Authentication](../interface/authentication.md). \`…\` is \`{base_url}/management/v1/workspaces/{workspaceId}\`,
\`{base_url}/api/workspaces/{workspaceId}\` or \`{base_url}/api/portal\`. [openapi.json](../openapi.json) has parameters, bodies and answers.

${tables.join('\n')}`;
}

function shortOf(path) {
  return path.replace(
    /^\/(management\/v1\/workspaces\/\{workspaceId\}|api\/workspaces\/\{workspaceId\}|api\/portal)/,
    '…',
  );
}

function destinationsPage() {
  const kinds = KINDS.filter(hasDestination).map((kind) =>
    [
      `## ${kind.label}`,
      `\`type: "${kind.type}"\`. ${kind.description}`,
      `- Delivered: ${kind.delivered}\n- Order: ${kind.ordering}\n- Repetitions: ${kind.deduplication}`,
      fieldsOf('config.destination', kind.section.schema),
      fieldsOf('credentials', kind.credentials),
    ].join('\n\n'),
  );
  return `# Brokers and stores

<!-- Generated by \`npm run docs:generate\` from the descriptions in packages/destinations. -->

The fields of each type, \`*\` where one is required. [The rules](../interface/endpoints.md#brokers-and-stores) are in the interface.
\`GET M/endpoint-types\` answers the same as JSON Schemas, with the policy to paste at the provider.

${kinds.join('\n\n')}
`;
}

function fieldsOf(name, schema) {
  const { properties, required = [] } = schema.toJSONSchema({ io: 'input' });
  const rows = Object.entries(properties).map(([field, { title, description, default: value, enum: values }]) => [
    `\`${field}\`${required.includes(field) ? '\\*' : ''}`,
    [title, description].filter((text) => text !== undefined).join(': '),
    value === undefined || value === '' ? '' : `\`${value}\``,
    (values ?? []).map((one) => `\`${one}\``).join(', '),
  ]);
  return table([`\`${name}\``, 'meaning', 'default', 'values'], rows);
}

function exampleOfSettings() {
  // If both services have a setting, one of the two may say that it is the same as in the other.
  const says = ([, { description }]) => !description?.includes('The same as in');
  const told = Object.entries(dispatcher.shape).filter(says);
  const settings = { ...dispatcher.shape, ...api.shape, ...Object.fromEntries(told) };
  const kept = [];
  for (const line of readFileSync(join(root, '.env.example'), 'utf8').split('\n')) {
    const [, name] = /^(?:# )?([A-Z_]+?)(?:_FILE)?=/.exec(line) ?? [];
    const setting = settings[name];
    if (setting !== undefined) {
      const brackets = kept.at(-1)?.startsWith('# (') ? kept.splice(-1) : [];
      while (/^# (?!---|[A-Z_]+=)/.test(kept.at(-1) ?? '')) kept.pop();
      const values = valuesOf(setting) === '' ? '' : ` Values: ${valuesOf(setting)}.`;
      kept.push(...commentLines(descriptionOf(name, setting) + values), ...brackets);
    }
    kept.push(line);
  }
  return kept.join('\n');
}

/** The text as lines of a comment, without its marks of code. */
function commentLines(text) {
  const lines = ['#'];
  for (const word of text.replaceAll('`', '').split(' ')) {
    if (lines.at(-1).length + word.length >= 120) lines.push('#');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines;
}

function descriptionOf(name, setting) {
  if (setting.description === undefined) throw new Error(`${name} has no description: add .describe(…) to its schema`);
  return setting.description;
}

function defaultOf(setting) {
  if (setting.def.type === 'optional') return '';
  if (setting.def.type !== 'default') return '**required**';
  const value = setting.def.defaultValue;
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'object' ? '' : String(value);
  return text === '' ? '' : `\`${text}\``;
}

function valuesOf(setting) {
  return setting.meta()?.values ?? (setting.def.innerType === undefined ? '' : valuesOf(setting.def.innerType));
}

/** A table that is aligned in the source as well. */
function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [first, ...others] = cells;
  return [line(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)].join('\n');
}

function withFiles(name) {
  return readFileSync(join(docs, name), 'utf8').replace(/^<!-- file: (\S+) -->\n+```.*?^```$/gms, (_whole, path) => {
    const language = languages[extname(path)] ?? extname(path).slice(1);
    const text = readFileSync(join(docs, dirname(name), path), 'utf8').trimEnd();
    return `<!-- file: ${path} -->\n\n\`\`\`${language}\n${text}\n\`\`\``;
  });
}

function withInstall(key, name) {
  const area = /(<!-- install -->\n).*?(<!-- end of install -->)/s;
  const { intro, lines } = installOf(key);
  const words = [...(intro === undefined ? [] : [intro]), `\`\`\`sh\n${lines.join('\n')}\n\`\`\``].join('\n\n');
  const text = readFileSync(join(docs, name), 'utf8');
  if (!area.test(text)) throw new Error(`${name} has no place for its install lines: <!-- install -->`);
  return { [name]: text.replace(area, (_whole, begin, end) => `${begin}\n${words}\n\n${end}`) };
}

function withLists(text) {
  return [
    ['how-to pages', 'how-to'],
    ['decisions', 'adr'],
  ].reduce((page, [name, folder]) => {
    const files = readdirSync(join(docs, folder)).filter((file) => file.endsWith('.md'));
    const line = (file) => `- [${titleOf(join(folder, file))}](${folder}/${file})`;
    const lines =
      folder === 'how-to' ? groupedGuides(files).map((part) => withLines(part, line)) : files.sort().map(line);
    const area = new RegExp(`(<!-- ${name} -->\\n).*?(<!-- end of the ${name} -->)`, 's');
    return page.replace(area, (_whole, begin, end) => `${begin}\n${lines.join('\n').trim()}\n\n${end}`);
  }, text);
}

function groupedGuides(files) {
  const placed = Object.values(GUIDES).flat();
  const lost = files.filter((file) => !placed.includes(file.replace(/\.md$/, '')));
  if (lost.length > 0) throw new Error(`docs/generate.mjs has no group for ${lost.join(', ')} in GUIDES`);
  return Object.entries(GUIDES).map(([title, names]) => ({ title, files: names.map((name) => `${name}.md`) }));
}

function withLines({ title, files }, line) {
  return `${title}:\n\n${files.map(line).join('\n')}\n`;
}

/** https://llmstxt.org: the API serves it, the pages that it names, and all of them as one text. */
function indexForModels() {
  const left = ['README.md', 'benchmarks.md', 'comparison.md'];
  const pagesIn = (folder) =>
    readdirSync(join(docs, folder))
      .filter((file) => file.endsWith('.md') && !left.includes(file))
      .sort()
      .map((file) => join(folder, file));
  const line = (page) => `- [${titleOf(page)}](docs/${page}): ${firstSentenceOf(page)}`;
  const part = (heading, pages) => `## ${heading}\n\n${pages.map(line).join('\n')}\n`;
  return [
    '# Posthorn',
    '> Webhook delivery that you run yourself: post an event once, and every subscribed endpoint gets it, signed and exactly as sent.',
    'Each page below is Markdown. /llms-full.txt has all of them in one text, /openapi.json describes each operation, and /mcp has tools for agents.\n',
    part('Guides', pagesIn('.')),
    part('The interface', pagesIn('interface')),
    part('Operating', pagesIn('operating')),
    part('How to', pagesIn('how-to')),
    part('Reference', pagesIn('reference')),
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** The first sentence of a page, without links and marks. */
function firstSentenceOf(path) {
  const text = generated[path] ?? readFileSync(join(docs, path), 'utf8');
  const paragraph = text.split(/\n{2,}/).find((one) => /^[A-Za-z`[]/.test(one)) ?? '';
  const plain = paragraph
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

function titleOf(path) {
  return /^# (.*)$/m.exec(readFileSync(join(docs, path), 'utf8'))?.[1] ?? path;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
