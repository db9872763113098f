import { expect, test } from '@jest/globals';
import { shareCompiler } from './share-compiler.ts';

/** Counts the compilers that are made. The query `wrong` fails, as one that stops the compiler halfway does. */
function counted() {
  const made: object[] = [];
  class QueryCompiler {
    constructor(options: object) {
      made.push(options);
    }
    compile(query: string) {
      if (query === 'wrong') throw new Error('unreachable');
      return { query };
    }
    compileBatch(queries: string) {
      return this.compile(queries);
    }
    free() {
      throw new Error('another client still uses it');
    }
  }
  return { made, module: shareCompiler({ QueryCompiler }) };
}

const schema = { datamodel: 'model A {}', provider: 'postgres' };

test('clients of one schema have one compiler, which lasts when one of them closes', () => {
  const { made, module } = counted();
  const [one, another] = [new module.QueryCompiler({ ...schema }), new module.QueryCompiler({ ...schema })];
  expect([one.compile('a'), another.compileBatch('b')]).toEqual([{ query: 'a' }, { query: 'b' }]);
  one.free();
  expect(another.compile('c')).toEqual({ query: 'c' });
  expect(made).toEqual([schema]);
});

test('another schema gets a compiler of its own', () => {
  const { made, module } = counted();
  const other = { ...schema, provider: 'sqlite' };
  new module.QueryCompiler(schema);
  new module.QueryCompiler(other);
  expect(made).toEqual([schema, other]);
});

test('after a failure every client uses a new compiler', () => {
  const { made, module } = counted();
  const [one, another] = [new module.QueryCompiler(schema), new module.QueryCompiler(schema)];
  expect(() => one.compile('wrong')).toThrow('unreachable');
  expect([another.compile('a'), one.compile('b')]).toEqual([{ query: 'a' }, { query: 'b' }]);
  expect(made).toEqual([schema, schema]);
});
