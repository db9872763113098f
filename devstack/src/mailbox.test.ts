import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { freePort } from '@posthorn/testkit/free-port';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Mailbox, startMailbox } from './mailbox.ts';
import type { StopStep } from './run.ts';

const steps: StopStep[] = [];
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox({ clock: systemClock, onStop: (step) => steps.push(step) }, () => freePort());
});
afterAll(async () => {
  for (const { stop } of steps) await stop(new AbortController().signal);
});

/** Sends a mail as a mail server does. */
async function sendMail(lines: string[]): Promise<void> {
  const socket = connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  const commands = [
    'EHLO test',
    'MAIL FROM:<a@example.com>',
    'RCPT TO:<ada@example.com>',
    'DATA',
    `${lines.join('\r\n')}\r\n.`,
  ];
  for (const [index, command] of commands.entries()) {
    await waitFor(() => said.split('\r\n').filter((line) => line[3] === ' ').length > index, { what: command });
    socket.write(`${command}\r\n`);
  }
  await waitFor(() => said.includes('250 OK: message queued'), { what: 'the mail to be taken' });
  socket.destroy();
}

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${mailbox.url}${path}`, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

test('a mail is listed and shown as text and as HTML, and its content cannot change the page', async () => {
  expect((await read('/')).text).toContain('No mail yet');
  await sendMail([
    'From: a@example.com',
    'To: ada@example.com',
    'Subject: <script>alert(1)</script>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Follow https://example.com/?a=1&b=2 <now>',
    '--b',
    'Content-Type: text/html',
    '',
    '<p title="x">Hello</p><script>alert(2)</script>',
    '--b--',
  ]);
  expect((await read('/')).text).toContain('<a href="/mails/1">&lt;script&gt;alert(1)&lt;/script&gt;</a>');
  const { text, headers } = await read('/mails/1');
  expect(text).toContain('Follow https://example.com/?a=1&amp;b=2 &lt;now&gt;');
  expect(text).toContain('&lt;p title=&quot;x&quot;&gt;Hello&lt;/p&gt;&lt;script&gt;alert(2)');
  expect(text).not.toContain('<script>');
  expect(text).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('only this machine reads the mails, by its own names', async () => {
  const status = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1');
    socket.once('data', (chunk) => {
      resolve(String(chunk).split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.write('GET / HTTP/1.1\r\nhost: evil.example:80\r\n\r\n');
  });
  expect(status).toBe('HTTP/1.1 403 Forbidden');
  expect((await read('/mails/99')).status).toBe(404);
});
