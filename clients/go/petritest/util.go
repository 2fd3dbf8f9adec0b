package petritest

import (
	"reflect"
	"sort"
)

// The most rows of a page of a list.
const maxRows = 500

func sortedKeys(fields map[string]any) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// isNil tells whether there is nothing to send; a nil pointer in an interface is not nil.
func isNil(body any) bool {
	value := reflect.ValueOf(body)
	return body == nil || value.Kind() == reflect.Pointer && value.IsNil()
}
