/** The client of Posthorn: {@link io.posthorn.Posthorn}. */
@NullMarked
package io.posthorn;

import org.jspecify.annotations.NullMarked;
