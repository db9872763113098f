package posthorn

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
)

// marshalWith writes a struct together with the fields that this version does not know.
func marshalWith(known any, unknown map[string]json.RawMessage) ([]byte, error) {
	text, err := marshal(known)
	if err != nil || len(unknown) == 0 {
		return text, err
	}
	fields := maps.Clone(unknown)
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	return marshal(fields)
}

// unmarshalKnown reads JSON into known, a pointer to a struct, and returns the fields that the struct does not have.
func unmarshalKnown(text []byte, known any) (map[string]json.RawMessage, error) {
	if err := json.Unmarshal(text, known); err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	kind := reflect.TypeOf(known).Elem()
	for n := range kind.NumField() {
		name, _, _ := strings.Cut(kind.Field(n).Tag.Get("json"), ",")
		delete(fields, name)
	}
	return fields, nil
}

// isForm reads one of the forms that a value can have, and reports whether the text has it. An object must have the
// keys.
func isForm(text []byte, into any, keys ...string) bool {
	var object map[string]json.RawMessage
	if len(keys) > 0 && json.Unmarshal(text, &object) != nil {
		return false
	}
	for _, key := range keys {
		if _, has := object[key]; !has {
			return false
		}
	}
	return json.Unmarshal(text, into) == nil
}
