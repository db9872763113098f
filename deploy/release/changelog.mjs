// The CHANGELOG has one section for each release, and `## Unreleased` on top for what comes next.

const UNRELEASED = '## Unreleased\n';

/** What is new since the last release. Empty right after a release. */
export function unreleasedNotes(changelog) {
  return sectionOf(changelog, UNRELEASED);
}

/** What was new in a release: its tag has nothing unreleased. Empty for an unknown version. */
export function releasedNotes(changelog, version) {
  return sectionOf(changelog, `## ${version} (`);
}

/** The text below the heading that begins so. */
function sectionOf(changelog, heading) {
  const section = changelog.split(/^(?=## )/m).find((one) => one.startsWith(heading)) ?? '';
  return section.slice(section.indexOf('\n')).trim();
}

/** The CHANGELOG with the unreleased notes under the heading of a release. */
export function withRelease(changelog, { version, date, commit }) {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date}, ${commit})\n`);
}
