// The server that every library is tested against: `node sdks/conformance/server.mjs`. README.md describes the cases and
// the three requests with which a library's tests drive it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRun } from './calls.mjs';
import { findFaults } from './expectations.mjs';

const FILES = ['request', 'retry', 'paging', 'errors', 'limits', 'pull'];

const cases = new Map();
for (const file of FILES) {
  const { cases: read } = JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8'));
  for (const [n, one] of read.entries()) cases.set(`${file}/${n}`, { id: `${file}/${n}`, ...one });
}

/** The server and the requests of each running case, by the id of the case. */
const running = new Map();
/** The run of calls.json. */
let run;

const control = createServer(async (request, response) => {
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const [, id, action] = /^\/cases\/(\w+\/\d+)\/(begin|end)$/.exec(request.url) ?? [];
  const body = await readBody(request);
  if (request.method === 'GET' && request.url === '/cases') {
    answer(
      200,
      [...cases.values()].map(({ id, name, reason, needs = [] }) => ({ id, name, reason, needs })),
    );
  } else if (action === 'begin' && cases.has(id)) {
    answer(200, await begin(cases.get(id)));
  } else if (action === 'end' && running.has(id)) {
    answer(200, { faults: await end(id, JSON.parse(body.toString())) });
  } else if (request.method === 'POST' && request.url === '/calls/begin') {
    run = createRun(JSON.parse(body.toString()));
    answer(200, run.next());
  } else if (request.method === 'POST' && request.url === '/calls/next') {
    answer(200, run.next(JSON.parse(body.toString())));
  } else {
    answer(404, { error: 'no such case, or it does not run' });
  }
});

await listen(control);
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${control.address().port}` })}\n`);
// When the process of the tests ends, its end of stdin closes, and the server exits.
process.stdin.resume().on('end', () => process.exit());

async function begin(one) {
  const requests = [];
  let steps = [];
  const server = createServer((request, response) => respond(steps, requests, request, response));
  await listen(server);
  const origin = `http://127.0.0.1:${server.address().port}`;
  steps = fill(one.server, origin);
  if (steps === 'down') await close(server);
  running.set(one.id, { server, requests });
  const filled = fill({ client: one.client ?? {}, environment: one.environment ?? {}, call: one.call ?? null }, origin);
  if (filled.client.baseUrl === undefined && filled.environment.POSTHORN_BASE_URL === undefined) {
    filled.client.baseUrl = origin;
  }
  // In a case, `null` means an option that is left out.
  filled.client = Object.fromEntries(Object.entries(filled.client).filter(([, value]) => value !== null));
  if (filled.call?.events?.generate !== undefined) filled.call.events = generateEvents(filled.call.events.generate);
  return filled;
}

async function end(id, outcome) {
  const { server, requests } = running.get(id);
  running.delete(id);
  await close(server);
  return findFaults(cases.get(id), requests, outcome);
}

async function respond(steps, requests, request, response) {
  const seen = {
    method: request.method,
    url: new URL(request.url, 'http://case'),
    rawPath: request.url.split('?')[0],
    headers: request.headers,
    at: performance.now(),
    answeredAt: undefined,
  };
  const step = steps[requests.push(seen) - 1];
  try {
    seen.body = await readBody(request);
  } catch {
    return;
  }
  if (step === undefined) {
    response.writeHead(418).end('one request more than the case expects');
    return;
  }
  if (step.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  response.on('close', () => {
    seen.answeredAt = performance.now();
  });
  if (step.hang) return;
  if (step.reset) {
    request.socket.resetAndDestroy();
    return;
  }
  const content = contentOf(step, seen);
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name, headerOf(value)]),
  );
  if (step.json !== undefined || step.batch) headers['content-type'] ??= 'application/json';
  if (content.length > 0 && step.open === undefined) headers['content-length'] = content.length;
  response.writeHead(step.status ?? 200, headers);
  if (step.cutAfterBytes !== undefined) {
    response.write(content.subarray(0, step.cutAfterBytes), () => request.socket.destroy());
  } else if (step.msPerByte !== undefined) {
    for (const byte of content) {
      if (response.destroyed) return;
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setTimeout(resolve, step.msPerByte));
    }
    response.end();
  } else if (step.open) {
    response.write(content);
  } else {
    response.end(content);
  }
}

function contentOf(step, { body }) {
  if (step.batch) return Buffer.from(JSON.stringify({ results: JSON.parse(body).events.map(acceptEvent) }));
  if (step.json !== undefined) return Buffer.from(JSON.stringify(step.json));
  return Buffer.from(step.text ?? '');
}

function acceptEvent({ eventType, idempotencyKey, data }) {
  return { id: `msg_${data.n}`, eventType, idempotencyKey, published: true, duplicate: false };
}

/** Replaces `{{httpDateIn:2}}` with the HTTP date in 2 seconds from now. */
function headerOf(value) {
  const [, seconds] = /^\{\{httpDateIn:(\d+)\}\}$/.exec(value) ?? [];
  return seconds === undefined ? value : new Date(Date.now() + 1_000 * seconds).toUTCString();
}

function generateEvents({ count, dataBytes = 1 }) {
  return Array.from({ length: count }, (_, n) => ({
    eventType: 'order.paid',
    idempotencyKey: `key-${n}`,
    data: { n, fill: 'x'.repeat(dataBytes) },
  }));
}

/** Replaces `{{origin}}` with the origin of this case's server. */
function fill(value, origin) {
  return JSON.parse(JSON.stringify(value).replaceAll('{{origin}}', origin));
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function close(server) {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
