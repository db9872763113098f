// Stands for `@jest/globals` in files that share their modules. `jest` is missing on purpose: see run-file.cjs.
import { current } from './shared-globals.cjs';

export const afterAll = ofCurrentFile('afterAll');
export const afterEach = ofCurrentFile('afterEach');
export const beforeAll = ofCurrentFile('beforeAll');
export const beforeEach = ofCurrentFile('beforeEach');
export const describe = ofCurrentFile('describe');
export const expect = ofCurrentFile('expect');
export const test = ofCurrentFile('test');

/** Forwards calls to the file that runs, so that a module of several files registers its hooks with that file. */
function ofCurrentFile(name) {
  return new Proxy(() => {}, {
    apply: (_target, _this, args) => current[name](...args),
    get: (_target, property) => current[name][property],
  });
}
