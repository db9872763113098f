/** Internal classes, which may change with each version. */
@NullMarked
package io.posthorn.internal;

import org.jspecify.annotations.NullMarked;
