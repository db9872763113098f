/** The part of WebAssembly that threads share. The types of browsers have it, and the types of Node do not. */
declare namespace WebAssembly {
  /** Compiled code. It can be sent to other threads. */
  type Module = { readonly [Symbol.toStringTag]: 'WebAssembly.Module' };
  function compile(bytes: Uint8Array): Promise<Module>;
}
