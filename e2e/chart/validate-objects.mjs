// node validate-objects.mjs FOLDER: reads Kubernetes objects from standard input as a JSON array, checks each against
// the schema of its kind in the packages of FOLDER, and prints the faults as a JSON array of texts.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const packages = join(process.argv[2], 'node_modules');
const faults = [];
for (const { module, object } of JSON.parse(await text(process.stdin))) {
  const { [object.kind]: Model } = await import(pathToFileURL(join(packages, `${module}.js`)).href);
  try {
    new Model(object).validate();
  } catch (error) {
    faults.push(`${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify(faults));
