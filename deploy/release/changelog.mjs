// The CHANGELOG has one section for each release, and `## Unreleased` on top for what comes next.

const UNRELEASED = '## Unreleased\n';

/** What is new since the last release: the text below `## Unreleased`. Throws when there is nothing. */
export function unreleasedNotes(changelog) {
  const [, after] = changelog.split(UNRELEASED);
  const notes = after?.split(/^## /m)[0].trim() ?? '';
  if (notes === '') throw new Error('CHANGELOG.md has nothing below "## Unreleased": a release needs notes');
  return notes;
}

/** The CHANGELOG with the unreleased notes under the heading of a release. */
export function withRelease(changelog, { version, date, commit }) {
  unreleasedNotes(changelog);
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date}, ${commit})\n`);
}
