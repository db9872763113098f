// Makes the generated Prisma client small. Every client keeps the arguments of all operations as a graph of objects, by which
// Prisma's runtime finds the values in a query (ParamGraph in @prisma/client/runtime): queries that differ in values alone
// share a plan. The runtime reads the changed graph as before.
// - The arguments of nested writes, such as `create` of a relation within `data`, are left out: they are half of the graph,
//   and no code writes so. A nested write would still work, with a plan of its own for each value.
// - The keys of the objects are positions in a list of names. V8 stores an object with such keys as an array up to its largest
//   key: 8 KB for a few entries. An object whose first key is 1,024 or more is stored as a hash table, a fifth as large. So
//   1,024 unused names are put before the list, and the positions in the graph move up.
import { readFileSync, writeFileSync } from 'node:fs';

const UNUSED_NAMES = 1_024;
const SCHEMA = /(config\.parameterizationSchema = \{\s*strings: JSON\.parse\()(".*")(\),\s*graph: )("[\w-]*")/;
/** Every nested write can connect an existing row. Nothing else can. */
const OF_NESTED_WRITES = 'connect';
const NONE = -1;

/** Changes the file of a generated client. Throws when its form is unknown, as a new version of Prisma may have one. */
export function makeGraphLean(file) {
  const source = readFileSync(file, 'utf8');
  const [whole, beforeNames, names, beforeGraph, graph] = SCHEMA.exec(source) ?? [];
  if (whole === undefined) throw new Error(`${file} has no parameterizationSchema of the known form`);
  const known = JSON.parse(JSON.parse(names));
  const spread = JSON.stringify([...Array(UNUSED_NAMES).fill(''), ...known]);
  const given = readGraph(Buffer.from(JSON.parse(graph), 'base64url'));
  const lean = writeGraph(withoutNestedWrites(given, known.indexOf(OF_NESTED_WRITES))).toString('base64url');
  writeFileSync(
    file,
    source.replace(whole, () => beforeNames + JSON.stringify(spread) + beforeGraph + JSON.stringify(lean)),
  );
}

/** Leaves out arguments whose own arguments have this name, and then the arguments that no operation leads to. */
function withoutNestedWrites({ inputs, outputs, roots }, name) {
  const isNested = ({ node }) => inputs[node]?.some((argument) => argument.name === name) ?? false;
  const kept = inputs.map((node) => node.filter((argument) => !isNested(argument)));
  const used = new Set();
  const use = (node) => {
    if (node === NONE || used.has(node)) return;
    used.add(node);
    for (const argument of kept[node]) use(argument.node);
  };
  for (const { node } of [...outputs.flat(), ...roots]) use(node);
  return { inputs: kept.map((node, position) => (used.has(position) ? node : [])), outputs, roots };
}

/**
 * Reads the nodes of arguments (`inputs`), the nodes of answers (`outputs`) and the operations (`roots`). Numbers are LEB128; an
 * optional one is 0, or one more than its value.
 */
function readGraph(bytes) {
  let at = 0;
  const byte = () => bytes[at++];
  const number = () => {
    let value = 0;
    for (let shift = 0, last = 128; last >= 128; shift += 7) {
      last = byte();
      value |= (last & 127) << shift;
    }
    return value;
  };
  const optional = () => number() - 1;
  const many = (count, read) => Array.from({ length: count }, read);
  const counts = [number(), number(), number()];
  const argument = () => ({
    name: number(),
    scalarTypes: [byte(), byte()],
    node: optional(),
    enumName: optional(),
    flags: byte(),
  });
  // A field of an answer, or an operation: its name, the nodes of its arguments and of its answer.
  const field = () => ({ name: number(), node: optional(), answer: optional() });
  const inputs = many(counts[0], () => many(number(), argument));
  const outputs = many(counts[1], () => many(number(), field));
  const roots = many(counts[2], field);
  if (at !== bytes.length) throw new Error('the graph of parameterizationSchema has another form');
  return { inputs, outputs, roots };
}

/** Writes a graph, with the positions of names moved up. */
function writeGraph({ inputs, outputs, roots }) {
  const bytes = [];
  const number = (value) => {
    let rest = value;
    for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  };
  const optional = (value) => number(value + 1);
  const writeArgument = ({ name, scalarTypes, node, enumName, flags }) => {
    number(name + UNUSED_NAMES);
    bytes.push(...scalarTypes);
    optional(node);
    optional(enumName === NONE ? NONE : enumName + UNUSED_NAMES);
    bytes.push(flags);
  };
  const writeField = ({ name, node, answer }) => {
    number(name + UNUSED_NAMES);
    optional(node);
    optional(answer);
  };
  const writeNode = (entries, write) => {
    number(entries.length);
    for (const entry of entries) write(entry);
  };
  for (const { length } of [inputs, outputs, roots]) number(length);
  for (const node of inputs) writeNode(node, writeArgument);
  for (const node of outputs) writeNode(node, writeField);
  for (const operation of roots) writeField(operation);
  return Buffer.from(bytes);
}
