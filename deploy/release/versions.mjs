// Lists every place in the repository that names the version of Posthorn. package.json decides: `npm run release`
// writes the other places, and a test compares them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const manifest = /("version": ")[^"]+(")/;

/** The places below a checkout: a file, and an expression whose two groups enclose the version. */
export function placesOfVersion(root) {
  const rooms = ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const packages = ['.', ...rooms, 'devstack', 'bench', 'docs/site', 'sdks/typescript', 'sdks/react'];
  return [
    ...packages.map((folder) => [join(folder, 'package.json'), manifest]),
    ['deploy/helm/posthorn/Chart.yaml', /^(version: )\S+()$/m],
    ['deploy/helm/posthorn/Chart.yaml', /^(appVersion: )\S+()$/m],
    ['docs/how-to/kubernetes.md', /(posthorn:)\d[\d.]*\d(?:-[\w.]+)?()/g],
    ['packages/messages/src/build-request.ts', /('Posthorn\/)[^']+(')/],
    ['services/api/src/openapi/webhook.ts', /('Posthorn\/)\d[^']+(')/],
    ['packages/runtime/src/version.ts', /(VERSION = ')[^']+(')/],
    ['docs/openapi.json', /("title": "Posthorn",\s+"version": ")[^"]+(")/],
    ['docs/openapi-sdk.json', /("title": "Posthorn",\s+"version": ")[^"]+(")/],
    ['sdks/typescript/src/version.ts', /(VERSION = ')[^']+(')/],
    ['sdks/python/src/posthorn_client/_version.py', /(VERSION = ")[^"]+(")/],
    ['sdks/go/version.go', /(Version = ")[^"]+(")/],
    ['sdks/java/pom.xml', /(<artifactId>posthorn<\/artifactId>\s*<version>)[^<]+(<)/],
    ['sdks/java/src/main/java/io/posthorn/Posthorn.java', /(VERSION = ")[^"]+(")/],
  ];
}
