import { extname } from 'node:path';
import type { NextFunction, Response } from 'express';

/** The compressed copies that a build makes of a file, the smallest first. */
const COPIES = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
];

/** The options for `response.sendFile`, and the names of all files of its root. */
type FolderToSend = {
  names: ReadonlySet<string>;
  options: { root: string } & Parameters<Response['sendFile']>[1];
  next: NextFunction;
};

/** Answers a built file by the smallest copy that the client accepts. */
export function sendCopy(response: Response, name: string, { names, options, next }: FolderToSend): void {
  const copies = COPIES.filter(({ suffix }) => names.has(name + suffix));
  const accepted = response.req.acceptsEncodings(...copies.map(({ encoding }) => encoding), 'identity');
  const copy = copies.find(({ encoding }) => encoding === accepted);
  response.type(extname(name)).vary('Accept-Encoding');
  if (copy !== undefined) response.set('Content-Encoding', copy.encoding);
  response.sendFile(name + (copy?.suffix ?? ''), options, (error) => {
    if (error !== undefined && !response.headersSent) next(error);
  });
}
