import { type Expression, InvalidPattern, readPattern, UnboundedPattern } from './read-pattern.ts';
import { type Steps, spend } from './steps.ts';

/**
 * A regular expression as a program that tries all alternatives at once, character by character. It never goes back in
 * the text, as JavaScript's regular expressions may. It is our own code, because the steps of a library cannot be
 * counted.
 */
export type Pattern = {
  main: Instructions;
  /** Lookaheads at the beginning, each of which must match (`isWanted`) or must not match. */
  ahead: readonly { isWanted: boolean; instructions: Instructions }[];
  /** The number of all instructions. */
  states: number;
};

type Instructions = readonly Instruction[];

type Fork = { op: 'fork'; to: number; or: number };

type Instruction =
  | { op: 'character'; isIn: (codePoint: number) => boolean }
  | { op: 'place'; holds: (text: string, at: number) => boolean }
  /** Continues at both targets. */
  | Fork
  | { op: 'match' };

/**
 * `rule` and `does` complete a sentence about the pattern. An `unbounded` pattern is valid, but cannot be matched in
 * linear time.
 */
export type ParsedPattern =
  | { kind: 'pattern'; pattern: Pattern }
  | { kind: 'unbounded'; does: string }
  | { kind: 'invalid'; rule: string };

const MAX_INSTRUCTIONS = 1_000;
const MAX_CLASSES = 200;

type CharacterTest = (codePoint: number) => boolean;

/** The characters and classes of a schema's patterns, by their source. */
export type CharacterClasses = Map<string, CharacterTest>;

/** Reads a pattern of a schema. Pass the same `classes` for all patterns of one schema; their number is limited. */
export function parsePattern(source: string, classes: CharacterClasses): ParsedPattern {
  try {
    const read = readPattern(source);
    const main = instructionsOf(read.main, classes);
    const ahead = read.ahead.map(({ isWanted, expression }) => ({
      isWanted,
      instructions: instructionsOf(expression, classes),
    }));
    const states = ahead.reduce((sum, { instructions }) => sum + instructions.length, main.length);
    return { kind: 'pattern', pattern: { main, ahead, states } };
  } catch (error) {
    if (error instanceof UnboundedPattern) return { kind: 'unbounded', does: error.message };
    if (error instanceof InvalidPattern) return { kind: 'invalid', rule: error.message };
    throw error;
  }
}

/** Whether the pattern matches anywhere in the text. Throws OutOfSteps if that takes more steps than are left. */
export function matchesPattern({ main, ahead }: Pattern, text: string, steps: Steps): boolean {
  return (
    ahead.every(({ isWanted, instructions }) => matches(instructions, text, steps) === isWanted) &&
    matches(main, text, steps)
  );
}

/** Runs the program. Each instruction is followed at most once for each character. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a scanner: one branch for each character that matters.
function matches(pattern: Instructions, text: string, steps: Steps): boolean {
  const search = { pattern, text, steps, reachedAt: new Int32Array(pattern.length).fill(-1) };
  const [first] = pattern;
  const isAnchored = first?.op === 'place' && first.holds === isStart;
  spend(steps, 3 + pattern.length / 8);
  let waiting: number[] = [];
  let next: number[] = [];
  for (let at = 0; ; ) {
    if ((at === 0 || !isAnchored) && reach(search, waiting, { first: 0, at })) return true;
    if (at >= text.length || (isAnchored && waiting.length === 0)) return false;
    const codePoint = text.codePointAt(at) ?? 0;
    at += codePoint > 0xffff ? 2 : 1;
    next.length = 0;
    spend(steps, 2 + waiting.length);
    for (const index of waiting) {
      const instruction = pattern[index];
      if (instruction?.op !== 'character' || !instruction.isIn(codePoint)) continue;
      if (reach(search, next, { first: index + 1, at })) return true;
    }
    [waiting, next] = [next, waiting];
  }
}

/** `reachedAt` has, for each instruction, the position at which it was last reached. */
type Search = { pattern: Instructions; text: string; steps: Steps; reachedAt: Int32Array };

/** Adds the character instructions that an instruction leads to. True if it leads to the end of the program. */
function reach(
  { pattern, text, steps, reachedAt }: Search,
  waiting: number[],
  { first, at }: { first: number; at: number },
): boolean {
  const open = [first];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reachedAt[index] === at) continue;
    reachedAt[index] = at;
    spend(steps, 1);
    const instruction = pattern[index];
    if (instruction === undefined || instruction.op === 'match') return true;
    if (instruction.op === 'character') waiting.push(index);
    else if (instruction.op === 'fork') open.push(instruction.or, instruction.to);
    else if (instruction.holds(text, at)) open.push(index + 1);
  }
  return false;
}

type Program = { instructions: Instruction[]; classes: CharacterClasses };

function instructionsOf(expression: Expression, classes: CharacterClasses): Instructions {
  const program: Program = { instructions: [], classes };
  emit(expression, program);
  push(program, { op: 'match' });
  return program.instructions;
}

function emit(expression: Expression, program: Program): void {
  switch (expression.kind) {
    case 'character':
      push(program, { op: 'character', isIn: characterTest(expression.source, program.classes) });
      break;
    case 'place':
      push(program, { op: 'place', holds: PLACES[expression.source] ?? isStart });
      break;
    case 'sequence':
      for (const one of expression.of) emit(one, program);
      break;
    case 'alternatives':
      emitAlternatives(expression.of, program);
      break;
    case 'repeat':
      emitRepeat(expression, program);
  }
}

function emitAlternatives(of: readonly Expression[], program: Program): void {
  const ends: Fork[] = [];
  for (const [index, one] of of.entries()) {
    const isLast = index === of.length - 1;
    const fork = isLast ? undefined : pushFork(program);
    emit(one, program);
    if (fork === undefined) continue;
    ends.push(pushFork(program));
    fork.or = program.instructions.length;
  }
  for (const end of ends) end.to = end.or = program.instructions.length;
}

function emitRepeat({ of, least, most }: Expression & { kind: 'repeat' }, program: Program): void {
  for (let count = 0; count < least; count += 1) {
    const before = program.instructions.length;
    emit(of, program);
    // The part added no instruction, so repeating it adds nothing. The count may be huge: stop here.
    if (program.instructions.length === before) return;
  }
  if (most === Number.POSITIVE_INFINITY) {
    const start = program.instructions.length;
    const fork = pushFork(program);
    emit(of, program);
    const back = pushFork(program);
    back.to = back.or = start;
    fork.or = program.instructions.length;
    return;
  }
  const forks: Fork[] = [];
  for (let count = least; count < most; count += 1) {
    forks.push(pushFork(program));
    emit(of, program);
  }
  for (const fork of forks) fork.or = program.instructions.length;
}

/** Adds a fork to the next instruction and to a target that is set later. */
function pushFork(program: Program): Fork {
  const fork: Fork = { op: 'fork', to: program.instructions.length + 1, or: 0 };
  push(program, fork);
  return fork;
}

function push(program: Program, instruction: Instruction): void {
  if (program.instructions.length >= MAX_INSTRUCTIONS) {
    throw new InvalidPattern(`must have at most ${MAX_INSTRUCTIONS} states: its counts are too large`);
  }
  program.instructions.push(instruction);
}

const isStart = (_text: string, at: number) => at === 0;
const isWordEdge = (text: string, at: number) => isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));

const PLACES: Record<string, (text: string, at: number) => boolean> = {
  '^': isStart,
  $: (text, at) => at === text.length,
  '\\b': isWordEdge,
  '\\B': (text, at) => !isWordEdge(text, at),
};

/** NaN stands for a position outside the text. */
function isWord(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95;
}

const ASCII = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));

/** JavaScript's own regular expressions test a single character, which takes constant time. */
function characterTest(source: string, classes: CharacterClasses): CharacterTest {
  const literal = source.codePointAt(0) ?? 0;
  if (source === String.fromCodePoint(literal) && source !== '.') return (codePoint) => codePoint === literal;
  const known = classes.get(source);
  if (known !== undefined) return known;
  if (classes.size >= MAX_CLASSES) {
    throw new InvalidPattern(`is too much: the patterns of a schema have at most ${MAX_CLASSES} character classes`);
  }
  const expression = new RegExp(`^${source}$`, 'u');
  const ascii = ASCII.map((character) => expression.test(character));
  const test: CharacterTest = (codePoint) => ascii[codePoint] ?? expression.test(String.fromCodePoint(codePoint));
  classes.set(source, test);
  return test;
}
