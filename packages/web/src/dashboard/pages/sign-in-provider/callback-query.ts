/** What the provider's answer is, as it came: read before the router writes the address anew. */
export const CALLBACK_QUERY = window.location.search;
