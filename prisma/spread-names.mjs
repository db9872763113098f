// Makes the generated Prisma client small. Every client keeps the arguments of all operations as objects whose keys are
// positions in a list of names. V8 stores such an object as an array up to its largest key: 8 KB for a few entries, and
// 8.7 MB for each client. An object whose first key is 1,024 or more is stored as a hash table: then it is 1.7 MB. So 1,024
// unused names are put before the list, and the positions in the graph move up. Prisma's runtime reads the result as before
// (ParamGraph in @prisma/client/runtime).
import { readFileSync, writeFileSync } from 'node:fs';

const UNUSED_NAMES = 1_024;
const SCHEMA = /(config\.parameterizationSchema = \{\s*strings: JSON\.parse\()(".*")(\),\s*graph: )("[\w-]*")/;

/** Changes the file of a generated client. Throws when its form is unknown, as a new version of Prisma may have one. */
export function spreadNames(file) {
  const source = readFileSync(file, 'utf8');
  const [whole, beforeNames, names, beforeGraph, graph] = SCHEMA.exec(source) ?? [];
  if (whole === undefined) throw new Error(`${file} has no parameterizationSchema of the known form`);
  const spread = JSON.stringify([...Array(UNUSED_NAMES).fill(''), ...JSON.parse(JSON.parse(names))]);
  const moved = moveNames(Buffer.from(JSON.parse(graph), 'base64url')).toString('base64url');
  writeFileSync(
    file,
    source.replace(whole, () => beforeNames + JSON.stringify(spread) + beforeGraph + JSON.stringify(moved)),
  );
}

/** The graph with every position of a name moved up. Numbers are LEB128; an optional one is 0, or one more than its value. */
function moveNames(graph) {
  const moved = [];
  let at = 0;
  const number = (change = (value) => value) => {
    let value = 0;
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      byte = graph[at++];
      value |= (byte & 127) << shift;
    }
    let rest = change(value);
    for (; rest >= 128; rest >>>= 7) moved.push((rest & 127) | 128);
    moved.push(rest);
    return value;
  };
  const bytes = (count) => {
    moved.push(...graph.subarray(at, at + count));
    at += count;
  };
  const name = () => number((position) => position + UNUSED_NAMES);
  const optionalName = () => number((stored) => (stored === 0 ? 0 : stored + UNUSED_NAMES));
  const each = (count, write) => {
    for (let n = 0; n < count; n += 1) write();
  };
  const [inputs, outputs, roots] = [number(), number(), number()];
  // An argument: its name, the mask of its scalar types, the node of its own arguments, its enum's name, flags.
  const argument = () => {
    name();
    bytes(2);
    number();
    optionalName();
    bytes(1);
  };
  // A field of an answer, or an operation: its name, the nodes of its arguments and of its answer.
  const field = () => {
    name();
    number();
    number();
  };
  each(inputs, () => each(number(), argument));
  each(outputs, () => each(number(), field));
  each(roots, field);
  if (at !== graph.length) throw new Error('the graph of parameterizationSchema has another form');
  return Buffer.from(moved);
}
