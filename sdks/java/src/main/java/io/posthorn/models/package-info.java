/** The objects of the API. */
@NullMarked
package io.posthorn.models;

import org.jspecify.annotations.NullMarked;
