import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Posthorn } from '@posthorn/client';
import { fromId } from '@posthorn/contract/ids';
import { freePort } from '@posthorn/testkit/free-port';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { type CommandLine, type Ended, prepareCommandLine } from './posthorn.ts';

// Runs the example in the help of every command against a running Posthorn.

let stack: Services;
let line: CommandLine;
let posthorn: Posthorn;
/** The test of an endpoint from which nobody fetches. It waits for 20 s, while the other tests run. */
let unfetched: Promise<Ended>;
beforeAll(async () => {
  stack = await startServices({ settings: { RATE_LIMIT_MANAGEMENT: '0', MCP_EVENTS: 'true' } });
  posthorn = new Posthorn({ baseUrl: stack.api.url, token: stack.managementToken, apiKey: stack.apiKey });
  line = prepareCommandLine({
    POSTHORN_BASE_URL: stack.api.url,
    POSTHORN_TOKEN: stack.managementToken,
    POSTHORN_API_KEY: stack.apiKey,
    ...(await prepareWorkspace()),
  });
  writeFileSync(join(line.home, 'workspace.yaml'), 'version: 1\nenvironments: [{ slug: staging, name: Staging }]\n');
  const { id } = await posthorn.endpoints.create({ type: 'pull' });
  unfetched = line.shell(`posthorn endpoints test ${id}`).finally(() => posthorn.endpoints.delete(id));
}, 120_000);
afterAll(async () => {
  await unfetched;
  line?.remove();
  await stack?.stop();
});

/**
 * Exit codes other than 0: the receiver, the endpoint's address and the broker do not answer, and the recovery
 * has already ended.
 */
const CODES: Record<string, number> = {
  'posthorn check "$RECEIVER_URL" --secret "$RECEIVER_SECRET"': 5,
  'posthorn listen "$RECEIVER_URL" --types order.placed --once': 5,
  'posthorn endpoints test "$ENDPOINT_ID"': 5,
  'posthorn endpoints doctor "$ENDPOINT_ID"': 5,
  'posthorn sources test "$SOURCE_ID"': 5,
  'posthorn operations cancel "$OPERATION_ID"': 5,
  'posthorn operations pause "$OPERATION_ID"': 5,
  'posthorn operations resume "$OPERATION_ID"': 5,
};

test('the example of every command runs', async () => {
  const examples = await readExamples();
  expect(examples.length).toBeGreaterThanOrEqual(50);
  const results: Record<string, string> = {};
  for (const example of examples) {
    // These commands show what happens after they have connected. Without a pause, the senders would keep
    // them from connecting.
    const command = / (tail|listen) /.test(example)
      ? `${example} & tail=$!; while kill -0 $tail 2>/dev/null; do posthorn events send order.placed --application '*' >/dev/null; sleep 0.2; done; wait $tail`
      : example;
    const { code, stderr } = await line.shell(command);
    if (code !== (CODES[example] ?? 0)) results[example] = `${code}: ${stderr}`;
  }
  expect(results).toEqual({});
}, 600_000);

test('types --check passes until an event changes in a way that breaks receivers, and then says what', async () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: 'string' } } };
  const publishIn = [stack.environmentId];
  const { id } = await posthorn.eventTypes.create({ name: 'typed.event', publishIn, schema });
  const written = await line.shell('posthorn types --lang go --out typed.go && posthorn types --check typed.go');
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining('No change breaks')]);
  await posthorn.eventTypes.update(id, { schema: { type: 'object', properties: { id: { type: 'number' } } } });
  const { code, stderr } = await line.shell('posthorn types --check typed.go');
  expect(code).toBe(5);
  expect(stderr).toContain('typed.event /id: may now be missing; typed.event /id: may now be a number; was a string');
  expect(stderr).toContain('typed.event /note: is no longer described');
}, 60_000);

test.each([
  ['a file', '@bytes.bin'],
  ['stdin', '- < bytes.bin'],
])('events send with --content-type sends the bytes of %s as they are', async (_, body) => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0, 255, 128]);
  writeFileSync(join(line.home, 'bytes.bin'), bytes);
  const sent = await line.shell(
    `posthorn events send order.placed ${body} --application '*' --content-type application/octet-stream`,
  );
  const { payload } = await posthorn.events.get(JSON.parse(sent.stdout).id, { include: 'payload' });
  expect(payload).toMatchObject({ contentType: 'application/octet-stream', body: bytes.toString('base64') });
});

test.each([
  ['an API key', ''],
  ['a token alone', 'POSTHORN_API_KEY= '],
])('events send with %s sends every digit and every byte of the body', async (_, variables) => {
  const body = '{ "id": 12345678901234567890, "total": 1.10, "share": 0.10000000000000000001, "a": {"b":1,"b":2} }\n';
  writeFileSync(join(line.home, 'order.json'), body);
  const sent = await line.shell(`${variables}posthorn events send order.placed @order.json --application '*'`);
  const { payload } = await posthorn.events.get(JSON.parse(sent.stdout).id, { include: 'payload' });
  expect(payload?.body?.trim()).toBe(body.trim());
});

test.each([
  ['an API key sends it as it is', '', '\ufeff{"n":1}'],
  ['a token alone leaves the mark out', 'POSTHORN_API_KEY= ', '{"n":1}'],
])('events send takes JSON with a byte order mark: %s', async (_, variables, kept) => {
  writeFileSync(join(line.home, 'mark.json'), '\ufeff{"n":1}');
  const sent = await line.shell(`${variables}posthorn events send order.placed @mark.json --application '*'`);
  const { payload } = await posthorn.events.get(JSON.parse(sent.stdout).id, { include: 'payload' });
  expect(payload?.body).toBe(kept);
});

test('a filter with a number that would be rounded is refused, and nothing is created', async () => {
  const { code, stderr } = await line.shell(`posthorn listen 3000 --filter '{"id":12345678901234567890}'`);
  const message = '--filter has the number 12345678901234567890, which would be rounded: put it in quotes';
  expect([code, stderr]).toEqual([2, `posthorn: usage: ${message}\n`]);
});

test.each([
  ['an option', '--environment staging', {}],
  ['a variable', '', { POSTHORN_ENVIRONMENT: 'staging' }],
])('an event goes to the environment that %s names, and not to the one of the API key', async (_name, option, env) => {
  const send = `posthorn events send order.placed --application '*' ${option}`;
  const sent = await line.shell(send, { env });
  const { environmentId } = await posthorn.events.get(JSON.parse(sent.stdout).id);
  const environments = await posthorn.environments.list().toArray({ limit: 10 });
  expect(environments.find(({ id }) => id === environmentId)?.slug).toBe('staging');
  const bytes = await line.shell(`${send} --content-type text/plain`, { env });
  expect([bytes.code, bytes.stderr]).toEqual([2, expect.stringContaining('leave out --environment')]);
});

test('what --environment or POSTHORN_ENVIRONMENT names limits lists of operations, exports and alert rules', async () => {
  const listed = async (slug: string) => (await line.shell(`posthorn operations list --environment ${slug}`)).stdout;
  expect(await listed('production')).toContain('"op_');
  expect(await listed('staging')).toBe('');
  const env = { POSTHORN_ENVIRONMENT: 'staging' };
  expect((await line.shell('posthorn operations list', { env })).stdout).toBe('');
  const exported = (await line.shell('posthorn export', { env })).stdout;
  expect(exported).toContain('slug: staging');
  expect(exported).not.toContain('slug: production');
  const create =
    'posthorn alert-rules create Staging --channel slack --target https://127.0.0.1/hook --events posthorn.endpoint.failing';
  const rule = JSON.parse((await line.shell(create, { env })).stdout);
  const environments = await posthorn.environments.list().toArray({ limit: 10 });
  expect(environments.find(({ id }) => id === rule.environmentId)?.slug).toBe('staging');
});

test('events and deliveries are listed by a value of their payload', async () => {
  const searchKeys = [{ name: 'parcel_id', path: 'parcel.id' }];
  await posthorn.eventTypes.create({ name: 'parcel.sent', publishIn: [stack.environmentId], searchKeys });
  await posthorn.endpoints.create({ type: 'pull', eventTypes: ['parcel.sent'] });
  const send = (id: string) => posthorn.events.send('parcel.sent', { parcel: { id } }, { application: '*' });
  const { id } = await send('p_1002');
  await send('p_1003');
  const events = await line.shell('posthorn events list --search parcel_id:p_1002');
  expect(
    events.stdout
      .trim()
      .split('\n')
      .map((json) => JSON.parse(json).id),
  ).toEqual([id]);
  const found = async () => {
    const { stdout } = await line.shell('posthorn deliveries list --search p_1002');
    return stdout === '' ? undefined : stdout.trim().split('\n');
  };
  const deliveries = await waitFor(found, { what: 'the delivery' });
  expect(deliveries.map((json) => JSON.parse(json).eventId)).toEqual([id]);
});

test('a test of an endpoint waits as long as the service does', async () => {
  const { code, stderr } = await unfetched;
  expect([code, stderr]).toEqual([6, expect.stringContaining('posthorn: unavailable: ')]);
}, 90_000);

describe('output', () => {
  test('piped, a list is a line of JSON for each item', async () => {
    const { stdout } = await line.shell('posthorn event-types list');
    const names = stdout
      .trim()
      .split('\n')
      .map((json) => JSON.parse(json).name);
    expect(names).toContain('order.placed');
  });

  test('a table has a heading, and no colour where it is piped', async () => {
    const { stdout } = await line.shell('posthorn event-types list --output table');
    expect(stdout).toMatch(/^name +id +schema +description\n/);
    expect(stdout).not.toContain('\u001b');
  });

  test('YAML is a document for each item', async () => {
    const { stdout } = await line.shell('posthorn applications list --output yaml');
    expect(stdout).toMatch(/^---\nid: app_/);
  });

  test.each([
    ['with an API key', ''],
    ['with a token alone', 'POSTHORN_API_KEY= '],
  ])('an event that was sent is printed as YAML, %s', async (_, variables) => {
    const { stdout } = await line.shell(
      `${variables}posthorn events send order.placed '{}' --application '*' --output yaml`,
    );
    expect(stdout).toMatch(/^id: msg_/m);
  });

  test('a cell that is cut ends with a whole character', async () => {
    const name = `${'n'.repeat(58)}😀😀`;
    const { id } = await posthorn.applications.create({ name });
    const { stdout } = await line.shell('posthorn applications list --output table');
    await posthorn.applications.delete(id);
    expect(stdout).toContain(`${'n'.repeat(58)}…`);
  });

  test('a list that goes on behind the first 50 says so on stderr, unless the caller said how many', async () => {
    const many = Array.from({ length: 51 }, (_, n) => posthorn.applications.create({ name: `Many ${n}` }));
    const made = await Promise.all(many);
    const first = await line.shell('posthorn applications list --search Many');
    const named = await line.shell('posthorn applications list --search Many --limit 20');
    await posthorn.applications.delete(made[0]?.id ?? '');
    const whole = await line.shell('posthorn applications list --search Many');
    await Promise.all(made.slice(1).map(({ id }) => posthorn.applications.delete(id)));
    expect(first.stderr).toBe('These are the first 50, and there are more: add --all, or --limit <n>\n');
    expect([first, named, whole].map(({ stdout }) => stdout.trim().split('\n').length)).toEqual([50, 20, 50]);
    expect([named.stderr, whole.stderr]).toEqual(['', '']);
  });

  test('--quiet prints ids only', async () => {
    const { stdout } = await line.shell('posthorn endpoints list --quiet --limit 1');
    expect(stdout).toMatch(/^ep_[0-9a-z]{26}\n$/);
    const trace = await line.shell('posthorn events trace "$EVENT_ID" --quiet');
    expect(trace.stdout).toMatch(/^(ep_[0-9a-z]{26}\n)+$/);
  });

  test('open leads to the dashboard, also from an address that ends with a slash', async () => {
    const { stdout } = await line.shell('posthorn open --print', { env: { POSTHORN_BASE_URL: `${stack.api.url}/` } });
    expect(stdout).toBe(`${stack.api.url}/w/${stack.workspaceId}/${stack.environmentId}/overview\n`);
  });

  test.each([
    'posthorn --help',
    'posthorn event-types list --all',
    'posthorn event-types list --all --output table',
    'posthorn applications list --output yaml',
    'posthorn schema',
  ])('a reader that has left ends `%s` silently', async (command) => {
    const { code, stderr } = await line.shell(`${command} | true; echo "\${PIPESTATUS[0]}" >&2`);
    expect([code, stderr.trim()]).toEqual([0, '0']);
  });

  test('a reader that has read its lines ends a tail silently', async () => {
    const { code, stdout, stderr } = await line.shell(`
      (posthorn events tail 2> tail-notes; echo $? > tail-ended) | head -n 1 > /dev/null &
      until grep -q Waiting tail-notes 2>/dev/null; do :; done
      until [ -s tail-ended ]; do posthorn events send order.placed --application '*' > /dev/null; done
      cat tail-ended; grep -v Waiting tail-notes >&2; wait`);
    expect([code, stdout, stderr]).toEqual([0, '0\n', '']);
  });
});

describe('exit codes and errors', () => {
  test.each([
    ['posthorn nonsense', {}, 2, 'usage'],
    ['posthorn endpoint list', {}, 2, 'usage'],
    ['posthorn endpoints list --al', {}, 2, 'usage'],
    ['posthorn endpoints get', {}, 2, 'usage'],
    ['posthorn events send order.placed {}', {}, 2, 'usage'],
    ["posthorn events send order.placed { --application '*'", {}, 2, 'usage'],
    ['posthorn endpoints delete "$ENDPOINT_ID"', {}, 2, 'usage'],
    ['posthorn endpoints list --output junit', {}, 2, 'usage'],
    ['posthorn check "$RECEIVER_URL" --secret whsec_?', {}, 2, 'usage'],
    ['posthorn events list --since 3', {}, 2, 'usage'],
    ['posthorn deliveries retry "$DELIVERY_ID" --dry-run', {}, 2, 'usage'],
    ['posthorn deliveries cancel "$DELIVERY_ID" --status failed --yes', {}, 2, 'usage'],
    ['posthorn whoami', { POSTHORN_TOKEN: 'phm_wrong' }, 3, 'unauthorized'],
    ['posthorn endpoints list', { POSTHORN_TOKEN: '' }, 3, 'not_logged_in'],
    ['posthorn endpoints get ep_01jczhk8m3fd8tqv5x0w2b9n4e', {}, 4, 'not_found'],
    ['posthorn open ep_01jczhk8m3fd8tqv5x0w2b9n4e --print', {}, 4, 'not_found'],
    ['posthorn open evt_01jczhk8m3fd8tqv5x0w2b9n4e --print', {}, 4, 'not_found'],
    ['posthorn open key_01jczhk8m3fd8tqv5x0w2b9n4e --print', {}, 4, 'not_found'],
    ['posthorn endpoints list --environment nowhere', {}, 4, 'not_found'],
    ['posthorn diff production nowhere', {}, 4, 'not_found'],
    ['posthorn event-types create order.lost --publish-in nowhere', {}, 4, 'not_found'],
    ['posthorn event-types create order.placed', {}, 5, 'event_type_exists'],
    ['posthorn whoami', { POSTHORN_BASE_URL: 'http://127.0.0.1:1' }, 6, 'no_connection'],
  ])('%s with %j ends with %i and %s', async (command, env, exitCode, code) => {
    const { code: ended, stdout, stderr } = await line.shell(command, { env: env as Record<string, string> });
    expect([ended, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(new RegExp(`^posthorn: ${code}: [^\n]+\n$`));
  });

  test.each([
    ['the interface', 'posthorn endpoints get ep_01jczhk8m3fd8tqv5x0w2b9n4e', {}],
    ['a session that has ended', 'posthorn whoami', { POSTHORN_TOKEN: 'phs_ended' }],
  ])('an error of %s has its request id and the next step', async (_, command, env) => {
    const { stderr } = await line.shell(command, { env: env as Record<string, string> });
    expect(stderr).toMatch(/\(request [\w-]+\)\. Next: /);
  });

  test('a refusal says its reason once', async () => {
    const { code, stderr } = await line.shell('posthorn endpoints create');
    expect([code, stderr.match(/url is required/g)]).toEqual([5, ['url is required']]);
  });

  test.each([
    ['posthorn endpoints get "$DELIVERY_ID"', / is a delivery: posthorn deliveries get dlv_\w+\n$/],
    ['posthorn subscriptions add "$ENDPOINT_ID" order.palced', /Next: did you mean order\.placed\?\n$/],
    ["posthorn events send order.palced --application '*'", /Next: did you mean order\.placed\?\n$/],
    [
      'posthorn endpoints create https://shop.example.com --event-types order.palced',
      /Next: did you mean order\.placed\?\n$/,
    ],
  ])('%s says what was probably meant', async (command, words) => {
    const { code, stderr } = await line.shell(command);
    expect([code === 4 || code === 5, stderr]).toEqual([true, expect.stringMatching(words)]);
  });

  test('variables that say everything need no home that can be read; a listener whose key cannot be kept is not created', async () => {
    const env = { HOME: '/dev/null', XDG_CONFIG_HOME: '' };
    const { code, stdout } = await line.shell('posthorn endpoints list --quiet', { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('ep_')]);
    const listening = await line.shell('posthorn listen 3000 --name nowhere', { env });
    expect([listening.code, listening.stderr]).toEqual([2, expect.stringMatching(/cannot be kept: .*Add --ephemeral/)]);
    const names = (await posthorn.endpoints.list().toArray()).map(({ externalId }) => externalId);
    expect(names).not.toContain('listen:nowhere');
    const unread = await line.shell('posthorn endpoints list', {
      env: { ...env, POSTHORN_TOKEN: '', POSTHORN_API_KEY: '' },
    });
    expect([unread.code, unread.stderr]).toEqual([2, expect.stringContaining('cannot be read: ENOTDIR')]);
  });

  test('listen --once leaves no endpoint unless it has a name, and export leaves listeners out', async () => {
    const externalIds = async () => (await posthorn.endpoints.list().toArray()).map(({ externalId }) => externalId);
    const before = await externalIds();
    const send =
      "while kill -0 $listen 2>/dev/null; do posthorn events send order.placed --application '*' >/dev/null; done; wait $listen";
    expect((await line.shell(`posthorn listen "$RECEIVER_URL" --once & listen=$!; ${send}`)).code).toBe(5);
    expect(await externalIds()).toEqual(before);
    await line.shell(`posthorn listen "$RECEIVER_URL" --once --name kept & listen=$!; ${send}`);
    expect(await externalIds()).toContain('listen:kept');
    expect((await line.shell('posthorn export')).stdout).not.toContain('listen:');
  });

  test.each([
    ['', 'endpoints'],
    ['endpoints ""', 'rotate-secret'],
    ['endpoints recover --', '--dry-run'],
    ['listen 3000 --types ""', 'order.shipped'],
    ['events send ""', 'order.placed'],
    ['subscriptions add "$ENDPOINT_ID" order.placed ""', 'order.shipped'],
    ['endpoints get ""', 'ep_'],
    ['events list --application ""', 'ext:acme'],
    ['endpoints list --environment ""', 'staging'],
    ['--quiet --output json end', 'endpoints'],
    ['--pro', '--profile'],
    ['--environment "" ', 'staging'],
    ['endpoints --output json get --environment production ""', 'ep_'],
    ['diff production ""', 'staging'],
  ])('completion of `posthorn %s` offers %s', async (typed, offered) => {
    const { code, stdout } = await line.shell(`posthorn completion candidates -- ${typed}`);
    expect([code, stdout.split('\n')]).toEqual([0, expect.arrayContaining([expect.stringContaining(offered)])]);
  });

  test('bash completes with the script that is printed', async () => {
    const { stdout } = await line.shell(`source <(posthorn completion bash)
      COMP_WORDS=(posthorn events send order.p) COMP_CWORD=3
      _posthorn; printf '%s\\n' "\${COMPREPLY[@]}"`);
    expect(stdout).toBe('order.placed\n');
  });

  test('bash knows a global option with its value behind a sign, which it splits', async () => {
    const { stdout } = await line.shell(`source <(posthorn completion bash)
      COMP_WORDS=(posthorn --output = json end) COMP_CWORD=4
      _posthorn; printf '%s\n' "\${COMPREPLY[@]}"`);
    expect(stdout).toBe('endpoints\n');
  });

  test.each([
    ['without a colon', 'COMP_WORDS=(posthorn applications get "") COMP_CWORD=3', 'ext:'],
    ['behind a colon', 'COMP_WORDS=(posthorn applications get ext :) COMP_CWORD=4', ''],
  ])('bash completes names %s and never expands them, whatever a customer is called', async (_name, place, before) => {
    const names = ['acme', "o'neil", '$({touch,expanded})', '`touch expanded`', 'two words', '{a,b}', '*', '\\'];
    const { stdout, stderr } = await line.shell(
      `source <(posthorn completion bash); ${place}
      posthorn() { printf %s "$NAMES"; }
      _posthorn
      for word in "\${COMPREPLY[@]}"; do eval "printf '%s\\n' $word"; done
      ls`,
      { env: { NAMES: names.map((name) => `ext:${name}\n`).join('') } },
    );
    expect([stdout.split('\n'), stderr]).toEqual([expect.arrayContaining(names.map((name) => `${before}${name}`)), '']);
    expect(stdout).not.toMatch(/^expanded$/m);
  });

  test('bash completes the rest of a name whose first letters are typed', async () => {
    const { stdout } = await line.shell(
      `source <(posthorn completion bash); COMP_WORDS=(posthorn applications get ext : "o\\'") COMP_CWORD=5
      posthorn() { printf %s "$NAMES"; }
      _posthorn; printf '%s\\n' "\${COMPREPLY[@]}"`,
      { env: { NAMES: "ext:o'neil\next:acme\n" } },
    );
    expect(stdout).toBe("o\\'neil\n");
  });

  test('an answer that ends too early is told as a failed connection', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await line.shell(`posthorn login --base-url ${url}`);
    server.close();
    expect([code, stderr]).toEqual([6, expect.stringContaining('posthorn: no_connection: ')]);
  });

  test('an error of an option names it as it is written', async () => {
    const { code, stderr } = await line.shell('posthorn portal link ext:acme --expires-in soon');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--expires-in must be a length of time')]);
  });

  test('open prints the page of each kind of id', async () => {
    const [key] = await posthorn.apiKeys.list(stack.environmentId).toArray({ limit: 1 });
    const [type] = await posthorn.eventTypes.list().toArray({ limit: 1 });
    const rule = await posthorn.alertRules.create({
      name: 'Failures',
      channel: 'slack',
      target: 'https://127.0.0.1/hook',
      events: ['posthorn.endpoint.failing'],
    });
    const pages: Record<string, string> = {};
    for (const id of [key?.id, type?.id, rule.id, stack.environmentId].map(String)) {
      const { stdout } = await line.shell(`posthorn open ${id} --print`);
      pages[id] = stdout.trim().split(`/${stack.environmentId}/`)[1] ?? stdout;
    }
    expect(pages).toEqual({
      [key?.id ?? '']: 'access',
      [type?.id ?? '']: `event-types?search=${type?.name}`,
      [rule.id]: 'alerts',
      [stack.environmentId]: 'overview',
    });
  });

  test('Ctrl-C ends a tail with 130 and without a message of failure', async () => {
    const { code, stderr } = await line.shell(
      'posthorn events tail 2> notes & tail=$!; until grep -q Waiting notes 2>/dev/null; do :; done; kill -INT $tail; wait $tail',
    );
    expect([code, stderr]).toEqual([130, '']);
  });

  test('Ctrl-C ends `posthorn mcp` with 130', async () => {
    const { code, stderr } = await line.shell(`
      mkfifo mcp-in
      posthorn mcp < mcp-in > mcp-out & mcp=$!
      exec 3> mcp-in
      echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' >&3
      until [ -s mcp-out ]; do :; done
      kill -INT $mcp; wait $mcp`);
    expect([code, stderr]).toEqual([130, '']);
  });

  test.each([
    'whoami',
    'endpoints list',
    'events send order.placed --application *',
    'operations watch op_01jczhk8m3fd8tqv5x0w2b9n4e',
    'export',
    'listen 3000',
  ])('Ctrl-C ends `posthorn %s` with 130 while the server does not answer', async (command) => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const running = line.start(command.split(' '), { env: { POSTHORN_BASE_URL: url } });
    server.once('request', () => running.interrupt());
    expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: '' });
    server.closeAllConnections();
    server.close();
  });
});

async function readExamples(): Promise<string[]> {
  const help = async (command: string) => (await line.shell(`posthorn ${command} --help`)).stdout;
  const commandsOf = (text: string) =>
    [...(text.split('Commands:\n')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
      ([, name = '']) => name,
    );
  const words = commandsOf(await help(''));
  const texts = await Promise.all(
    words.map(async (word) => {
      const text = await help(word);
      const below = commandsOf(text);
      return below.length === 0 ? [text] : Promise.all(below.map((name) => help(`${word} ${name}`)));
    }),
  );
  return texts.flat().map((text) => /Examples:\n {2}\$ (.*)/.exec(text)?.[1] ?? `no example: ${text.slice(0, 60)}`);
}

/** Makes everything that the examples name. */
async function prepareWorkspace(): Promise<Record<string, string>> {
  const publishIn = [stack.environmentId];
  await posthorn.eventTypes.create({ name: 'order.placed', publishIn });
  await posthorn.eventTypes.create({ name: 'order.shipped', publishIn });
  await posthorn.environments.create({ name: 'Staging', slug: 'staging' });
  await posthorn.applications.create({ name: 'Acme', externalId: 'acme' });
  const endpoint = await posthorn.endpoints.create({
    url: `https://127.0.0.1:${await freePort()}/`,
    eventTypes: ['order.placed'],
  });
  const other = await posthorn.endpoints.create({ type: 'playground', eventTypes: ['order.placed'] });
  const event = await posthorn.events.send('order.placed', { id: 1 }, { application: '*' });
  const scheduled = await posthorn.events.send(
    'order.placed',
    {},
    { application: '*', deliverAt: new Date(Date.now() + 3_600_000) },
  );
  const key = await posthorn.apiKeys.create(stack.environmentId, { name: 'Old' });
  const rule = await posthorn.alertRules.create({
    ...{ name: 'Failures', channel: 'slack', target: 'https://127.0.0.1/hook', events: ['posthorn.endpoint.failing'] },
  });
  const source = await posthorn.sources.create({
    ...{ name: 'Orders', isActive: false },
    config: { brokers: ['127.0.0.1:9093'], topics: ['orders'], eventType: { fixed: 'order.placed' } },
  });
  // Stores a place, as if a dispatcher had begun to read the source.
  const sourceId = fromId('src', source.id) ?? '';
  await stack.db.sourcePlace.create({ data: { sourceId, topic: 'orders', partition: 0, nextOffset: 0n } });
  const pull = await posthorn.endpoints.create({ type: 'pull' });
  const pullKey = await posthorn.pullKeys.create(pull.id, { name: 'Old' });
  const agentKey = await posthorn.agents.createKey({ name: 'Old' });
  const all = { since: new Date(Date.now() - 3_600_000), mode: 'all' } as const;
  const delivery = await firstDelivery(other.id);
  const operation = await posthorn.endpoints.recover(other.id, { ...all, dryRun: false });
  const ended = async () => (await posthorn.operations.get(operation.id)).finishedAt !== null;
  await waitFor(ended, { what: 'the end of the operation' });
  return {
    WORKSPACE_FILE: 'workspace.yaml',
    ENDPOINT_ID: endpoint.id,
    OTHER_ENDPOINT_ID: other.id,
    EVENT_ID: event.id,
    SCHEDULED_EVENT_ID: scheduled.id,
    API_KEY_ID: key.id,
    DELIVERY_ID: delivery,
    OPERATION_ID: operation.id,
    ALERT_RULE_ID: rule.id,
    SOURCE_ID: source.id,
    PULL_ENDPOINT_ID: pull.id,
    PULL_KEY_ID: pullKey.id,
    AGENT_KEY_ID: agentKey.id,
    AGENT_SUBSCRIPTION_ID: await subscribeAgent(),
    RECEIVER_URL: `http://127.0.0.1:${await freePort()}/`,
    RECEIVER_SECRET: 'whsec_c2VjcmV0',
  };
}

/** Stores a subscription as the API would: there is no callback here that echoes a challenge. */
async function subscribeAgent(): Promise<string> {
  const { id: endpoint } = await posthorn.endpoints.create({ type: 'playground' });
  const found = await stack.db.endpoint.findUniqueOrThrow({ where: { id: fromId('ep', endpoint) ?? '' } });
  const { id: endpointId, workspaceId, environmentId } = found;
  await stack.db.endpoint.update({ where: { id: endpointId }, data: { isTemporary: true } });
  const { identity, ...rest } = { identity: `mcs_${'0'.repeat(26)}`, principal: 'key:1', eventTypeId: endpointId };
  const lives = { url: 'https://agent.test/', dialect: 'sketch', expiresAt: new Date(Date.now() + 3_600_000) };
  await stack.db.agentSubscription.create({
    data: {
      endpointId,
      workspaceId,
      environmentId,
      identity,
      ...rest,
      eventType: 'order.placed',
      arguments: {},
      ...lives,
    },
  });
  return identity;
}

async function firstDelivery(endpointId: string): Promise<string> {
  return waitFor(
    async () => (await posthorn.deliveries.list({ endpointId, status: 'delivered' }).toArray({ limit: 1 }))[0]?.id,
    { what: 'a delivery' },
  );
}
