// The page's own behaviour: the search, the switch of the theme, the menu on small screens, and what samples have. The page
// is whole without it.
import { makeLanguageTabs } from './language-tabs.js';

const field = document.querySelector('#search');
const results = document.querySelector('#results');
let selected = -1;
let asked = 0;

document.querySelector('#theme').addEventListener('click', () => window.switchTheme());
document.querySelector('#menu').addEventListener('click', ({ currentTarget }) => {
  const isOpen = document.body.classList.toggle('menu-open');
  currentTarget.setAttribute('aria-expanded', String(isOpen));
});
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });

addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    field.select();
  }
});
addEventListener('click', ({ target }) => {
  if (!target.closest('#finder')) close();
});

field.addEventListener('input', async () => {
  asked += 1;
  const mine = asked;
  if (field.value.trim() === '') return close();
  try {
    const { search } = await import('./search.js');
    const found = await search(field.value);
    if (mine === asked) show(found);
  } catch {
    if (mine === asked) say('The search could not be loaded. Check the connection and type again.');
  }
});

field.addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll('a')];
  if (event.key === 'Escape') return close();
  if (event.key === 'Enter' && links[selected] !== undefined) return links[selected].click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || links.length === 0) return;
  event.preventDefault();
  select(links, (selected + step + links.length) % links.length);
});

function show(found) {
  if (found.length === 0) return say('Nothing found.');
  results.replaceChildren(...found.map(toLink));
  open();
  select([...results.querySelectorAll('a')], 0);
}

function toLink({ heading, page, href, excerpt }, index) {
  const link = document.createElement('a');
  link.href = href;
  link.id = `result-${index}`;
  link.setAttribute('role', 'option');
  for (const [name, text] of [
    ['strong', heading],
    ['span', heading === page ? '' : page],
    ['small', excerpt],
  ]) {
    const part = document.createElement(name);
    part.textContent = text;
    link.append(part);
  }
  return link;
}

function say(words) {
  const line = document.createElement('p');
  line.textContent = words;
  results.replaceChildren(line);
  open();
}

function select(links, index) {
  selected = index;
  for (const [place, link] of links.entries()) link.setAttribute('aria-selected', String(place === index));
  field.setAttribute('aria-activedescendant', links[index].id);
  links[index].scrollIntoView({ block: 'nearest' });
}

function open() {
  results.hidden = false;
  field.setAttribute('aria-expanded', 'true');
}

function close() {
  asked += 1;
  selected = -1;
  results.hidden = true;
  results.replaceChildren();
  field.setAttribute('aria-expanded', 'false');
  field.removeAttribute('aria-activedescendant');
}

for (const block of document.querySelectorAll('main pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}
makeLanguageTabs();
