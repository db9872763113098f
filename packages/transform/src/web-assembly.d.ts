/** The part of WebAssembly that threads share. The types of Node leave it to those of browsers. */
declare namespace WebAssembly {
  /** Compiled code. It can be sent to other threads. */
  type Module = { readonly [Symbol.toStringTag]: 'WebAssembly.Module' };
  function compile(bytes: Uint8Array): Promise<Module>;
}
