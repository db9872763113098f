import { isDeepStrictEqual } from 'node:util';

/** The timers of the client and the server may differ by this much. */
const CLOCK_MS = 50;
const BATCH_BYTES = 1024 * 1024;

/** The differences from the case's `expect`, as sentences. Empty if the library did everything right. */
export function findFaults({ client = {}, environment = {}, expect }, requests, outcome) {
  const secrets = [
    client.token,
    client.apiKey,
    client.pullKey,
    environment.POSTHORN_TOKEN,
    environment.POSTHORN_API_KEY,
  ];
  return [
    ...requestFaults(expect, requests),
    ...waitFaults(expect.waits ?? [], requests),
    ...outcomeFaults(expect, outcome),
    ...secrets
      .filter((secret) => typeof secret === 'string' && secret.length > 8)
      .filter((secret) => JSON.stringify(outcome.error ?? null).includes(secret))
      .map(() => 'the error shows a credential'),
  ];
}

function requestFaults(expect, requests) {
  const wanted = expect.requests;
  if (requests.length !== wanted.length) {
    const seen = requests.map(({ method, url }) => `${method} ${url.pathname}`).join(', ');
    return [`${wanted.length} requests were expected, ${requests.length} came: ${seen}`];
  }
  const faults = wanted.flatMap((one, n) => oneRequest(one, requests[n]).map((fault) => `request ${n + 1}: ${fault}`));
  for (const name of expect.sameHeaders ?? []) {
    const values = new Set(requests.map(({ headers }) => headers[name]));
    if (values.size !== 1) faults.push(`the header ${name} differs between the requests: ${[...values].join(', ')}`);
  }
  return faults;
}

function oneRequest(wanted, { method, url, rawPath, headers, body }) {
  const faults = [];
  const check = (what, is, should) => {
    if (!fits(is, should)) faults.push(`${what} is ${show(is)}, not ${show(should)}`);
  };
  if (wanted.method !== undefined) check('the method', method, wanted.method);
  if (wanted.path !== undefined) check('the path', rawPath, wanted.path);
  if (wanted.path !== undefined) check('the query', Object.fromEntries(url.searchParams), wanted.query ?? {});
  for (const [name, value] of Object.entries(wanted.headers ?? {})) check(`the header ${name}`, headers[name], value);
  const text = body?.toString() ?? '';
  if (wanted.json !== undefined) check('the body', parse(text), wanted.json);
  if (wanted.text !== undefined) check('the body', text, wanted.text);
  if (wanted.base64 !== undefined) check('the body', body?.toString('base64'), wanted.base64);
  if (wanted.batch !== undefined) {
    const { first, count } = wanted.batch;
    const numbers = parse(text)?.events?.map(({ data }) => data.n);
    check(
      'the numbers of the events',
      numbers,
      Array.from({ length: count }, (_, n) => first + n),
    );
    if (body.length > BATCH_BYTES && count > 1) faults.push(`the body has ${body.length} bytes`);
  }
  return faults;
}

function waitFaults(waits, requests) {
  return waits.flatMap(({ leastMs = 0, mostMs }, n) => {
    const [before, after] = [requests[n], requests[n + 1]];
    if (before?.answeredAt === undefined || after === undefined) return [`there was no pause ${n + 1}`];
    const ms = Math.round(after.at - before.answeredAt);
    if (ms < leastMs - CLOCK_MS) return [`pause ${n + 1} was ${ms} ms, at least ${leastMs} were expected`];
    if (ms > mostMs) return [`pause ${n + 1} was ${ms} ms, at most ${mostMs} were expected`];
    return [];
  });
}

/** The differences from the expected result or error, as sentences. */
export function outcomeFaults(expect, outcome) {
  if (expect.error !== undefined) {
    if (outcome.error === undefined) return [`an error was expected, the result was ${show(outcome.result)}`];
    return contains(outcome.error, expect.error)
      ? []
      : [`the error is ${show(outcome.error)}, not ${show(expect.error)}`];
  }
  if (outcome.error !== undefined) return [`the call failed: ${show(outcome.error)}`];
  if (expect.resultBatch !== undefined) {
    const ids = outcome.result?.map(({ id }) => id);
    const wanted = Array.from({ length: expect.resultBatch.count }, (_, n) => `msg_${n}`);
    return isDeepStrictEqual(ids, wanted) ? [] : [`the results are ${show(ids)}`];
  }
  if (expect.result === undefined) return [];
  return contains(outcome.result ?? null, expect.result)
    ? []
    : [`the result is ${show(outcome.result)}, not ${show(expect.result)}`];
}

/** Whether the value equals the expected one, or fits `{matches: "a regular expression"}` or `{absent: true}`. */
function fits(is, should) {
  if (typeof should?.matches === 'string') return typeof is === 'string' && new RegExp(should.matches).test(is);
  if (should?.absent === true) return is === undefined;
  return isDeepStrictEqual(is, should);
}

/** Whether everything that is expected is there; objects may have more fields. */
function contains(is, should) {
  if (typeof should?.matches === 'string') return fits(is, should);
  if (Array.isArray(should)) {
    return Array.isArray(is) && is.length === should.length && should.every((one, n) => contains(is[n], one));
  }
  if (should === null || typeof should !== 'object') return isDeepStrictEqual(is ?? null, should);
  return Object.entries(should).every(([name, value]) => contains(is?.[name], value));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(value) {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
