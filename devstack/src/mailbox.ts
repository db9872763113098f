import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startMailServer } from '@posthorn/testkit/mail-server';
import type { PickPort } from './fixed-ports.ts';
import { type KeptMail, mailPage, mailsPage } from './mailbox-pages.ts';
import type { Run } from './run.ts';

export type Mailbox = {
  /** The page that shows the mails. */
  url: string;
  /** The URL for `SMTP_URL`. */
  smtpUrl: string;
};

const MAILS_KEPT = 200;
const PORT = 8_025;
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * A mail server on this machine that forwards nothing, and a page that shows the latest 200 mails. They are
 * kept in memory.
 */
export async function startMailbox(run: Pick<Run, 'clock' | 'onStop'>, pickPort: PickPort): Promise<Mailbox> {
  const mails: KeptMail[] = [];
  let count = 0;
  const smtp = await startMailServer({}, (mail) => {
    count += 1;
    mails.unshift({ number: count, arrivedAt: run.clock.now(), mail });
    mails.length = Math.min(mails.length, MAILS_KEPT);
    smtp.mails.length = 0;
  });
  const port = await pickPort(PORT);
  const pages = createServer((request, response) => answer(request, response, mails));
  run.onStop({
    name: 'mailbox',
    hurryAfterMs: 0,
    async stop() {
      pages.closeAllConnections();
      await Promise.all([smtp.close(), new Promise<void>((resolve) => pages.close(() => resolve()))]);
    },
  });
  await new Promise<void>((resolve, reject) => {
    pages.once('error', reject);
    pages.listen(port, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${port}`, smtpUrl: `smtp://127.0.0.1:${smtp.port}` };
}

function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse, mails: readonly KeptMail[]) {
  // Mails have links that log in. A page of the web whose name leads to this machine must not read them.
  const { host = '' } = headers;
  if (!LOOPBACK_NAMES.includes(host.slice(0, host.lastIndexOf(':')))) return send(response, 403, 'Not for this host');
  if (method !== 'GET') return send(response, 405, 'Only GET');
  if (url === '/') return send(response, 200, mailsPage(mails));
  const found = mails.find(({ number }) => url === `/mails/${number}`);
  return found === undefined ? send(response, 404, 'No such mail') : send(response, 200, mailPage(found));
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    // The frame with the HTML of a mail has this policy, too: no script, and nothing from elsewhere.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(html);
}
