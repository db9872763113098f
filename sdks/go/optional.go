package posthorn

import "encoding/json"

// Optional is the value of an optional field. Leave the field nil to leave it out, or set it with [Value] or [Null].
type Optional[T any] struct {
	value  T
	isNull bool
}

// Value sets a field to a value.
func Value[T any](value T) *Optional[T] {
	return &Optional[T]{value: value}
}

// Null clears a field. In an update, a field that you leave out keeps its value.
func Null[T any]() *Optional[T] {
	return &Optional[T]{isNull: true}
}

// Get returns the value, and true. It returns false if the field is left out or null.
func (o *Optional[T]) Get() (T, bool) {
	if o == nil || o.isNull {
		var zero T
		return zero, false
	}
	return o.value, true
}

// MarshalJSON implements [json.Marshaler].
func (o *Optional[T]) MarshalJSON() ([]byte, error) {
	if o == nil || o.isNull {
		return []byte("null"), nil
	}
	return marshal(o.value)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	*o = Optional[T]{isNull: string(text) == "null"}
	if o.isNull {
		return nil
	}
	return json.Unmarshal(text, &o.value)
}
