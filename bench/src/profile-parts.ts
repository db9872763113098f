/** The fields of V8's CPU profile that are read here. Times are microseconds; the start is by the monotonic clock. */
export type CpuProfile = {
  nodes: readonly ProfileNode[];
  samples: readonly number[];
  timeDeltas: readonly number[];
  startTime: number;
};

type ProfileNode = {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: readonly number[];
};

/** A period of the monotonic clock of this machine, in microseconds. */
export type Window = { from: number; to: number };

/**
 * The microseconds of a window that the main thread spent in each part. A frame of a library counts for the part
 * of the library, with the frames of Node that it calls. Frames of Node without such a caller count for the part
 * that they serve.
 */
export function microsecondsByPart(profile: CpuProfile, { from, to }: Window): Map<string, number> {
  const parts = partOfNodes(profile.nodes);
  const seen = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    if (at < from || at > to) continue;
    const part = parts.get(id) ?? OTHER;
    seen.set(part, (seen.get(part) ?? 0) + delta);
  }
  return seen;
}

export const IDLE = 'idle';
const OTHER = 'other';

function partOfNodes(nodes: readonly ProfileNode[]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const visit = (node: ProfileNode, inherited: string | undefined) => {
    const part = partOf(node, inherited) ?? inherited;
    if (part !== undefined) parts.set(node.id, part);
    for (const child of node.children ?? []) {
      const found = byId.get(child);
      if (found !== undefined) visit(found, part);
    }
  };
  const root = nodes[0];
  if (root !== undefined) visit(root, undefined);
  return parts;
}

function partOf({ callFrame: { functionName, url } }: ProfileNode, inherited: string | undefined): string | undefined {
  const special = SPECIAL.get(functionName);
  if (special !== undefined) return special;
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library !== undefined) return LIBRARIES.find(([, names]) => names.test(library))?.[0] ?? 'other libraries';
  if (url.startsWith('node:')) return partOfNode(url, inherited);
  if (url.startsWith('wasm:')) return 'Prisma';
  const own = /\/((?:packages|services|bench)\/.*)$/.exec(url)?.[1];
  if (own === undefined) return undefined;
  return OWN_PARTS.find(([, places]) => places.test(own))?.[0] ?? /^\w+\/([\w-]+)/.exec(own)?.[1];
}

const SPECIAL = new Map([
  ['(idle)', IDLE],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'Node outside JavaScript'],
]);

/** Node's frames count for their caller, except sealing and signing, which are distinguished by the caller. */
function partOfNode(url: string, inherited: string | undefined): string | undefined {
  if (/crypto/.test(url) && inherited !== 'signature') return 'seal and crypto';
  if (inherited !== undefined && !NODES_OWN.has(inherited)) return undefined;
  return SERVED.find(([, places]) => places.test(url))?.[0] ?? NODE;
}

const NODE = 'Node: streams, timers, ticks';

const SERVED: readonly (readonly [string, RegExp])[] = [
  ['Express and HTTP server', /_http_server|_http_incoming/],
  ['got, HTTP client, TLS', /_http_client|_http_agent|_tls_|:tls|:https/],
];
const NODES_OWN = new Set([NODE, ...SERVED.map(([part]) => part)]);

const LIBRARIES: readonly (readonly [string, RegExp])[] = [
  [
    'Express and HTTP server',
    /^(express|router|body-parser|raw-body|helmet|qs|on-finished|send|finalhandler|parseurl|content-type|bytes|accepts|negotiator|etag|fresh|vary|depd|http-errors|iconv-lite|type-is|mime-types|ee-first|encodeurl|proxy-addr|path-to-regexp|is-promise|once|media-typer|content-disposition|debug)$/,
  ],
  ['zod', /^zod$/],
  ['Prisma', /^@prisma\//],
  ['pg driver', /^(pg|pg-.*|postgres-.*|split2|xtend)$/],
  [
    'BullMQ and ioredis',
    /^(bullmq|ioredis|@ioredis|msgpackr.*|redis-.*|cluster-key-slot|denque|cron-parser|lodash\..*|standard-as-callback)/,
  ],
  [
    'got, HTTP client, TLS',
    /^(got|@sindresorhus|@szmarczak|cacheable-.*|http2-wrapper|keyv|lowercase-keys|p-cancelable|responselike|form-data-encoder|decompress-response|get-stream|normalize-url|quick-lru|resolve-alpn|type-fest|byte-counter|chunk-data|uint8array-extras|keyv|http-cache-semantics|ipaddr\.js)/,
  ],
  [
    'logging',
    /^(winston|winston-transport|logform|triple-beam|readable-stream|safe-stable-stringify|async|@colors|@dabh|fecha|ms|stack-trace|string_decoder)/,
  ],
  ['metrics and traces', /^(prom-client|tdigest|bintrees|@opentelemetry)/],
  ['ids', /^(uuid|typeid-js)$/],
];

const OWN_PARTS: readonly (readonly [string, RegExp])[] = [
  ['Prisma', /^packages\/db\/dist\/generated/],
  ['signature', /^packages\/crypto\/dist\/webhook-signature/],
  ['seal and crypto', /^packages\/crypto/],
  ['ids', /^packages\/contract\/dist\/ids/],
  ['zod', /^packages\/contract/],
  ['logging', /^packages\/runtime\/dist\/logger|request-log/],
  ['metrics and traces', /^services\/\w+\/dist\/(metrics|gauges|trac)|^packages\/runtime\/dist\/(metric|trac)/],
  ['authentication', /^services\/api\/dist\/auth/],
  ['ingestion itself', /^services\/api\/dist\/ingest/],
  ['Express and HTTP server', /^services\/api\/dist\/http/],
  ['the rest of the API', /^services\/api/],
  ['got, HTTP client, TLS', /^services\/dispatcher\/dist\/send|^packages\/egress/],
  ['admission', /^services\/dispatcher\/dist\/admission/],
  ['fan-out itself', /^services\/dispatcher\/dist\/fan-out/],
  ['delivering itself', /^services\/dispatcher/],
  ['claim and settle', /^packages\/ledger/],
  ['BullMQ and ioredis', /^packages\/queue/],
  ['batches, caches, clock', /^packages\/runtime/],
  ['database client', /^packages\/db/],
  ['the bare pipeline itself', /^bench/],
];
