import { loadLanguage } from '../language/language.ts';

/**
 * The service writes the session's language and the workspace's word for an event into the page (services/api/src/web).
 * Modules read their texts only once, so they are imported after the texts are loaded. If loading fails, the pages are
 * English.
 */
const { documentElement: root } = document;
await loadLanguage(root.lang, root.dataset.eventTerm).catch(() => {
  root.lang = 'en';
});
const { start } = await import('./start.tsx');
start();
