import { type Response, Router } from 'express';
import { refuseMethod } from '../operation/mount.ts';
import { readDocsIndex, readDocsPages } from './docs-pages.ts';

/**
 * The documents for agents: `/llms.txt` is their index, `/llms-full.txt` is all of them, and `/docs/….md` is the Markdown of
 * a page. Without `.md`, an address leads to the page for people (web/documents.ts).
 */
export function createDocsRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer = (response: Response, type: string, text: string) => {
    response.locals.operation = 'docs';
    response.type(type).set('Cache-Control', 'public, max-age=3600').send(text);
  };
  router.get('/llms.txt', (_request, response) => answer(response, 'text/plain', readDocsIndex()));
  router.get('/llms-full.txt', (_request, response) => answer(response, 'text/plain', wholeText()));
  router.get('/docs/*path', (request, response, next) => {
    const path = [request.params.path].flat().join('/');
    const page = readDocsPages().find((one) => one.path === path);
    if (page === undefined) return next();
    answer(response, 'text/markdown', page.text);
  });
  router.all(['/llms.txt', '/llms-full.txt'], refuseMethod(['GET']));
  return router;
}

let whole: string | undefined;

function wholeText(): string {
  whole ??= readDocsPages()
    .map(({ path, text }) => `<!-- docs/${path} -->\n\n${text}`)
    .join('\n');
  return whole;
}
