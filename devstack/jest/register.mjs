// Loaded into each process of Jest (`node --import`), so that files that share their modules can import
// `@jest/globals`. The package itself throws outside of a Jest environment.
import { registerHooks } from 'node:module';

const globals = new URL('./globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
