declare const unitFiles: {
  (paths: readonly string[]): { filtered: string[] };
  whyNotUnit(path: string): string | undefined;
};
export = unitFiles;
