// The CHANGELOG has one section for each release, and `## Unreleased` on top for what comes next.

const UNRELEASED = '## Unreleased\n';

/** The notes of what is new since the last release. Empty right after a release. */
export function unreleasedNotes(changelog) {
  return sectionOf(changelog, UNRELEASED);
}

/** The notes of a released version, for its tag, where nothing is unreleased. Empty for an unknown version. */
export function releasedNotes(changelog, version) {
  return sectionOf(changelog, `## ${version} (`);
}

/** The text of the section whose heading starts with `heading`. */
function sectionOf(changelog, heading) {
  const section = changelog.split(/^(?=## )/m).find((one) => one.startsWith(heading)) ?? '';
  return section.slice(section.indexOf('\n')).trim();
}

/** The CHANGELOG with the unreleased notes under the heading of a release. */
export function withRelease(changelog, { version, date, commit }) {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date}, ${commit})\n`);
}
