// Every name that we have or keep in a registry, and how it is installed. Until a name is published, it can belong to
// anybody, so the lines that we print install from a checkout. All install lines come from here, by `npm run
// docs:generate` and packages/web/generate.mjs, and e2e/public-names.test.ts refuses others.

/**
 * `isPublished` becomes true when the name is ours in its registry and has a release. `folder` is where a checkout has
 * the code; a name without one is only reserved.
 */
export const PUBLIC_NAMES = {
  client: { registry: 'npm', name: '@posthorn/client', isPublished: false, folder: 'sdks/typescript' },
  react: { registry: 'npm', name: '@posthorn/react', isPublished: false, folder: 'sdks/react' },
  cli: { registry: 'npm', name: '@posthorn/cli', isPublished: false, folder: 'packages/cli/bundle' },
  python: { registry: 'PyPI', name: 'posthorn-client', isPublished: false, folder: 'sdks/python' },
  go: { registry: 'Go', name: 'github.com/posthorn/posthorn-go', isPublished: false, folder: 'sdks/go' },
  java: { registry: 'Maven', name: 'io.posthorn:posthorn', isPublished: false, folder: 'sdks/java' },
};

/** The checkout in the lines that install from it, as README.md clones it. */
const CHECKOUT = '~/posthorn';

/** The shell lines that install an entry of the list, after a sentence (`intro`) if they need one. */
export function installOf(key, names = PUBLIC_NAMES) {
  const { registry, name, isPublished, folder } = names[key];
  if (isPublished) return { intro: undefined, lines: PUBLISHED[key](name, names) };
  const built = registry === 'npm' ? `, in which \`npm start\` or \`npm run build\` has run` : '';
  const place = { npm: 'on npm', PyPI: 'on PyPI', Go: 'published', Maven: 'on Maven Central' }[registry];
  return {
    intro: `It is not ${place} yet. Install it from a checkout of Posthorn, here \`${CHECKOUT}\`${built}:`,
    lines: FROM_CHECKOUT[key](`${CHECKOUT}/${folder}`, name, names),
  };
}

const PUBLISHED = {
  client: (name) => [`npm install ${name}`],
  react: (name, names) => [`npm install ${name} ${names.client.name}`],
  cli: (name) => [`npm install --global ${name}`],
  python: (name) => [`pip install ${name}`],
  go: (name) => [`go get ${name}`],
  // `LATEST` downloads it once; a build names the version.
  java: (name) => [`mvn dependency:get -Dartifact=${name}:LATEST`],
};

const FROM_CHECKOUT = {
  client: (folder) => [`npm pack ${folder}`, 'npm install ./posthorn-client-*.tgz'],
  react: (folder, _name, names) => [
    `npm pack ${folder} ${CHECKOUT}/${names.client.folder}`,
    'npm install ./posthorn-react-*.tgz ./posthorn-client-*.tgz',
  ],
  cli: (folder) => [`npm install --global ${folder}`],
  python: (folder) => [`pip install ${folder}`],
  // The shell does not expand a ~ behind a =.
  go: (folder, name) => [`go mod edit -require ${name}@v0.0.0 -replace ${name}="$HOME${folder.slice(1)}"`],
  java: (folder) => [`mvn -DskipTests -f ${folder} install`],
};
