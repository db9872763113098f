/** The part of WebAssembly that threads share. The browser's types have it; Node's types do not. */
declare namespace WebAssembly {
  /** Compiled code, which can be sent to other threads. */
  type Module = { readonly [Symbol.toStringTag]: 'WebAssembly.Module' };
  function compile(bytes: Uint8Array): Promise<Module>;
}
