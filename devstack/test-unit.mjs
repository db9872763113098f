// `npm run test:unit`: the tests that need no store, no process and no build; `-- --watch` repeats them at each change.
// Arguments are passed to Jest. The types are checked at the same time.
import { prepare } from './prepare.mjs';

await prepare({ projects: [], webTypes: true });
await import('./src/test-unit.ts');
