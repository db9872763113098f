/** `expect`, `test` and the others of the file that runs in this worker. */
exports.current = {};
