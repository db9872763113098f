/** The part of a compiler that Prisma's clients use. */
type Compiler = {
  compile(query: string): unknown;
  compileBatch(queries: string): unknown;
  free(): void;
};

type MakeCompiler = new (options: object) => Compiler;

/**
 * Gives all clients of this process one query compiler. Otherwise each client would make its own, which reads the whole
 * schema. `module` is Prisma's; the generated client calls this (prisma/generate.mjs).
 */
export function shareCompiler<Module extends { QueryCompiler: MakeCompiler }>(module: Module): Module {
  const kept = new Map<string, Compiler>();

  function openShared(options: object): Compiler {
    const key = JSON.stringify(options);
    const find = () => {
      const compiler = kept.get(key) ?? new module.QueryCompiler(options);
      kept.set(key, compiler);
      return compiler;
    };
    // A compiler that failed may have stopped halfway, so it is not used again.
    const use = (work: (compiler: Compiler) => unknown) => {
      try {
        return work(find());
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    };
    find();
    return {
      compile: (query) => use((compiler) => compiler.compile(query)),
      compileBatch: (queries) => use((compiler) => compiler.compileBatch(queries)),
      // Does nothing, because other clients may still use the compiler.
      free() {},
    };
  }

  // Prisma calls it with `new`, which returns the result of the function.
  return { ...module, QueryCompiler: openShared as unknown as MakeCompiler };
}
