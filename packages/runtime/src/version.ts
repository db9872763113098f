/** The version of this installation. `npm run release` writes it (deploy/release/versions.mjs). */
export const VERSION = '0.3.0';
