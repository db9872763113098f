package posthorn

// Version is the version of this library, which the User-Agent names. It follows the version of the interface.
const Version = "0.3.0"
