import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import packaged from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { PRELUDE } from './prelude.ts';
import { type Fault, MESSAGE_CHARACTERS, type Run, type RunResult, STUCK, wellFormed } from './run.ts';

// Runs a customer's JavaScript in QuickJS, an interpreter in WebAssembly. Nothing of Node is available in it: the code
// gets one string and returns one string. docs/adr/0017-transformations.md has the decision.

export type Sandbox = { run(run: Run): Promise<RunResult> };

export type SandboxOptions = {
  /** Returns the computing time of this thread so far, in milliseconds. */
  computedMs: () => number;
  /** True if the sandbox itself ends a step of the code that takes too long. False if only ending the thread can. */
  endsSteps: boolean;
};

/** The computing time that a transformation may take. */
const COMPUTING_MS = 50;
const MEMORY_BYTES = 16 * 1024 * 1024;
/** The interpreter's own stack. A larger one would overflow the thread's stack, which breaks the interpreter. */
const STACK_BYTES = 128 * 1024;
/**
 * A run whose single step takes too long is ended after this computing time: the engine checks limits between steps
 * only.
 */
const STUCK_MS = 100;
/**
 * The times after which a step is ended. If the thread got too little CPU meanwhile, the run begins again with the next
 * time.
 */
const STEPS_MS = [125, 500, 2_000];
const MOST_LOGS = 50;
const LOG_CHARACTERS = 1_000;

/** The file name of the code in stack traces. */
const FILE = 'transformation.js';
const PLACE = /transformation\.js:(\d+)(?::(\d+))?/;

/** The objects that the code has. Without `Date` it has no clock. The prelude removes `Math.random`. */
const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
  Date: false,
};

/** The package's types describe its CommonJS build, whose default export is nested one level deeper. */
const variant = packaged as unknown as QuickJSSyncVariant;

/** Compiles the engine. Threads can share the result: compiling takes most of a thread's start. */
export async function compileEngine(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return WebAssembly.compile(await readFile(file));
}

/** A sandbox for this thread. A run that breaks the engine gets a result, and the next run gets a new engine. */
export async function createSandbox(
  compiled: WebAssembly.Module,
  { computedMs, endsSteps }: SandboxOptions,
): Promise<Sandbox> {
  const open = () => newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: async () => compiled }));
  let engine = await open();

  async function runToEnd(run: Run): Promise<RunResult> {
    const startedMs = computedMs();
    for (const ms of STEPS_MS) {
      // A run with a longer limit, such as a thread's first runs, gets more time.
      const result = within(Math.max(ms, 2 * run.mostMs), () => runFresh(engine, computedMs, run));
      if (result !== undefined) return result;
      if (computedMs() - startedMs >= STUCK_MS) break;
      engine = await open();
    }
    return { ...STUCK, computedMs: computedMs() - startedMs };
  }

  return {
    async run(run) {
      const result = endsSteps ? await runToEnd(run) : runFresh(engine, computedMs, run);
      if (result.isBroken) engine = await open();
      return result;
    },
  };
}

/** Runs the code in a fresh interpreter, so that no run can see anything of another. */
function runFresh(engine: QuickJSWASMModule, computedMs: () => number, run: Run): RunResult {
  const logs: string[] = [];
  const startedMs = computedMs();
  const spent = () => computedMs() - startedMs;
  let isOver = false;
  try {
    const outcome = Scope.withScope((scope): Pick<RunResult, 'kind'> & object => {
      const runtime = scope.manage(engine.newRuntime());
      runtime.setMemoryLimit(MEMORY_BYTES);
      runtime.setMaxStackSize(STACK_BYTES);
      runtime.setInterruptHandler(() => {
        isOver ||= spent() > run.mostMs;
        return isOver;
      });
      const context = scope.manage(runtime.newContext({ intrinsics: INTRINSICS }));
      return evaluate(context, scope, run, logs);
    }) as { kind: 'returned'; text: string } | { kind: 'failed'; fault: Fault };
    const rest = { logs, computedMs: spent(), isBroken: false };
    if (isOver) return { kind: 'failed', fault: tooLong(outcome), isLimit: true, ...rest };
    return outcome.kind === 'failed' ? { ...outcome, isLimit: false, ...rest } : { ...outcome, ...rest };
  } catch {
    // The thread's stack is full, or the interpreter ran out of memory: its state is unknown.
    const fault = { message: isOver ? TOO_LONG : 'The code needs too much memory', line: null, column: null };
    return { kind: 'failed', fault, isLimit: true, logs, computedMs: spent(), isBroken: true };
  }
}

const TOO_LONG = `The code computed for more than ${COMPUTING_MS} ms`;

function tooLong(outcome: { kind: 'returned' } | { kind: 'failed'; fault: Fault }): Fault {
  const { line, column } = outcome.kind === 'failed' ? outcome.fault : { line: null, column: null };
  return { message: TOO_LONG, line, column };
}

type Outcome = { kind: 'returned'; text: string } | { kind: 'failed'; fault: Fault };

function evaluate(context: QuickJSContext, scope: Scope, { code, input, wantsLogs }: Run, logs: string[]): Outcome {
  const prepare = resultOf(context, scope, context.evalCode(PRELUDE, '<prelude>', { type: 'global' }));
  if ('fault' in prepare) return { kind: 'failed', fault: prepare.fault };
  // Only a run that shows its logs gets a function of the host.
  const log = wantsLogs ? scope.manage(context.newFunction('log', (line) => keepLog(context, logs, line))) : undefined;
  const prepared = resultOf(
    context,
    scope,
    context.callFunction(prepare.value, context.undefined, log ?? context.undefined),
  );
  if ('fault' in prepared) return { kind: 'failed', fault: prepared.fault };
  const loaded = resultOf(context, scope, context.evalCode(code, FILE, { type: 'global' }));
  if ('fault' in loaded) return { kind: 'failed', fault: loaded.fault };
  const found = resultOf(
    context,
    scope,
    context.evalCode('typeof transform === "function" ? transform : undefined', '<find>', { type: 'global' }),
  );
  if ('fault' in found) return { kind: 'failed', fault: found.fault };
  if (context.typeof(found.value) !== 'function') {
    return {
      kind: 'failed',
      fault: { message: 'The code must have a function transform(event)', line: null, column: null },
    };
  }
  if (input === undefined) return { kind: 'returned', text: '' };
  const text = scope.manage(context.newString(input));
  const called = resultOf(context, scope, context.callFunction(prepared.value, context.undefined, found.value, text));
  if ('fault' in called) return { kind: 'failed', fault: called.fault };
  if (context.typeof(called.value) !== 'string') {
    return { kind: 'failed', fault: { message: 'The code returned nothing', line: null, column: null } };
  }
  return readReturned(context.getString(called.value));
}

/** Reads the prelude's text: it has the function's result, or the error that it threw. */
function readReturned(text: string): Outcome {
  const { error } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { error?: Thrown };
  return error === undefined ? { kind: 'returned', text } : { kind: 'failed', fault: faultOf(error) };
}

type Thrown = { name?: unknown; message?: unknown; stack?: unknown };

function resultOf(
  context: QuickJSContext,
  scope: Scope,
  result: ReturnType<QuickJSContext['evalCode']>,
): { value: QuickJSHandle } | { fault: Fault } {
  if (!result.error) return { value: scope.manage(result.value) };
  return { fault: faultOf(thrownBy(context, scope, scope.manage(result.error))) };
}

/** The most characters that are read of a message or a stack. */
const THROWN_CHARACTERS = 4_000;

/**
 * Reads strings only. To read another value, the library would parse JSON that the code makes of it, which could become
 * millions of objects in the memory of this process.
 */
function thrownBy(context: QuickJSContext, scope: Scope, error: QuickJSHandle): Thrown {
  const textOf = (value: QuickJSHandle) =>
    context.typeof(value) === 'string' ? wellFormed(context.getString(value).slice(0, THROWN_CHARACTERS)) : undefined;
  const read = (key: string) => textOf(scope.manage(context.getProp(error, key)));
  const text = textOf(error);
  if (text !== undefined) return { message: text };
  return { name: read('name'), message: read('message'), stack: read('stack') };
}

function faultOf({ name, message, stack }: Thrown): Fault {
  const words = [name, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
  const place = typeof stack === 'string' ? PLACE.exec(stack.slice(0, THROWN_CHARACTERS)) : null;
  return {
    message: wellFormed((words || 'The code threw a value that is not an error').slice(0, MESSAGE_CHARACTERS)),
    line: place?.[1] === undefined ? null : Number(place[1]),
    column: place?.[2] === undefined ? null : Number(place[2]),
  };
}

function keepLog(context: QuickJSContext, logs: string[], line: QuickJSHandle | undefined): void {
  if (logs.length >= MOST_LOGS || line === undefined || context.typeof(line) !== 'string') return;
  // A copy: V8 keeps the whole line in memory for a slice, and the line may be as long as the code's memory allows.
  logs.push(wellFormed(context.getString(line).slice(0, LOG_CHARACTERS)));
}

/** The name of the work in the script's context. The work runs in its own context: the script isolates nothing. */
const NAME = 'work';
const context: Record<string, () => unknown> = {};
createContext(context);
const script = new Script(`${NAME}()`);

/**
 * Runs `work`, and interrupts it after `ms` milliseconds, even within one step of WebAssembly. Returns undefined then:
 * the state of everything that the work used is unknown, but the thread can go on. Each call costs about 0.2 ms,
 * because Node starts a thread that waits.
 */
function within<Result extends object>(ms: number, work: () => Result): Result | undefined {
  context[NAME] = work;
  try {
    return script.runInContext(context, { timeout: ms }) as Result;
  } catch (error) {
    // The error comes from the other context, so it is not an instance of this context's `Error`.
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
