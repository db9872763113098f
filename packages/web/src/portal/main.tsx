import { loadLanguage } from '../language/language.ts';

/**
 * The service writes the language of the session and the workspace's word for an event into the page
 * (services/api/src/web). The pages have texts that are
 * read once, so their modules begin after the texts of the language are there. Where these cannot be loaded, the pages
 * are English.
 */
const { documentElement: root } = document;
await loadLanguage(root.lang, root.dataset.eventTerm).catch(() => {
  root.lang = 'en';
});
const { start } = await import('./start.tsx');
start();
