/** The provider's query, unchanged. It is read before the router rewrites the address. */
export const CALLBACK_QUERY = window.location.search;
