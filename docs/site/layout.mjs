import { hrefOf } from './documents.mjs';

/** The whole page of a document: `content` is its HTML, `navigation` the groups of pages beside it. */
export function pageOf({ document, content, navigation }) {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(document.address === 'index' ? 'Posthorn documentation' : `${document.title} · Posthorn`)}</title>
    <link rel="icon" href="/docs/assets/icon.svg">
    <link rel="stylesheet" href="/docs/assets/style.css">
    <script src="/docs/assets/theme.js"></script>
    <script src="/docs/assets/site.js" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to the text</a>
    <header>
      <button id="menu" type="button" aria-label="Menu" aria-expanded="false" aria-controls="pages">☰</button>
      <a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24">Posthorn <span>Docs</span></a>
      <div id="finder">
        <input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off"
          role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
        <div id="results" role="listbox" aria-label="Results" hidden></div>
      </div>
      <a href="/reference">API</a>
      <a href="/">Dashboard</a>
      <button id="theme" type="button" aria-label="Switch between light and dark">◐</button>
    </header>
    <div class="columns">
      <nav id="pages" aria-label="Pages">${navigation.map((group) => groupOf(group, document)).join('')}</nav>
      <main id="content" tabindex="-1">${content}</main>
      <aside aria-label="On this page">${outlineOf(document.headings)}</aside>
    </div>
  </body>
</html>
`;
}

function groupOf({ title, pages }, current) {
  const items = pages.map((page) => {
    const isOpen = page.document === current || page.parts.includes(current);
    const parts = isOpen ? page.parts.map((part) => itemOf(part, part.title, current)) : [];
    return itemOf(page.document, page.title, current, parts);
  });
  const isOpen = title !== 'Decisions of the design, a page each' || pages.some(({ document }) => document === current);
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`;
}

function itemOf(document, title, current, parts = []) {
  const mark = document === current ? ' aria-current="page"' : '';
  const below = parts.length === 0 ? '' : `<ul class="parts">${parts.join('')}</ul>`;
  return `<li><a href="${hrefOf(document)}"${mark}>${escapeHtml(title)}</a>${below}</li>`;
}

function outlineOf(headings) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<h2>On this page</h2><ul>${items.join('')}</ul>`;
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
