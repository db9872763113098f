/** The version of this package, which is also the `User-Agent`; a test compares it with package.json. */
export const VERSION = '0.3.0';
