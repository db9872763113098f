import { toId } from '@posthorn/contract/ids';
import { ROW_QUEUES, type RowQueue, type RowsLook, type ShownWorker } from '@posthorn/queue/rows';
import { type Html, html } from '@posthorn/runtime/html';
import {
  type Counts,
  type Overview,
  QUEUE_NAMES,
  type QueueName,
  type QueueView,
  type ShownRow,
} from './read-queues.ts';

export type PageOptions = {
  /** Whether the page may pause a queue. */
  write: boolean;
  /** The dashboard's address, to which rows link; undefined if it is not known. */
  dashboardUrl: string | undefined;
  now: Date;
};

const ABOUT: Record<QueueName, string> = {
  'fan-out': 'Accepted events whose deliveries are not made yet.',
  deliver:
    'Deliveries that are due now or later, and those under way. Most first attempts begin at once, and are never seen here.',
  lines:
    'Deliveries that wait for the limits of their endpoints, for a closed breaker, or for a consumer that fetches them.',
  probes: 'Tests and examinations that a request waits for.',
};

/** For each queue, the headings for a row's name, its time, and how often it was lost. */
const COLUMNS: Record<QueueName, [id: string, at: string, lost: string]> = {
  'fan-out': ['Event', 'Waits since', 'Taken again'],
  deliver: ['Delivery', 'Due', 'Lost leases'],
  lines: ['Delivery', 'Waits since', 'Lost leases'],
  probes: ['Test', 'Must begin by', 'Lost leases'],
};

export const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif;background:#fff;color:#1a1c20}
body{margin:0}header,main{max-width:1200px;margin:0 auto;padding:0 16px}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;padding:16px 0;border-bottom:1px solid #8886}
a{color:#1d4ed8}@media (prefers-color-scheme:dark){:root{background:#16181d;color:#e8e9ec}a{color:#93b4ff}}
a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
h1{font-size:1.4rem;margin:20px 0 4px}h2{font-size:1.05rem;margin:28px 0 4px}p{margin:4px 0 12px;max-width:75ch}
.scrolls{overflow-x:auto}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:6px 16px 6px 0;border-bottom:1px solid #8884}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}code{font:13px/1.5 ui-monospace,monospace}
form{display:inline}button{font:inherit;padding:3px 12px}footer{padding:24px 0;font-size:13px}`;

const MIXED = html`<p role="alert">Mixed: some processes have their queues in Redis, others in Postgres. While dispatchers of both run, an
endpoint may get up to twice its rate limit.</p>`;

/** The queues and the processes. */
export function overviewPage({ queues, look }: Overview, options: PageOptions): string {
  const rows = QUEUE_NAMES.map((name) => {
    const { waiting, underWay, later, isCut, oldestSeconds } = queues[name];
    return html`<tr><th scope="row"><a href="${name}">${name}</a></th><td>${stateOf(name, look)}</td>
<td class="n">${count(waiting, isCut)}</td><td class="n">${underWay}</td><td class="n">${count(later, isCut)}</td>
<td class="n">${ageOf(oldestSeconds)}</td><td>${formOf(name, look, options)}</td></tr>`;
  });
  const head = html`<tr><th scope="col">Queue</th><th scope="col">State</th><th scope="col" class="n">Waiting</th>
<th scope="col" class="n">Under way</th><th scope="col" class="n">Later</th><th scope="col" class="n">Oldest</th><td></td></tr>`;
  const body = html`<h1>Queues</h1><p>The rows of Postgres are the queue. Counts stop after the rows that one look reads, and then end with +.</p>
${table('The queues', head, rows)}<h2>Processes</h2>${look.isMixed ? MIXED : undefined}${workersTable(look.workers)}`;
  return page({ title: 'Queues', body, options });
}

/** The page of one queue: how much waits, in which workspaces, and what comes next. */
export function queuePage(name: QueueName, view: QueueView & { look: RowsLook }, options: PageOptions): string {
  const [id, at, lost] = COLUMNS[name];
  const workspaces = view.workspaces.map(
    (one) =>
      html`<tr><td>${workspaceLink(one.workspaceId, one.name, options)}</td><td class="n">${one.count}</td></tr>`,
  );
  const rows = view.rows.map(
    (row) => html`<tr><td>${rowLink(row, options)}</td><td>${timeOf(row.at)}</td><td>${endpointLink(row, options)}</td>
<td>${workspaceLink(row.workspaceId, '', options)}</td><td class="n">${row.lost}</td><td>${row.holder ?? ''}</td></tr>`,
  );
  const head = html`<tr><th scope="col">${id}</th><th scope="col">${at}</th><th scope="col">Endpoint</th>
<th scope="col">Workspace</th><th scope="col" class="n">${lost}</th><th scope="col">Holder</th></tr>`;
  const body = html`<h1>${name}</h1><p>${ABOUT[name]}</p>
<p>${inWords(view, stateOf(name, view.look))}</p>${formOf(name, view.look, options)}
<h2>Workspaces with most</h2>${table(
    'The workspaces with most',
    html`<tr><th scope="col">Workspace</th><th scope="col" class="n">Rows</th></tr>`,
    workspaces,
  )}
<h2>The next rows</h2>${table('The next rows', head, rows)}`;
  return page({ title: name, current: name, body, options });
}

/** The page that is shown if Postgres does not answer in time. */
export function faultPage(options: PageOptions): string {
  const body = html`<h1>Queues</h1><p role="alert">Postgres did not answer in time. Load the page again.</p>`;
  return page({ title: 'Queues', body, options });
}

function workersTable(workers: readonly ShownWorker[]): Html {
  const rows = workers.map(
    (one) => html`<tr><td><code>${one.id.slice(0, 8)}</code></td><td>${one.role}</td><td>${one.queue}</td>
<td>${one.version}</td><td>${timeOf(one.startedAt)}</td><td class="n">${ageOf(one.silentSeconds)}</td><td>${hears(one)}</td>
<td class="n">${one.slotCount === 0 ? '' : `${one.freeSlots} of ${one.slotCount}`}</td><td class="n">${one.slowEndpoints}</td></tr>`,
  );
  const head = html`<tr><th scope="col">Process</th><th scope="col">Role</th><th scope="col">Queues in</th><th scope="col">Version</th><th scope="col">Started</th>
<th scope="col" class="n">Seen before</th><th scope="col">Hears messages</th><th scope="col" class="n">Free slots</th>
<th scope="col" class="n">Slow endpoints</th></tr>`;
  return table('The processes', head, rows);
}

/** One with its queues in Redis hears what is sent there. */
function hears({ queue, hasBus }: ShownWorker): string {
  return queue === 'redis' ? '' : hasBus ? 'yes' : 'no';
}

/** A table that scrolls by itself where the window is narrow, and can be reached with the keyboard for that. */
function table(label: string, head: Html, rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`;
  return html`<div class="scrolls" role="region" aria-label="${label}" tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`;
}

/** Undefined for a queue that cannot be paused, and so has no state. */
function stateOf(name: QueueName, { paused }: RowsLook): 'paused' | 'running' | undefined {
  if (!isPausable(name)) return undefined;
  return paused.includes(name) ? 'paused' : 'running';
}

const isPausable = (name: QueueName): name is RowQueue => ROW_QUEUES.some((queue) => queue === name);

function formOf(name: QueueName, look: RowsLook, { write }: PageOptions): Html | undefined {
  if (!write || !isPausable(name)) return undefined;
  const action = stateOf(name, look) === 'paused' ? 'resume' : 'pause';
  const label = action === 'pause' ? 'Pause' : 'Resume';
  return html`<form method="post" action="${action}-${name}"><button aria-label="${label} ${name}">${label}</button></form>`;
}

function inWords({ waiting, underWay, later, isCut, oldestSeconds }: Counts, state?: string): string {
  const oldest = oldestSeconds === null ? '' : `, the oldest for ${ageOf(oldestSeconds)}`;
  const others = later === 0 ? '' : `, ${count(later, isCut)} due later`;
  return `${state === undefined ? '' : `${state}, `}${count(waiting, isCut)} waiting${oldest}, ${underWay} under way${others}.`;
}

function count(number: number, isCut: boolean): string {
  return isCut ? `${number}+` : `${number}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function ageOf(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < MINUTE) return `${Math.max(0, seconds).toFixed(1)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / DAY)} days`;
}

function timeOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

function rowLink({ kind, id, workspaceId }: ShownRow, options: PageOptions): Html {
  if (kind === 'probe') return html`<code>${id.slice(0, 8)}</code>`;
  return link(workspaceId, toId(kind === 'event' ? 'msg' : 'dlv', id), options);
}

function endpointLink({ workspaceId, endpointId }: ShownRow, options: PageOptions): Html | undefined {
  return endpointId === null ? undefined : link(workspaceId, toId('ep', endpointId), options);
}

/** The dashboard finds a delivery, an event or an endpoint by its id alone. */
function link(workspaceId: string, id: string, { dashboardUrl }: PageOptions): Html {
  if (dashboardUrl === undefined) return html`<code>${id}</code>`;
  return html`<a href="${new URL(`/w/${toId('ws', workspaceId)}/~/${id}`, dashboardUrl).href}"><code>${id}</code></a>`;
}

/** Isolates the name with `<bdi>`: a person chose it, and it must not change the direction of the text beside it. */
function workspaceLink(workspaceId: string, name: string, { dashboardUrl }: PageOptions): Html {
  const id = toId('ws', workspaceId);
  const shown = name === '' ? html`<code>${id}</code>` : html`<bdi>${name}</bdi>`;
  return dashboardUrl === undefined ? shown : html`<a href="${new URL(`/w/${id}`, dashboardUrl).href}">${shown}</a>`;
}

type Page = { title: string; current?: QueueName; body: Html; options: PageOptions };

function page({ title, current, body, options }: Page): string {
  const at = (name: QueueName | undefined) => (name === current ? html` aria-current="page"` : undefined);
  const links = QUEUE_NAMES.map((name) => html`<a href="${name}"${at(name)}>${name}</a>`);
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Posthorn</title><link rel="stylesheet" href="board.css"></head><body>
<header><nav aria-label="Queues"><a href="."${at(undefined)}>Queues</a>${links}</nav></header>
<main>${body}<footer>${timeOf(options.now)} UTC by Postgres’ clock. Load the page again for newer figures.</footer></main></body></html>`
    .text;
}
