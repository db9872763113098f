import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRoot, runPage } from './run-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'posthorn-run-page-'));
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(409).end('taken'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function run(text: string) {
  writeFileSync(join(folder, 'page.md'), text);
  const { port } = server.address() as AddressInfo;
  return runPage(relative(projectRoot, join(folder, 'page.md')), { URL: `http://127.0.0.1:${port}/` });
}

const page = (commands: string, output: string) =>
  `\`\`\`bash\n${commands}\n\`\`\`\n\n\`\`\`output\n${output}\n\`\`\`\n`;

test('variables last from block to block, and … stands for anything', async () => {
  const text = `${page('A=12345', '')}\nText.\n\n${page('echo "a $A"', 'a 1…5')}\n\`\`\`sh\nexit 1\n\`\`\`\n`;
  expect(await run(text)).toMatchObject({ code: 0, differences: [] });
});

test('a block with another output than the page shows is told', async () => {
  const { code, differences } = await run(page('echo b', 'a'));
  expect([code, differences]).toEqual([0, [{ commands: 'echo b\n', shown: 'a\n', got: 'b\n' }]]);
});

test('a program is run in the languages that are asked for, and its output is compared', async () => {
  const text = '```go\nprintln("b")\n```\n\n```output\na\n```\n\n```ts\nnever\n```\n';
  writeFileSync(join(folder, 'page.md'), text);
  const options = { before: 'program() { echo "$1: $(cat)"; }', programs: ['go'] };
  const { code, differences } = await runPage(relative(projectRoot, join(folder, 'page.md')), {}, options);
  expect([code, differences.map(({ got }) => got)]).toEqual([0, ['go: println("b")\n']]);
});

test.each([
  ['a command', 'false'],
  ['a command in a pipe', 'false | cat'],
  ['a curl that is answered 409', 'curl -s "$URL"'],
  ['a variable that is not set', 'echo "$NOT_SET"'],
])('%s that fails ends the page', async (_name, command) => {
  const { code, outputs } = await run(`${page(command, '')}\n${page('echo reached', 'reached')}`);
  expect(code).not.toBe(0);
  expect(outputs.join('')).not.toContain('reached');
});
