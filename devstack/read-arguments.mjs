// Reads the arguments of a launcher command. It runs before packages are installed, so it may import only
// Node's own modules.

/** Ends the process for `--help`, and for an unknown argument. */
export function readArguments(usage, known = []) {
  const given = process.argv.slice(2);
  if (given.includes('--help') || given.includes('-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const strange = given.find((argument) => !known.includes(argument));
  if (strange === undefined) return;
  process.stderr.write(`posthorn  does not take ${JSON.stringify(strange)}.\n\n${usage}`);
  process.exit(2);
}
