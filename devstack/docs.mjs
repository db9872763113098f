// `npm run docs`: builds the documentation into docs/site/dist, which the API serves at /docs. With `--watch` it also
// serves it at http://localhost:8080/docs and builds it again at each change.
import { prepare } from './prepare.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('usage: npm run docs [-- --watch]\n\nBuilds the documentation. With --watch it serves it, too.\n', [
  '--watch',
]);
await prepare({ projects: [], docs: true });
if (process.argv.includes('--watch')) await import('../docs/site/build.mjs');
else process.stdout.write('posthorn  the documentation is in docs/site/dist\n');
