/** The content of a mail, before it becomes text and HTML. All fields are plain text without markup. */
export type MailContent = {
  subject: string;
  /** The workspace that the mail is about. Its name stands above the text. */
  workspaceName?: string;
  paragraphs: readonly string[];
  /** Lines of a list, after the paragraphs. */
  items?: readonly string[];
  action?: { label: string; url: string };
  /** Why the reader gets this mail. */
  footer: string;
  /** The address at which the reader can stop such mails, without a login. */
  stopUrl?: string;
};

export type ComposedMail = { subject: string; text: string; html: string };

const SUBJECT_CHARACTERS = 200;
const NAME_CHARACTERS = 60;

/**
 * Writes a mail as text and as HTML with the same words. The HTML has no image, no script and no external content.
 * Every value is escaped, and no control character reaches the subject, so that no value can add a header. Only the
 * action and the address that stops such mails are links: the other words contain no URL that a mail program would
 * link.
 */
export function composeMail(given: MailContent): ComposedMail {
  const content: MailContent = {
    ...given,
    subject: unlinked(oneLine(given.subject)),
    ...(given.workspaceName !== undefined && { workspaceName: unlinked(quoted(given.workspaceName)) }),
    paragraphs: given.paragraphs.map(unlinked),
    ...(given.items && { items: given.items.map(unlinked) }),
    footer: unlinked(given.footer),
  };
  return { subject: content.subject, text: writeText(content), html: writeHtml(content) };
}

/**
 * A name that somebody else chose, ready for a mail: shortened, on one line, and in quotation marks that it cannot
 * close.
 */
export function quoted(name: string): string {
  const line = withoutControls(name).replaceAll(/[“”„‟"«»]/g, "'");
  const characters = [...line];
  const cut = characters.length > NAME_CHARACTERS ? `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…` : line;
  return `“${cut}”`;
}

/**
 * Mail programs turn each URL and domain in a text into a link. An invisible space (U+200B) after each dot, colon and
 * slash prevents that without a visible change. E-mail addresses stay unchanged: they lead to no page.
 */
function unlinked(text: string): string {
  return text.replaceAll(/\S+/g, (word) =>
    OF_A_PERSON.test(word) ? word : word.replaceAll(/([.:/\\])(?=[^\u200b])/g, '$1\u200b'),
  );
}

/** Allows only letters, digits and a few signs around an e-mail address: anything else could begin a link. */
const OF_A_PERSON = /^[“(]?[\w.+-]{1,100}@[\w-]{1,63}(\.[\w-]{1,63})+[”).]?$/;

/** A subject: text on one line, of a bounded length. */
function oneLine(text: string): string {
  return [...withoutControls(text)].slice(0, SUBJECT_CHARACTERS).join('');
}

/** Removes control characters, line breaks, invisible characters, and characters that change the direction of text. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
}

function writeText({ workspaceName, paragraphs, items = [], action, footer, stopUrl }: MailContent): string {
  const parts = [
    ...(workspaceName === undefined ? [] : [workspaceName]),
    ...paragraphs,
    ...(items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    `-- \n${footer}${stopUrl === undefined ? '' : `\nStop these mails: ${stopUrl}`}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function writeHtml({ subject, workspaceName, paragraphs, items = [], action, footer, stopUrl }: MailContent): string {
  const parts = [
    ...(workspaceName === undefined
      ? []
      : [`<h1 style="font-size:18px;margin:0 0 16px">${escaped(workspaceName)}</h1>`]),
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${escaped(text)}</p>`),
    ...(items.length === 0
      ? []
      : [
          `<ul style="margin:0 0 16px;padding-left:20px">${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`,
        ]),
    ...(action === undefined ? [] : [writeAction(action)]),
    `<p style="margin:24px 0 0;font-size:14px;color:#595959">${escaped(footer)}${writeStop(stopUrl)}</p>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escaped(oneLine(subject))}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1a1a1a;font-size:16px;line-height:1.5;${FONT}">
<div role="article" style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${parts.join('\n')}
</div></body></html>
`;
}

/** A link that looks like a button, and its address in words for a reader whose mail program shows no links. */
function writeAction({ label, url }: { label: string; url: string }): string {
  const link = 'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff';
  return `<p style="margin:0 0 16px"><a href="${escaped(url)}" style="${link}">${escaped(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px">Or open this address: <a href="${escaped(url)}">${escaped(url)}</a></p>`;
}

function writeStop(url: string | undefined): string {
  return url === undefined ? '' : `<br><a href="${escaped(url)}" style="color:#595959">Stop these mails</a>`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
