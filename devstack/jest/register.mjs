// Loaded into each process of Jest (`node --import`). Files that share their modules import `@jest/globals` like any other: the
// package itself throws outside of an environment of Jest.
import { registerHooks } from 'node:module';

const globals = new URL('./globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
