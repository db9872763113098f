// Changes the HTML of a document for the site: anchors as on GitHub, links between pages, tables that scroll. Each
// section of a document is noted for the search.
import GithubSlugger from 'github-slugger';
import { hrefOf, resolveLink } from './documents.mjs';

/** Adds rules to a markdown-it. Its environment is the data of the page, with its `document`. */
export function teachMarkdown(markdown, { documents, sections }) {
  markdown.core.ruler.push('headings', ({ tokens, env }) => {
    env.document.headings = addAnchors(tokens);
    sections.push(...sectionsOf(tokens, env.document));
  });
  markdown.core.ruler.push('links', ({ tokens, env }) => {
    for (const token of tokens) {
      if (token.type === 'html_block') token.content = rewriteHtml(token.content, documents, env.document);
      if (token.children !== null) rewriteLinks(token.children, documents, env.document);
    }
  });
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>';
}

function addAnchors(tokens) {
  const slugger = new GithubSlugger();
  const headings = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = textOf(tokens[index + 1]);
    const anchor = slugger.slug(text);
    token.attrSet('id', anchor);
    headings.push({ level: Number(token.tag.slice(1)), text, anchor });
  }
  return headings;
}

/** One section for each heading, with the text below it. */
function sectionsOf(tokens, document) {
  const sections = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const anchor = token.tag === 'h1' ? '' : `#${token.attrGet('id')}`;
      sections.push({
        heading: textOf(tokens[index + 1]),
        page: document.title,
        href: hrefOf(document) + anchor,
        text: '',
      });
    }
    const isText = token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open';
    if (sections.length > 0 && isText) sections.at(-1).text += `${textOf(token)} `;
    if (sections.length > 0 && token.type === 'fence') sections.at(-1).text += `${token.content} `;
  }
  return sections;
}

function textOf(token) {
  return token.children
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('');
}

/** A link to a file that the site does not have becomes its text. */
function rewriteLinks(children, documents, { source }) {
  let left = 0;
  for (const token of children) {
    if (token.type === 'html_inline') token.content = rewriteHtml(token.content, documents, { source });
    if (token.type === 'image') token.attrSet('src', resolveLink(documents, source, token.attrGet('src')) ?? '');
    if (token.type === 'link_open') {
      const href = resolveLink(documents, source, token.attrGet('href'));
      if (href !== undefined) token.attrSet('href', href);
      else left = hide(token);
    } else if (token.type === 'link_close' && left > 0) left -= hide(token);
  }
}

function hide(token) {
  token.type = 'text';
  token.content = '';
  return 1;
}

function rewriteHtml(html, documents, { source }) {
  return html.replace(/\b(src|srcset|href)="([^"]+)"/g, (_whole, name, link) => {
    const href = resolveLink(documents, source, link);
    return href === undefined ? '' : `${name}="${href}"`;
  });
}
