import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openBrowser } from './commands/open.ts';
import { logInByDevice } from './device-login.ts';
import { createOutput } from './output.ts';
import { writeTypes } from './payload-types/write-types.ts';
import type { Terminal } from './terminal.ts';

// The command line may point to any server, and any tenant or receiver may have written the text that it shows.

/** The escape sequence `\u001b[31m` in its one-character form. Terminals obey both. */
const RED = '\u009b31m';

function recording() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { env: {}, stdout, stderr } as unknown as Terminal;
  return { terminal, printed: () => `${stdout.read() ?? ''}${stderr.read() ?? ''}` };
}

test.each(['json', 'yaml', 'table'] as const)(
  'no control character is printed as %s, and the values stay',
  async (format) => {
    const item = { id: 'msg_1', [`key${RED}`]: `value${RED}\u007f` };
    const { terminal, printed } = recording();
    await createOutput(terminal, { format, quiet: false }).item(item);
    const text = printed();
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
    if (format !== 'table') expect(format === 'json' ? JSON.parse(text) : parse(text)).toEqual(item);
  },
);

test('the address and the code of a login are printed without control characters', async () => {
  const answers = [
    { deviceCode: 'd', userCode: `AB${RED}`, verificationUrl: 'http://\u001b[31m', intervalSeconds: 0 },
    { status: 'refused', intervalSeconds: 0, session: null },
  ];
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { terminal, printed } = recording();
  const login = logInByDevice(
    { terminal, signal: new AbortController().signal },
    { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, name: 'test', opensBrowser: false },
  );
  await expect(login).rejects.toThrow('refused');
  server.close();
  expect(printed()).toMatch(/^Open http:\/\/\P{Cc}+ and confirm the code AB\P{Cc}+\n$/u);
});

(platform() === 'linux' ? test : test.skip)('only a page is opened, and never a file or a program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-open-'));
  const { PATH } = process.env;
  await writeFile(join(folder, 'xdg-open'), '#!/bin/sh\n');
  await chmod(join(folder, 'xdg-open'), 0o755);
  process.env.PATH = `${folder}:${PATH}`;
  try {
    expect(await openBrowser('https://posthorn.example.com/device')).toBe(true);
    for (const url of ['file:///etc/passwd', '//evil.example.com/share/program.exe', '-a Calculator', '']) {
      expect([url, await openBrowser(url)]).toEqual([url, false]);
    }
  } finally {
    process.env.PATH = PATH;
    await rm(folder, { recursive: true });
  }
});

test('no name leaves its comment in written types', () => {
  expect(writeTypes('ts', [{ name: 'a */ evil(); /*', schema: true }])).toContain('/** `a * / evil(); /*` */');
});
