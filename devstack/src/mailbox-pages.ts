import { escapeHtml as escaped } from '@posthorn/runtime/html';
import type { ArrivedMail } from '@posthorn/testkit/mail-server';

/** A mail with its place in the mailbox, from 1. */
export type KeptMail = { number: number; arrivedAt: Date; mail: ArrivedMail };

/** The list of mails, newest first. */
export function mailsPage(mails: readonly KeptMail[]): string {
  const rows = mails.map(
    ({ number, arrivedAt, mail }) =>
      `<tr><td>${timeOf(arrivedAt)}</td><td>${escaped(mail.to.join(', '))}</td>` +
      `<td><a href="/mails/${number}">${escaped(mail.subject || '(no subject)')}</a></td></tr>`,
  );
  const table = `<table><tr><th>Time</th><th>To</th><th>Subject</th></tr>${rows.join('')}</table>`;
  const none = '<p>No mail yet. What Posthorn sends arrives here, and goes nowhere else. Reload to look again.</p>';
  return page('Mailbox', mails.length === 0 ? none : table);
}

/**
 * One mail, as text and as HTML. The HTML is in a frame without scripts and without an origin. Its links open
 * a new page.
 */
export function mailPage({ arrivedAt, mail }: KeptMail): string {
  const facts = [
    ['From', mail.from],
    ['To', mail.to.join(', ')],
    ['Time', timeOf(arrivedAt)],
  ].map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  const html = `<iframe title="The mail as HTML" sandbox="${sandbox}" srcdoc="${escaped(withNewPages(mail.html))}"></iframe>`;
  return page(
    mail.subject || '(no subject)',
    `<p><a href="/">All mails</a></p><dl>${facts.join('')}</dl>` +
      `<h2>Text</h2><pre>${escaped(mail.text)}</pre>${mail.html === '' ? '' : `<h2>HTML</h2>${html}`}`,
  );
}

/** A `target` for all links, before everything else: the mail is a whole document. */
function withNewPages(html: string): string {
  return `<base target="_blank">${html}`;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>${STYLE}</style><main><h1>${escaped(title)}</h1>${body}</main></html>`;
}

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}main{max-width:960px;margin:24px auto;padding:0 16px}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1rem}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid #8884;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px}dd{margin:0;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:12px;border:1px solid #8884}
iframe{width:100%;height:560px;border:1px solid #8884;background:#fff}`;

function timeOf(instant: Date): string {
  return instant.toISOString().slice(0, 19).replace('T', ' ');
}
