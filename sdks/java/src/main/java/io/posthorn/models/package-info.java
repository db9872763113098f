/** The objects of the interface. */
@NullMarked
package io.posthorn.models;

import org.jspecify.annotations.NullMarked;
