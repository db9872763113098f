// The CHANGELOG has one section for each release, and `## Unreleased` on top for what comes next.

const UNRELEASED = '## Unreleased\n';

/** What is new since the last release: the text below `## Unreleased`. Empty right after a release. */
export function unreleasedNotes(changelog) {
  const [, after] = changelog.split(UNRELEASED);
  return after?.split(/^## /m)[0].trim() ?? '';
}

/** The CHANGELOG with the unreleased notes under the heading of a release. */
export function withRelease(changelog, { version, date, commit }) {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date}, ${commit})\n`);
}
