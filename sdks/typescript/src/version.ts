/** The version of this package, which the `User-Agent` also names. A test compares it with package.json. */
export const VERSION = '0.3.0';
