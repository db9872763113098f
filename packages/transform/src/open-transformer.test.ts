import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openTransformer, type Program, type TransformEvent } from './open-transformer.ts';

const transformer = openTransformer();
afterAll(() => transformer.close());

const EVENT: TransformEvent = {
  id: 'msg_1',
  type: 'order.created',
  createdAt: '2026-11-26T00:00:00.000Z',
  applicationId: 'app_1',
  contentType: 'application/json',
  body: '{"total":3}',
  endpoint: { id: 'ep_1', metadata: { team: 'a' } },
};
const OWNER = { ownerId: 'usr', workspaceId: 'ws' };

/** Tries again while the transformer is busy, as the dispatcher does: a new interpreter may take long to start. */
async function attempt(code: string, given: Partial<Omit<Program, 'code'>> = {}) {
  const program = { event: EVENT, allows: { headers: true, path: true }, ...given, code };
  return waitFor(
    async () => {
      const tried = await transformer.attempt(OWNER, program);
      return 'kind' in tried ? undefined : tried;
    },
    { what: 'a free interpreter' },
  );
}
const outcomeOf = async (code: string, given: Partial<Omit<Program, 'code'>> = {}) =>
  (await attempt(code, given)).outcome;
/** The value of an expression inside the transformation's code. */
async function seenAs(expression: string) {
  const outcome = await outcomeOf(`function transform(event) { return { data: ${expression} }; }`);
  return outcome.kind === 'made' ? JSON.parse(outcome.body.toString()) : outcome;
}

describe('what a transformation may return', () => {
  test('data is sent as JSON, and the code sees the whole event', async () => {
    expect(await seenAs('event')).toEqual({ ...EVENT, data: { total: 3 } });
    expect(await outcomeOf('const transform = ({ data }) => ({ data })')).toMatchObject({
      kind: 'made',
      body: Buffer.from('{"total":3}'),
      contentType: 'application/json',
      headers: {},
      path: null,
    });
  });

  test('a text is sent as it is, with its content type or the one of the event', async () => {
    const body = 'a\u0000\u00e9\u{1f600}';
    const code = `function transform() { return { body: ${JSON.stringify(body)}, contentType: 'text/plain' }; }`;
    expect(await outcomeOf(code)).toMatchObject({ body: Buffer.from(body), contentType: 'text/plain' });
    expect(await outcomeOf('function transform(event) { return { body: event.body }; }')).toMatchObject({
      body: Buffer.from('{"total":3}'),
      contentType: 'application/json',
    });
  });

  test('headers and a path may be added, and an event may be cancelled', async () => {
    const code = `function transform() { return { data: 1, headers: { 'X-A': 'b' }, path: '/orders/1' }; }`;
    expect(await outcomeOf(code)).toMatchObject({ kind: 'made', headers: { 'X-A': 'b' }, path: '/orders/1' });
    expect(await outcomeOf(`function transform() { return { cancel: 'a test' }; }`)).toEqual({
      kind: 'cancelled',
      reason: 'a test',
    });
  });

  describe('a number that a 64-bit float would round keeps its digits', () => {
    const body =
      '{"id":9007199254740993,"items":[{"id":1234567890123456789},{"id":1234567890123456790}],"rate":0.12345678901234567891,"far":1e400,"text":"9007199254740993","near":1.50}';
    const made = async (code: string, given = body) => {
      const outcome = await outcomeOf(code, { event: { ...EVENT, body: given } });
      return outcome.kind === 'made' ? outcome.body.toString() : outcome;
    };

    test('where the code leaves it', async () => {
      const written = body.replace('1.50', '1.5');
      expect(await made('const transform = ({ data }) => ({ data })')).toBe(written);
      expect(await made('const transform = ({ data }) => ({ data })', `\ufeff${body}`)).toBe(written);
      expect(await made('const transform = ({ data }) => { data.near = 2; return { data }; }')).toBe(
        written.replace('1.5}', '2}'),
      );
      expect(await made('const transform = ({ data }) => ({ data })', '9007199254740993')).toBe('9007199254740993');
      expect(await made('const transform = (event) => ({ body: event.body })')).toBe(body);
    });

    test('where the code copies it, if no other number is rounded to the same value', async () => {
      expect(await made('const transform = ({ data }) => ({ data: { order: data.id, items: data.items } })')).toBe(
        '{"order":9007199254740993,"items":[{"id":1234567890123456789},{"id":1234567890123456790}]}',
      );
      const filter = 'const transform = ({ data }) => ({ data: data.items.slice(1) })';
      expect(await made(filter)).toBe('[{"id":1234567890123456790}]');
      const copy = 'const transform = ({ data }) => ({ data: { ...data } })';
      expect(await made(copy, '{"id":9007199254740993,"a":1e-400}')).toBe('{"id":9007199254740993,"a":0}');
    });

    test('but not where the code reckons with it, or copies one of several', async () => {
      expect(await made('const transform = ({ data }) => ({ data: data.id - 2 })')).toBe('9007199254740990');
      expect(await made('const transform = ({ data }) => { data.id += 2; return { data: { id: data.id } }; }')).toBe(
        '{"id":9007199254740994}',
      );
      const copies = 'const transform = ({ data }) => ({ data: data.map(({ id }) => ({ id })) })';
      expect(await made(copies, '[{"id":1234567890123456789},{"id":1234567890123456790}]')).toBe(
        '[{"id":1234567890123456800},{"id":1234567890123456800}]',
      );
      // One of the two numbers is exact in JavaScript, and must stay as it is.
      expect(await made(copies, '[{"id":9007199254740992},{"id":9007199254740993}]')).toBe(
        '[{"id":9007199254740992},{"id":9007199254740992}]',
      );
      const numbers = 'const transform = () => ({ data: { a: 0, b: 1 / 0, c: 9007199254740992 } })';
      expect(await made(numbers, '[1e-400,1e400,9007199254740993,9007199254740992]')).toBe(
        '{"a":0,"b":null,"c":9007199254740992}',
      );
    });

    test('whatever the code does to the built-in functions, and whatever texts the payload has', async () => {
      const hostile = `Reflect.set = (holder, key, text) => { holder[key] = text + '}'; return true; };
        const transform = ({ data }) => ({ data });`;
      expect(JSON.parse(String(await made(hostile)))).toMatchObject({ id: 9007199254740992, text: '9007199254740993' });
      const frozen = 'const transform = ({ data }) => ({ data: { all: Object.freeze(data.items[0]) } })';
      expect(await made(frozen)).toBe('{"all":{"id":1234567890123456800}}');
      const broken = '{"id":01234567890123456789}';
      expect(await made('const transform = ({ data }) => ({ data: { data } })', broken)).toBe('{"data":null}');
      const unended = '["9007199254740993, 9007199254740993';
      expect(await made('const transform = ({ data }) => ({ data: { data } })', unended)).toBe('{"data":null}');
    });

    test('in a large payload, and in one that is nested deeply', async () => {
      const ids = Array.from({ length: 500 }, (_, index) => `{"id":${1234567890123456700n + BigInt(index)},"n":"abc"}`);
      const large = `[${ids.join(',')}]`;
      // More ids, or twice this depth, take nearly all of the 50 ms on a slow and busy machine.
      const deep = `${'['.repeat(1_200)}1234567890123456789${',1234567890123456790]'.repeat(1_200)}`;
      expect(await made('const transform = ({ data }) => ({ data: Array.isArray(data) })', deep)).toBe('true');
      expect((await made('const transform = ({ data }) => ({ data })', large)) === large).toBe(true);
    });
  });

  test('a payload that is not JSON has no data, and one that is not text no body', async () => {
    const bytes = { event: { ...EVENT, contentType: 'text/csv', body: 'a;b' } };
    expect(await outcomeOf('function transform(event) { return { data: event }; }', bytes)).toMatchObject({
      body: Buffer.from(JSON.stringify({ ...bytes.event, data: null })),
    });
    const none = { event: { ...EVENT, body: null } };
    const outcome = await outcomeOf('function transform(event) { return { data: event }; }', none);
    expect(outcome.kind === 'made' && JSON.parse(outcome.body.toString())).toMatchObject({ body: null, data: null });
  });

  test('a payload of JSON may begin with a byte order mark', async () => {
    const marked = { event: { ...EVENT, body: '\ufeff{"total":3}' } };
    const outcome = await outcomeOf('function transform(event) { return { data: event.data }; }', marked);
    expect(outcome).toMatchObject({ body: Buffer.from('{"total":3}') });
  });

  test.each([
    ['undefined', 'transform(event) must return an object'],
    ['[1]', 'transform(event) must return an object'],
    ['{}', 'The result must have one of data, body and cancel'],
    ['{ data: 1, cancel: "a" }', 'The result must have one of data, body and cancel'],
    ['{ data: 1, status: 3 }', 'The result must not have "status"'],
    ['{ data: undefined }', "The result's data must be a value that JSON has"],
    ['{ body: 3 }', "The result's body must be a string"],
    ['{ data: 1, contentType: "text/plain" }', 'The result may have contentType only with body'],
    ['{ cancel: "a", contentType: "text/plain" }', 'The result may have contentType only with body'],
    ['{ body: "", contentType: "a\\nb" }', "The result's contentType must be 1 to 255 printable ASCII characters"],
    ['{ data: 1, headers: { host: "a" } }', "The result's headers.host is a header that cannot be set"],
    ['{ data: 1, headers: { "webhook-id": "a" } }', "The result's headers.webhook-id is a header that cannot be set"],
    ['{ data: 1, headers: { a: "b\\r\\nc: d" } }', "The result's headers.a must be printable ASCII"],
    [
      '{ data: 1, headers: Object.fromEntries(Array.from("abcdefghijklmnopqrstu", (key) => [key, "1"])) }',
      "The result's headers must have at most 20 headers",
    ],
    ['{ data: 1, path: "//evil.example/../a" }', "The result's path must not have . or .. as a part"],
    [
      '{ data: 1, path: "@evil.example" }',
      "The result's path must begin with / and have at most 500 characters of a URL path",
    ],
    ['{ data: 1, path: "/a?b" }', "The result's path must begin with / and have at most 500 characters of a URL path"],
    ['{ cancel: "" }', "The result's cancel must not be empty"],
    ['{ data: "x".repeat(2 ** 20) }', 'The result must be at most 1 MiB'],
    ['Promise.resolve({ data: 1 })', 'transform(event) must not be async: it must return an object'],
  ])('%s is refused in words', async (result, message) => {
    expect(await outcomeOf(`function transform() { return ${result}; }`)).toMatchObject({ kind: 'failed', message });
  });

  test.each([
    '/%2e%2e%2f',
    '/a/%2e%2e/b',
    '/a/.%2E',
    '/%2e',
    '/a/..;x=1/b',
    '/a%2f..%2fb',
    '/a/..%5cb',
    '/%252e%252e%252fb',
    '/%25252e./b',
    '/a/%2e%2e%3bx/b',
    '/a/..',
  ])('the path %s is refused, because a server could read a part of it as . or ..', async (path) => {
    expect(await outcomeOf(`function transform() { return { data: 1, path: '${path}' }; }`)).toMatchObject({
      kind: 'failed',
      message: "The result's path must not have . or .. as a part",
    });
  });

  test.each(['/a..b/...', '/%2e%2ea', '/v1.2/a%2fb', '/a;..', '/%25'])('the path %s is taken', async (path) => {
    expect(await outcomeOf(`function transform() { return { data: 1, path: '${path}' }; }`)).toMatchObject({ path });
  });

  test('headers and a path are refused where the kind of endpoint has none', async () => {
    const allows = { headers: false, path: false };
    expect(await outcomeOf(`function transform() { return { data: 1, path: '/a' }; }`, { allows })).toMatchObject({
      message: 'The result must not have a path: this endpoint has no URL',
    });
    expect(await outcomeOf(`function transform() { return { data: 1, headers: {} }; }`, { allows })).toMatchObject({
      message: 'The result must not have headers: this endpoint sends none',
    });
    expect(await outcomeOf(`function transform() { return { cancel: 'a', headers: {} }; }`, { allows })).toMatchObject({
      message: 'The result must not have headers: this endpoint sends none',
    });
  });
});

describe('an endpoint with a password and a long URL', () => {
  const url = `https://receiver.test/${'a'.repeat(2_010)}?b=1`;
  const allows = { headers: true, path: true, url, hasAuthorization: true };

  test.each([
    [
      'headers: { Authorization: "a" }',
      'headers.Authorization must not be set: this endpoint has a password or OAuth 2',
    ],
    ['path: "/234567890123"', 'path is too long: with it, the URL has more than 2,048 characters'],
  ])('cannot send all that the code wants, and the message says why: %s', async (part, message) => {
    expect(await outcomeOf(`function transform() { return { data: 1, ${part} }; }`, { allows })).toMatchObject({
      ...{ kind: 'failed', message: `The result's ${message}` },
    });
  });

  test('takes a path that just fits', async () => {
    const path = '/23456789012';
    expect(url.length + path.length).toBe(2_048);
    expect(await outcomeOf(`function transform() { return { data: 1, path: '${path}' }; }`, { allows })).toMatchObject({
      ...{ kind: 'made', path },
    });
  });
});

describe('faults have a place', () => {
  test('an error that is thrown has its line and column', async () => {
    expect(await outcomeOf('function transform(event) {\n  return { data: event.data.a.b };\n}')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('TypeError: '),
      line: 2,
      column: expect.any(Number),
    });
    expect(await outcomeOf('function transform() { throw "a"; }')).toMatchObject({ message: 'Uncaught a' });
  });

  test.each<[string, object]>([
    ['throw new Error("\\ud800a");', { kind: 'failed', message: 'Error: \ufffda' }],
    // `Error: ` and 246 emojis are 499 characters.
    ['throw new Error("😀".repeat(300));', { kind: 'failed', message: `Error: ${'😀'.repeat(246)}\ufffd` }],
    ['return { cancel: "\\ud800a" };', { kind: 'cancelled', reason: '\ufffda' }],
    [
      'return { data: 1, headers: { "\\ud800": "a" } };',
      { kind: 'failed', message: expect.stringContaining('headers.\ufffd ') },
    ],
  ])('half of a pair of surrogates, which could not be stored, is in no message: %s', async (code, outcome) => {
    const given = await outcomeOf(`function transform() { ${code} }`);
    expect(given).toMatchObject(outcome);
    expect(JSON.stringify(given)).not.toMatch(/\\ud8/);
  });

  test('code that does not compile, or has no transform, is found by the check', async () => {
    expect(await transformer.check(OWNER, 'function transform(event) {\n  return {;\n}')).toMatchObject({
      message: expect.stringContaining('SyntaxError: '),
      line: 2,
    });
    expect(await transformer.check(OWNER, 'const a = 1;')).toMatchObject({
      message: 'The code must have a function transform(event)',
    });
    expect(await transformer.check(OWNER, 'import fs from "fs"; function transform() {}')).toMatchObject({ line: 1 });
    expect(await transformer.check(OWNER, 'function transform() {}')).toBeUndefined();
  });

  test('the first 50 lines of console.log are kept, each with at most 1,000 characters', async () => {
    const code = `function transform() {
      console.log('a', { b: 1 }, undefined);
      for (let i = 0; i < 100; i += 1) console.log('x'.repeat(2000));
      throw new Error('after the logs');
    }`;
    const { logs } = await attempt(code);
    expect(logs).toEqual(['a {"b":1} undefined', ...Array(49).fill('x'.repeat(1000))]);
  });
});

describe('the sandbox', () => {
  test.each([
    'process',
    'require',
    'module',
    'Buffer',
    'fetch',
    'XMLHttpRequest',
    'setTimeout',
    'queueMicrotask',
    'Worker',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'Date',
    'performance',
    'crypto',
    'Math.random',
    'Intl',
    'Deno',
    'Bun',
    'std',
    'os',
    'parentPort',
  ])('has no %s', async (name) => {
    expect(await seenAs(`typeof ${name}`)).toBe('undefined');
  });

  test('has exactly these globals', async () => {
    const names = await seenAs('Object.getOwnPropertyNames(globalThis).sort()');
    expect(names.join(' ')).toBe(
      'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Error EvalError Float16Array ' +
        'Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN ' +
        'Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError ' +
        'Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet console decodeURI decodeURIComponent encodeURI ' +
        'encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt transform undefined unescape',
    );
  });

  test.each([
    ['the constructor of the event', 'event.constructor.constructor("return typeof process")()'],
    ['the constructor of a function', '(() => {}).constructor("return typeof process + typeof require")()'],
    ['the constructor of console.log', 'console.log.constructor("return typeof process")()'],
    ['an async function', 'Object.getPrototypeOf(async () => {}).constructor("return typeof process").name'],
    ['a generator', 'Object.getPrototypeOf(function* () {}).constructor("yield typeof process")().next().value'],
    ['an async generator', 'Object.getPrototypeOf(async function* () {}).constructor("yield typeof process").name'],
    ['Reflect', 'Reflect.construct(Function, ["return typeof process"])()'],
    ['the prototype of the event', 'event.__proto__.constructor.constructor("return typeof globalThis.process")()'],
    ['a getter that is called on the event', '({ get a() { return typeof this.process; } }).a'],
    ['indirect eval', '(0, eval)("typeof process")'],
    ['this of a plain function', '(function () { return typeof this.process; })()'],
    [
      'an error object',
      '(() => { try { null.a } catch (error) { return error.constructor.constructor("return typeof process")() } })()',
    ],
    ['the stack of an error', 'String(new Error("a").stack).includes("/") + "undefined"'],
    [
      'a stack overflow',
      '(() => { const f = () => f(); try { f() } catch (error) { return error.constructor.constructor("return typeof process")() } })()',
    ],
  ])('%s leads to nothing of the host', async (_name, expression) => {
    expect(JSON.stringify(await seenAs(expression))).toMatch(/^"(undefined)+"$|^"anonymous"$|^"falseundefined"$/);
  });

  test('what a run leaves behind is not there in the next: prototypes, globals, intrinsics', async () => {
    await outcomeOf(`Object.prototype.leak = 1; globalThis.leak = 2; JSON.stringify = () => '{}'; Array.prototype.map = null;
      function transform() { globalThis.late = 3; return { data: 1 }; }`);
    expect(await seenAs('[typeof leak, typeof late, typeof {}.leak, [1].map(String)]')).toEqual([
      'undefined',
      'undefined',
      'undefined',
      ['1'],
    ]);
  });

  test('memory that a run gets has nothing of other runs in it, and typed arrays end where they end', async () => {
    await outcomeOf('const secret = "secret".repeat(5e5); function transform() { return { data: secret.length }; }');
    expect(await seenAs('new BigUint64Array(2e4).findIndex((number) => number !== 0n)')).toBe(-1);
    expect(await seenAs('[-1, 8, 2 ** 32].map((index) => typeof new Uint8Array(8)[index])')).toEqual(
      Array(3).fill('undefined'),
    );
    expect(await outcomeOf('function transform() { new DataView(new ArrayBuffer(8)).getInt32(5); }')).toMatchObject({
      message: expect.stringContaining('RangeError'),
    });
  });

  test.each([
    [
      'a getter on the event',
      `Object.defineProperty(event, 'id', { get() { return 'other'; } }); return { data: event.id };`,
    ],
    ['a getter on the result', `return { get data() { return 'other'; } };`],
    ['toJSON', `return { data: { toJSON() { return 'other'; } } };`],
    ['a proxy as result', `return new Proxy({ data: 'other' }, {});`],
  ])('%s changes only its own result', async (_name, code) => {
    expect(await outcomeOf(`function transform(event) { ${code} }`)).toMatchObject({ body: Buffer.from('"other"') });
  });

  test('intrinsics that the code overwrites make at most its own result unreadable', async () => {
    for (const code of [
      `Array.prototype.includes = () => { throw new Error('a') }; function transform() { return { data: 1 } }`,
      `Object.prototype.toJSON = () => 'x'; function transform() { return { data: 1 } }`,
      `String.prototype.slice = () => ({}); function transform() { throw { get message() { throw 1 } } }`,
      `function transform() { throw new Proxy({}, { get() { for (;;); } }) }`,
      `Error.prepareStackTrace = () => { for (;;); }; function transform() { throw new Error('a') }`,
    ]) {
      expect(await outcomeOf(code)).toMatchObject({ kind: 'failed' });
    }
  });

  test('promise jobs are never run, and import() finds no module', async () => {
    const code = `let ran = false; function transform() {
      (function again() { Promise.resolve().then(() => { ran = true; again(); }); })();
      import('fs').then(() => { ran = true; }, () => { ran = true; });
      return { data: ran };
    }`;
    expect(await outcomeOf(code)).toMatchObject({ body: Buffer.from('false') });
  });

  test.each([
    ['a loop', 'for (;;);'],
    ['a labelled loop', 'a: for (;;) { for (;;) continue a; }'],
    ['a loop that catches everything', 'for (;;) { try { for (;;); } catch {} finally { continue } }'],
    ['a generator', 'function* g() { for (;;) yield 1; } for (const _ of g());'],
    ['a regular expression', '/(a+)+$/.test("a".repeat(40) + "b");'],
    ['sorting', 'new Array(1e6).fill(0).map((_, i) => -i).sort((a, b) => a - b);'],
    ['proxies', 'let p = {}; for (;;) p = new Proxy(p, {});'],
    ['a loop left by its label', 'a: do { try { continue a; } finally { continue a; } } while (true);'],
    ['a getter on the event', 'Object.defineProperty(event, "id", { get() { for (;;); } }); event.id;'],
    ['a getter on the result', 'return { get data() { for (;;); } };'],
    ['toJSON', 'return { data: { toJSON() { for (;;); } } };'],
    ['a trap of a proxy as result', 'return new Proxy({}, { ownKeys() { for (;;); } });'],
    [
      'a getter on an error that is thrown',
      'throw Object.defineProperty(new Error(), "message", { get() { for (;;); } });',
    ],
    ['an async function', '(async () => { for (;;); })();'],
    ['an async generator', '(async function* () { for (;;); })().next();'],
    ['a species', '(new (class extends Array { static get [Symbol.species]() { for (;;); } })(1)).map(String);'],
    ['a regular expression that looks behind', '"a".repeat(60).replace(/(?<=(a|aa)+)b|(a*)*c/g, "");'],
    ['sorting a typed array', 'new Float64Array(1e6).sort(() => 0);'],
  ])('%s ends after 50 ms of computing', async (_name, code) => {
    const { outcome, durationMs } = await attempt(`function transform(event) { ${code} return { data: 1 }; }`);
    expect(outcome).toMatchObject({ kind: 'failed', message: 'The code computed for more than 50 ms' });
    expect(durationMs).toBeGreaterThan(50);
  });

  test('a loop before the function ends, too', async () => {
    expect(await transformer.check(OWNER, 'for (;;);\nfunction transform() {}')).toMatchObject({
      message: 'The code computed for more than 50 ms',
      line: 1,
    });
  });

  test.each([
    ['a search in an object without end', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'],
    ['joining nothing, four billion times', 'new Array(4294967295).join("");'],
    ['a search in a long text', 'const t = "a".repeat(4e6); t.indexOf("a".repeat(2e6) + "b");'],
    ['a number with many digits', '(7n ** 400000n).toString();'],
    ['JSON without end', 'let a = []; for (let i = 0; i < 50000; i += 1) a = [a]; JSON.stringify(a);'],
  ])('%s is ended, and the next run goes on', async (_name, code) => {
    expect(await outcomeOf(`function transform() { ${code} return { data: 1 }; }`)).toMatchObject({ kind: 'failed' });
    expect(await seenAs('1')).toBe(1);
  });

  test.each([
    ['arrays', 'const a = []; for (;;) a.push(new Array(1000).fill(1));'],
    ['a text', 'let s = "a"; for (;;) s += s;'],
    ['a full array of the greatest length', 'new Array(2 ** 32 - 1).fill(0);'],
    ['a typed array', 'new Uint8Array(1e9);'],
    ['a typed array beyond all memory', 'new Uint8Array(2 ** 40);'],
    ['a buffer that grows', 'new ArrayBuffer(8, { maxByteLength: 2 ** 30 }).resize(2 ** 29);'],
    ['a repeated text', '"x".repeat(1e9);'],
    ['recursion', '(function f() { return f() + 1; })();'],
    ['recursion of a generator', '(function* g() { yield* g(); })().next();'],
    ['recursion through a getter', '({ get a() { return this.a; } }).a;'],
    ['nested code', 'eval("(".repeat(100000));'],
    ['nested JSON', 'JSON.parse("[".repeat(500000));'],
    ['a nested regular expression', 'new RegExp("(?:".repeat(30000) + ")".repeat(30000));'],
  ])('memory is bounded: %s', async (_name, code) => {
    expect(await outcomeOf(`function transform() { ${code} return { data: 1 }; }`)).toMatchObject({ kind: 'failed' });
    expect(await seenAs('1')).toBe(1);
  });
});

const PLAIN = { event: EVENT, allows: { headers: true, path: true } };

/** The niceness of a thread; undefined if it has ended. */
function nicenessOf(task: string): number | undefined {
  try {
    return getPriority(Number(task));
  } catch {
    return undefined;
  }
}

describe('turns', () => {
  test('code that never stops does not hold up code of others that is quick', async () => {
    const hostile = { event: EVENT, allows: { headers: true, path: true }, code: 'function transform() { for (;;); }' };
    const fair = { ...hostile, code: 'function transform(event) { return { data: event.data }; }' };
    const hogs = Array.from({ length: 20 }, (_, index) => ({
      ownerId: `h${index}`,
      workspaceId: `h${index}`,
      endpointId: `h${index}`,
    }));
    const known = { ...OWNER, endpointId: 'fair' };
    expect(await transformer.transform(known, fair)).toMatchObject({ kind: 'made' });
    const waiting = Promise.all(hogs.map((hog) => transformer.transform(hog, hostile)));
    const ended: string[] = [];
    void waiting.then(() => ended.push('hostile'));
    for (let run = 0; run < 20; run += 1) {
      expect(await transformer.transform(known, fair)).toMatchObject({ kind: 'made' });
    }
    ended.push('fair');
    await waiting;
    expect(ended).toEqual(['fair', 'hostile']);
  });

  test('code that breaks its interpreter does not hold up code of others that was quick before', async () => {
    const allows = { headers: true, path: true };
    const code = 'function transform() { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }';
    const fair = { event: EVENT, allows, code: 'function transform(event) { return { data: event.data }; }' };
    const owner = { ...OWNER, endpointId: 'proven' };
    expect(await transformer.transform(owner, fair)).toMatchObject({ kind: 'made' });
    const ended: string[] = [];
    const waiting = Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const hog = { ownerId: `i${index}`, workspaceId: `i${index}`, endpointId: `i${index}` };
        await transformer.transform(hog, { event: EVENT, allows, code });
      }),
    ).then(() => ended.push('hostile'));
    for (let run = 0; run < 20; run += 1) {
      expect(await transformer.transform(owner, fair)).toMatchObject({ kind: 'made' });
    }
    ended.push('fair');
    await waiting;
    expect(ended).toEqual(['fair', 'hostile']);
  });

  const isLinux = process.platform === 'linux';
  (isLinux ? test : test.skip)('on Linux, threads for code that may not end come after the process', async () => {
    const other = openTransformer();
    const before = new Set(readdirSync('/proc/self/task'));
    await other.transform(
      { ...OWNER, endpointId: 'ep_nice' },
      { ...PLAIN, code: 'function transform() { for (;;); }' },
    );
    const started = readdirSync('/proc/self/task').filter((task) => !before.has(task));
    // The trial lane and the slow lane.
    expect(started.filter((task) => nicenessOf(task) === 10).length).toBeGreaterThanOrEqual(2);
    await other.close();
  });

  test('more than waits may wait is busy, and nothing of it runs', async () => {
    const hostile = { event: EVENT, allows: { headers: true, path: true }, code: 'function transform() { for (;;); }' };
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => transformer.attempt(OWNER, hostile)));
    expect(outcomes.filter((outcome) => 'kind' in outcome).length).toBeGreaterThan(98);
  });

  test('each transformation of an event is told with how it went, and a try of its author is not', async () => {
    const told: string[] = [];
    const watched = openTransformer(({ result }) => told.push(result));
    const run = (body: string) =>
      watched.transform(
        { ...OWNER, endpointId: body },
        { event: EVENT, allows: { headers: true, path: true }, code: `function transform() { ${body} }` },
      );
    for (const body of ['return { data: 1 }', 'return { cancel: "a" }', 'throw 1', 'for (;;);', 'return 1']) {
      await run(body);
    }
    await watched.attempt(OWNER, { event: EVENT, allows: { headers: true, path: true }, code: '' });
    await watched.check(OWNER, '');
    await Promise.all(Array.from({ length: 300 }, () => run('return { data: 1 }')));
    expect(told.slice(0, 5)).toEqual(['made', 'cancelled', 'threw', 'limit', 'wrong_result']);
    expect(new Set(told.slice(5))).toEqual(new Set(['made', 'busy']));
    expect(told).toHaveLength(305);
    await watched.close();
  });

  test('a closed transformer rejects', async () => {
    const closed = openTransformer();
    await closed.close();
    await expect(closed.check(OWNER, '')).rejects.toThrow('closed');
  });
});
