// Samples of the same code in several languages become tabs. The choice holds for every page, and is remembered.
// Without scripts the samples stand one below the other, each below a line such as "In Python:".
const KEY = 'posthorn-docs-language';
const NAMES = { ts: 'TypeScript', python: 'Python', go: 'Go' };
const LINE = /^In (TypeScript|Python|Go):$/;
/** Matches the end of the paragraph before the first sample. The tabs say the same. */
const END = /(?:(,) in|(^|\s)In) (TypeScript|Python|Go):$/;

const groups = [];

/** Makes the tabs of the page. */
export function makeLanguageTabs() {
  for (const first of document.querySelectorAll('main .code')) {
    const samples = samplesFrom(first);
    if (samples.length > 1) groups.push(tabsOf(samples, groups.length));
  }
  choose(remembered());
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) choose(newValue);
  });
}

/** The samples of the group that begins with `first`, each with the line above it. Empty if no group begins there. */
function samplesFrom(first) {
  const before = first.previousElementSibling;
  const samples = [];
  if (before?.tagName !== 'P' || !END.test(before.textContent)) return samples;
  let line = before;
  let frame = first;
  while (languageOf(frame) !== undefined) {
    samples.push({ language: languageOf(frame), line, frame });
    line = frame.nextElementSibling;
    frame = line?.nextElementSibling;
    if (line?.tagName !== 'P' || !LINE.test(line.textContent)) break;
  }
  return samples;
}

function languageOf(frame) {
  if (frame?.className !== 'code') return undefined;
  return Object.keys(NAMES).find((one) => frame.querySelector(`pre.language-${one}`) !== null);
}

function tabsOf(samples, number) {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = samples.map(({ language, line, frame }, index) => {
    if (index === 0) leaveStart(line);
    else line.remove();
    frame.id = `sample-${number}-${language}`;
    frame.setAttribute('role', 'tabpanel');
    frame.setAttribute('aria-label', NAMES[language]);
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = NAMES[language];
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', frame.id);
    tab.addEventListener('click', () => take(tab, language));
    list.append(tab);
    return { language, tab, frame };
  });
  list.addEventListener('keydown', (event) => move(event, tabs));
  samples[0].frame.before(list);
  return tabs;
}

/** Removes the last words of the paragraph, which the tabs say. Removes the paragraph if it says nothing else. */
function leaveStart(line) {
  const end = line.lastChild;
  end.textContent = end.textContent.replace(END, (_whole, comma) => (comma === undefined ? '' : ':'));
  if (line.textContent === '') line.remove();
}

/** Chooses a language after a click. The tab stays where it is, even when samples above it change their height. */
function take(tab, language) {
  const { top } = tab.getBoundingClientRect();
  choose(language);
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is blocked: the choice holds for this page only.
  }
}

function choose(language) {
  for (const tabs of groups) {
    const chosen = tabs.find((one) => one.language === language) ?? tabs[0];
    for (const one of tabs) {
      const isChosen = one === chosen;
      one.frame.hidden = !isChosen;
      one.tab.setAttribute('aria-selected', String(isChosen));
      one.tab.tabIndex = isChosen ? 0 : -1;
    }
  }
}

function move(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const present = tabs.findIndex(({ tab }) => tab === event.target);
  const { tab, language } = tabs[(present + step + tabs.length) % tabs.length];
  take(tab, language);
  tab.focus();
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
